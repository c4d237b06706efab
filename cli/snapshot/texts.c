/* SPDX-License-Identifier: MIT */
/*
 * texts.c - the texts of a snapshot, scrubbed, as files that are whole or absent
 *
 * Up to then they are in memory, so what has secrets in it is gone with this process.  All of them
 * are scrubbed together: what is secret in the environment is taken out of thread dumps, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/harmless.h"
#include "base/report.h"
#include "opts/scrub_rules.h"
#include "snapshot/taken.h"

/* What the process that does it tells of each text. */
struct text_result {
	bool is_done;
	int sys; /* why it could not be written */
	uint64_t redacted;
};

struct text_file {
	const struct taken *taken;
	struct text_result *result;
	struct jfrec_output *output;
	struct harmless harmless;
	bool is_raw;
};

struct work {
	const struct taken_list *list;
	struct text_result *results; /* shared */
	const struct snapshot_opts *opts;
	struct text_file *files;
	struct jfrec_secret_text *texts;
	size_t count;
};

/* Files ---------------------------------------------------------------------------------------- */

static int put(struct text_file *f, const void *data, size_t len)
{
	struct jfrec_error err = { 0 };

	if (!f->output) {
		f->output = jfrec_output_open(f->taken->step->file, false, JFREC_PLAIN, &err);
		if (!f->output)
			return err.sys ? err.sys : EIO;
	}
	return jfrec_output_write(f->output, data, len);
}

/* On a terminal nothing in it does anything.  What cannot be written does not end the others. */
static int write_text(void *ctx, const void *data, size_t len)
{
	struct text_file *f = ctx;
	char room[HARMLESS_GROWTH * (4096 + 3)];
	const char *at = data;

	for (size_t n; len && !f->result->sys; at += n, len -= n) {
		n = len < 4096 ? len : 4096;
		f->result->sys =
			f->is_raw ? put(f, at, n)
				  : put(f, room, harmless_text(&f->harmless, at, n, true, room));
	}
	return 0;
}

static int end_text(void *ctx, uint64_t redacted)
{
	struct text_file *f = ctx;
	char room[HARMLESS_GROWTH * 4];
	struct jfrec_error err = { 0 };
	size_t held = harmless_end(&f->harmless, room);

	if (!f->result->sys)
		f->result->sys = put(f, room, held);
	if (!f->result->sys && jfrec_output_commit(f->output, &err) < 0)
		f->result->sys = err.sys ? err.sys : EIO;
	jfrec_output_close(f->output);
	f->output = NULL;
	f->result->redacted = redacted;
	f->result->is_done = !f->result->sys;
	return 0;
}

/* All of them ---------------------------------------------------------------------------------- */

static bool has_text(const struct taken *t)
{
	return t->raw >= 0 && (t->state == TAKEN_DONE || t->state == TAKEN_PARTLY);
}

/* Map what was taken.  False when memory is gone. */
static bool map_texts(struct work *w)
{
	const struct taken_list *l = w->list;

	w->files = calloc(l->count + 1, sizeof(*w->files));
	w->texts = calloc(l->count + 1, sizeof(*w->texts));
	for (size_t i = 0; w->files && w->texts && i < l->count; i++) {
		const struct taken *t = &l->all[i];
		struct text_file *f = &w->files[w->count];
		struct stat st;
		void *bytes = NULL;

		if (!has_text(t) || fstat(t->raw, &st) < 0)
			continue;
		if (st.st_size)
			bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, t->raw, 0);
		if (bytes == MAP_FAILED)
			return false;
		*f = (struct text_file){ .taken = t, .result = &w->results[i],
					 .is_raw = w->opts->raw };
		w->texts[w->count++] = (struct jfrec_secret_text){
			.kind = t->step->kind, .bytes = bytes, .len = (size_t)st.st_size,
			.write = write_text, .done = end_text, .ctx = f,
		};
	}
	return w->files && w->texts;
}

static int write_raw(struct work *w)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct jfrec_secret_text *t = &w->texts[i];

		write_text(t->ctx, t->bytes, t->len);
		end_text(t->ctx, 0);
	}
	return EXIT_DONE;
}

static int write_scrubbed(struct work *w)
{
	bool hosts = false, paths = false;
	struct jfrec_error err;
	struct jfrec_scrub_rules *rules = jfrec_scrub_rules_new(&err);
	int status = rules ? scrub_rules_of_config(rules, &hosts, &paths) : EXIT_FAILED;

	if (status == EXIT_DONE && scrub_rules_add_sets(rules, hosts, paths, &err) < 0)
		status = scrub_rules_failure("rules", &err);
	if (status != EXIT_DONE)
		return status;
	confine_writes(".");
	confine(CONFINE_WRITING);
	if (jfrec_scrub_texts(rules, w->texts, w->count, &err) == 0)
		return EXIT_DONE;
	fprintf(stderr, "%s\n", failure_text(&err));
	return EXIT_FAILED;
}

static int work(void *ctx)
{
	struct work *w = ctx;

	if (!map_texts(w)) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	return w->opts->raw ? write_raw(w) : write_scrubbed(w);
}

static void take_result(struct taken *t, const struct text_result *r, const struct performed *p,
			const struct snapshot_opts *o)
{
	if (r->is_done) {
		t->redacted = r->redacted;
		t->is_scrubbed = !o->raw;
		return;
	}
	t->state = TAKEN_FAILED;
	if (r->sys)
		snprintf(t->said, sizeof(t->said), "it was taken, but cannot be written: %s",
			 strerror(r->sys));
	else
		snprintf(t->said, sizeof(t->said),
			 "it was taken, but could not be scrubbed, and is left out: %.400s", p->said);
}

void taken_write_texts(struct taken_list *l, const struct snapshot_opts *o, int directory,
		       int64_t limit_ns)
{
	size_t size = (l->count + 1) * sizeof(struct text_result);
	struct text_result *results =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct work w = { .list = l, .results = results, .opts = o };
	const struct text_result none = { 0 };
	struct performed p = { .said = "memory is exhausted" };

	if (results != MAP_FAILED)
		perform(&(struct job){ work, &w, directory, limit_ns, false }, &p);
	for (size_t i = 0; i < l->count; i++) {
		if (has_text(&l->all[i]))
			take_result(&l->all[i], results == MAP_FAILED ? &none : &results[i], &p, o);
	}
	if (results != MAP_FAILED)
		munmap(results, size);
}
