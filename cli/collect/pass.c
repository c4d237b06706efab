/* SPDX-License-Identifier: MIT */
/*
 * pass.c - report on one pass, and copy chunks into files
 */
#include "collect/pass.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock_now.h"
#include "jfrec-tool.h"

/* Telling -------------------------------------------------------------------------------------- */

void pass_tell(struct pass *p, const struct collected_news *news)
{
	if (news->what == COLLECTED_FAILED)
		p->failed++;
	if (p->options->fn)
		p->options->fn(p->options->ctx, news);
}

/* Two failures are the same if their keys are. */
static void tell_failure(struct pass *p, struct collected_news *news, const char *key)
{
	char *line = NULL;

	news->what = COLLECTED_FAILED;
	if (asprintf(&line, "%s %d %s", news->path ? news->path : "", news->pid, key) >= 0) {
		news->is_known = told_before(&p->c->told, line);
		free(line);
	}
	pass_tell(p, news);
}

void pass_tell_failure(struct pass *p, const struct jfrec_jvm *jvm, const char *path,
		       const struct jfrec_error *err)
{
	struct collected_news news = {
		.path = path,
		.pid = jvm ? jvm->pid : 0,
		.main = jvm ? jvm->main : NULL,
		.code = err->code,
		.text = err->text,
	};

	tell_failure(p, &news, err->text);
}

void pass_tell_left(struct pass *p, uint32_t uid, const char *name, const struct jfrec_error *err)
{
	if (told_first(&p->c->told, uid, TOLD_FAILED))
		pass_tell_failure(p, NULL, name, err);
	else
		p->failed++;
}

void pass_tell_dropped(void *ctx, const char *name, uint64_t bytes)
{
	struct collected_news news = { .what = COLLECTED_DROPPED, .path = name, .bytes = bytes };

	pass_tell(ctx, &news);
}

/* Nothing could be read, of one of many. */
static bool is_more_junk(struct pass *p, const struct store_file *f, bool is_leftover)
{
	return is_leftover && !f->bytes && !told_first(&p->c->told, f->jvm->uid, TOLD_EMPTY);
}

static void tell_file(struct pass *p, const struct store_file *f, bool is_leftover)
{
	struct collected_news news = {
		.what = COLLECTED_FILE,
		.path = f->name,
		.pid = f->jvm->pid,
		.main = f->jvm->main,
		.is_leftover = is_leftover,
		.bytes = f->bytes,
		.chunks = p->c->dry ? f->count : f->written,
		.completed = f->completed,
		.unreadable = f->left_out,
		.start_ns = f->start_ns,
		.end_ns = f->end_ns,
	};

	if (!is_more_junk(p, f, is_leftover))
		pass_tell(p, &news);
}

void pass_complain(struct pass *p, const struct jfrec_jvm *jvm, const char *path,
		   const char *format, ...)
{
	struct jfrec_error err = { .code = JFREC_EREFUSED, .offset = JFREC_NO_OFFSET };
	va_list args;

	va_start(args, format);
	vsnprintf(err.text, sizeof(err.text), format, args);
	va_end(args);
	pass_tell_failure(p, jvm, path, &err);
}

void pass_complain_of(struct pass *p, uint32_t uid, const char *format, ...)
{
	char text[256], key[256];
	struct collected_news news = { .code = JFREC_EREFUSED, .text = text };
	int len = snprintf(text, sizeof(text), "user %u", uid);
	va_list args;

	va_start(args, format);
	vsnprintf(text + len, sizeof(text) - (size_t)len, format, args);
	va_end(args);
	snprintf(key, sizeof(key), "user %u%s", uid, format);
	tell_failure(p, &news, key);
}

static void tell_count(struct pass *p, const struct told_count *c)
{
	struct collected_news news = { .what = COLLECTED_EMPTY };
	char text[100];

	if (c->count < 2)
		return;
	if (c->kind == TOLD_FAILED) {
		pass_complain_of(p, c->uid, ": %zu more of their repositories failed", c->count - 1);
		p->failed--; /* each was counted before */
		return;
	}
	snprintf(text, sizeof(text), "user %u: %zu more files of exited JVMs had nothing readable",
		 c->uid, c->count - 1);
	news.text = text;
	pass_tell(p, &news);
}

void pass_tell_counts(struct pass *p)
{
	for (size_t i = 0; i < p->c->told.count; i++)
		tell_count(p, &p->c->told.counts[i]);
}

void pass_cut_turns(struct pass *p, struct fair_share *t, int64_t budget_ns, const char *what)
{
	uint32_t uid;
	size_t count;

	while (fair_share_cut(t, budget_ns, &uid, &count))
		pass_complain_of(p, uid,
				 " has used %d s of this pass; %zu of their %s are left for the "
				 "next one",
				 (int)(budget_ns / NS_PER_SECOND), count, what);
}

/* Taking chunks -------------------------------------------------------------------------------- */

/* Chunks from number `first` on that go into one file. */
static size_t group_of(const struct pass *p, struct jfrec_repository *r, size_t first)
{
	uint64_t limit = p->c->config.limits.file_size,
		 bytes = jfrec_repository_get(r, first)->bytes;
	size_t n = 1, count = jfrec_repository_count(r);

	if (!limit)
		limit = p->c->config.limits.size ? p->c->config.limits.size : UINT64_MAX;
	for (; first + n < count; n++) {
		bytes += jfrec_repository_get(r, first + n)->bytes;
		if (bytes > limit)
			break;
	}
	return n;
}

static void tell_take_failure(struct pass *p, const struct jfrec_jvm *jvm,
			      const struct jfrec_repository *r, bool is_leftover,
			      const struct jfrec_error *err)
{
	if (is_leftover)
		pass_tell_left(p, jvm->uid, jfrec_repository_path(r), err);
	else
		pass_tell_failure(p, jvm, NULL, err);
}

bool pass_take(struct pass *p, struct jfrec_repository *r, const struct jfrec_jvm *jvm,
	       bool is_leftover)
{
	struct store_file f = { .jvm = jvm, .repository = r };
	int64_t until = monotonic_now_ns() + PASS_REPOSITORY_NS;
	size_t count = jfrec_repository_count(r);

	for (; f.first < count && !pass_is_over(p); f.first += f.count) {
		struct jfrec_error err = { 0 };

		if (monotonic_now_ns() > until) {
			pass_complain(p, jvm, NULL,
				      "only %zu of %zu new chunks were copied in %d s; the rest "
				      "is left for the next pass",
				      f.first, count, (int)(PASS_REPOSITORY_NS / NS_PER_SECOND));
			return false;
		}
		f.count = group_of(p, r, f.first);
		f.bytes = 0;
		f.written = f.completed = f.left_out = 0;
		if (store_put(&p->c->store, &f, pass_tell_dropped, p, &err) == 0) {
			if (f.bytes || f.left_out)
				tell_file(p, &f, is_leftover);
			if (store_is_greedy(&p->c->store, &f))
				pass_complain(p, jvm, f.name,
					      "this file alone takes more than half of limits: "
					      "size, which leaves little room for others; raise "
					      "size, or lower file-size");
			continue;
		}
		p->full = store_is_full(&err);
		if (p->full)
			p->why = err;
		else
			tell_take_failure(p, jvm, r, is_leftover, &err);
		return false;
	}
	return f.first >= count;
}

/* Nothing that is not in it yet, and nothing that there was before. */
bool pass_is_new(struct pass *p, const struct jfrec_repository *r,
		 const struct jfrec_repository_chunk *c)
{
	return !store_knows(&p->c->store, r, c) && !c->is_empty;
}
