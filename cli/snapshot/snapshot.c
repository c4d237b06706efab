/* SPDX-License-Identifier: MIT */
/*
 * snapshot.c - take what an incident needs of a JVM, before it is restarted
 *
 * Step by step into a directory without a name (directory.h), the texts into memory.
 * Whatever ends it early, a signal, the time or the end of the JVM, what was taken by then is
 * scrubbed, told of in the manifest, and gets the name.
 */
#include "snapshot/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/interrupt.h"
#include "base/report.h"
#include "snapshot/directory.h"
#include "snapshot/tarball.h"
#include "snapshot/taken.h"

#define MANIFEST "manifest.json"

/* Its room is taken before anything else: a disk that fills up must not take the reasons with it.
 */
#define MANIFEST_ROOM (128 << 10)

/* For the JVM to begin and to end a recording. */
#define RECORD_SPARE_NS (60 * NS_PER_SECOND)

/* What scrubbing and the page have at least, whatever the rest took. */
#define LAST_NS (15 * NS_PER_SECOND)
#define SCRUB_MOST_NS (60 * NS_PER_SECOND)

struct taking {
	struct each_jvm *j;
	const struct snapshot_opts *opts;
	struct snapshot_directory directory;
	struct taken_list list;
	struct jfrec_crash_files *crash;
	int manifest;
	int64_t until_ns; /* monotonic */
	int signal;	  /* that ended it early; 0: none */
	const struct taken *barred_by; /* after what it said the JVM is asked nothing more */
	char barred[SAID_MAX];
	bool has_counters;
};

/* A step --------------------------------------------------------------------------------------- */

static int do_step(void *ctx)
{
	const struct step_call *c = ctx;

	return c->step->take(c);
}

static int64_t limit_of(const struct taking *k, const struct snapshot_step *s)
{
	int64_t left = k->until_ns - monotonic_now_ns();
	int64_t limit = s->limit_s ? s->limit_s * NS_PER_SECOND
				   : snapshot_duration_ns(k->opts) + RECORD_SPARE_NS;

	if (s->place == STEP_AFTER && left < LAST_NS)
		left = LAST_NS;
	return limit < left ? limit : left;
}

/* What a JVM says that will not answer the next question either. */
static bool bars(int status)
{
	return status == EXIT_TIMEOUT || status == EXIT_ATTACH || status == EXIT_DIED ||
	       status == EXIT_NO_JVM || status == EXIT_PERMISSION;
}

static bool asks(const struct snapshot_step *s)
{
	return s->place == STEP_ASKS || s->place == STEP_RECORDS;
}

/* Why the step is not done, in `said`; false if it is. */
static bool skip(struct taking *k, const struct snapshot_step *s, char said[SAID_MAX])
{
	*said = '\0';
	if (s->place == STEP_AFTER)
		return false;
	if (k->signal)
		snprintf(said, SAID_MAX, "interrupted before it");
	else if (limit_of(k, s) <= 0)
		snprintf(said, SAID_MAX, "the time of --timeout was over");
	else if (jfrec_jvm_has_ended(k->j->jvm))
		snprintf(said, SAID_MAX, "the JVM had ended");
	else if (asks(s) && k->barred_by)
		snprintf(said, SAID_MAX, "not asked after %s failed: %.400s", k->barred_by->step->name,
			 k->barred_by->said);
	return *said;
}

static void note_signal(struct taking *k)
{
	struct interrupt again;

	if (!interrupt_noted())
		return;
	k->signal = interrupt_noted();
	interrupt_hold(&again); /* another one ends what is still to be done */
}

static void wait_before(const struct snapshot_step *s)
{
	for (int ms = 0; ms < s->wait_ms && !interrupt_noted(); ms += 20)
		nanosleep(&(struct timespec){ 0, 20 * NS_PER_MS }, NULL);
}

static bool is_there(const struct taking *k, const struct taken *t)
{
	struct stat st;

	if (t->step->is_text)
		return t->raw >= 0 && fstat(t->raw, &st) == 0 && st.st_size > 0;
	return fstatat(k->directory.fd, t->step->file, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* A text that a failure cut short is not kept; a recording that ends early is. */
static void judge(struct taking *k, struct taken *t, const struct performed *p)
{
	snprintf(t->said, sizeof(t->said), "%s", p->said);
	if (p->status == EXIT_DONE)
		t->state = TAKEN_DONE;
	else if (p->status == EXIT_NOTHING)
		t->state = TAKEN_NOTHING;
	else if (!t->step->is_text && is_there(k, t))
		t->state = TAKEN_PARTLY;
	else
		t->state = TAKEN_FAILED;
	if (t->state == TAKEN_FAILED && !*t->said)
		snprintf(t->said, sizeof(t->said), "it failed with exit code %d", p->status);
	if (t->state == TAKEN_PARTLY && (p->interrupted || p->is_late))
		snprintf(t->said, sizeof(t->said), "%s ended it early%s%.400s",
			 p->interrupted ? "a signal" : "the end of its time", *p->said ? "; " : "",
			 p->said);
	if (asks(t->step) && bars(p->status))
		k->barred_by = t;
}

static void take(struct taking *k, struct taken *t)
{
	struct step_call call = { t->step, k->opts, k->j->jvm, k->crash, -1, limit_of(k, t->step) };
	struct performed p = { .status = EXIT_FAILED };

	wait_before(t->step);
	if (t->step->is_text)
		call.to = t->raw = memfd_create(t->step->file, MFD_CLOEXEC);
	t->began_ns = real_now_ns();
	if (asks(t->step) && k->has_counters)
		safepoints_read(&t->before, k->j->jvm);
	if (t->step->is_text && t->raw < 0)
		snprintf(p.said, sizeof(p.said), "no file can be made in memory: %s", strerror(errno));
	else
		perform(&(struct job){ do_step, &call, k->directory.fd, call.limit_ns,
				       t->step->place == STEP_RECORDS }, &p);
	if (t->before.is_known)
		safepoints_read(&t->after, k->j->jvm);
	t->took_ns = real_now_ns() - t->began_ns;
	if (p.status != EXIT_DONE)
		snapshot_directory_tidy(&k->directory);
	judge(k, t, &p);
	if (strcmp(t->step->name, "counters") == 0)
		k->has_counters = t->state == TAKEN_DONE;
}

static void show(const struct taking *k, const struct snapshot_step *s)
{
	if (k->opts->attach.trace)
		fprintf(stderr, "jfrec: %d: step %s\n", k->j->jvm->pid, s->name);
	else if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[Ksnapshot: %s%s", s->name,
			s->place == STEP_RECORDS ? ", Ctrl-C ends it" : "");
}

static void take_all(struct taking *k)
{
	for (size_t i = 0; i < k->list.count; i++) {
		struct taken *t = &k->list.all[i];

		note_signal(k);
		if (skip(k, t->step, t->said))
			continue;
		show(k, t->step);
		take(k, t);
	}
	note_signal(k);
	if (isatty(STDERR_FILENO) && !k->opts->attach.trace)
		fputs("\r\033[K", stderr);
}

/* What comes of it ----------------------------------------------------------------------------- */

static void measure(struct taking *k)
{
	for (size_t i = 0; i < k->list.count; i++) {
		struct taken *t = &k->list.all[i];
		struct stat st;

		if ((t->state == TAKEN_DONE || t->state == TAKEN_PARTLY) &&
		    fstatat(k->directory.fd, t->step->file, &st, AT_SYMLINK_NOFOLLOW) == 0)
			t->bytes = (uint64_t)st.st_size;
	}
}

static int write_chars(const char *data, size_t len, void *to)
{
	const int *fd = to;

	while (len) {
		ssize_t n = write(*fd, data, len);

		if (n < 0 && errno != EINTR)
			return -1;
		data += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int write_manifest(struct taking *k, const json_t *result)
{
	json_t *all = envelope_of("snapshot", json_pack("{s:[O]}", "jvms", result));
	int failed = !all ||
		     json_dump_callback(all, write_chars, &k->manifest, JSON_INDENT(2)) < 0 ||
		     write_chars("\n", 1, &k->manifest) < 0 ||
		     ftruncate(k->manifest, lseek(k->manifest, 0, SEEK_CUR)) < 0 ||
		     fsync(k->manifest) < 0;

	json_decref(all);
	if (!failed)
		return EXIT_DONE;
	say(k->directory.path, "its manifest cannot be written, and nothing is kept");
	return EXIT_FAILED;
}

static int reserve_manifest(struct taking *k)
{
	int sys;

	k->manifest =
		openat(k->directory.fd, MANIFEST, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	sys = k->manifest < 0 ? errno : posix_fallocate(k->manifest, 0, MANIFEST_ROOM);
	if (!sys || sys == EOPNOTSUPP || sys == EINVAL)
		return EXIT_DONE;
	say(k->directory.path, sys == ENOSPC ? "there is no room for it on its disk; use -o with "
					       "a directory on another one"
					     : strerror(sys));
	return EXIT_FAILED;
}

static int fail_packed(const struct snapshot_output *to, const struct jfrec_error *err)
{
	say(to->path, err->sys == EEXIST ? "exists already; use --force to replace it"
					 : failure_text(err));
	return EXIT_FAILED;
}

/* The manifest and the page come first, so that they are at hand without the rest. */
static int pack_all(struct taking *k, const struct snapshot_output *to)
{
	struct jfrec_error err;
	struct tarball p;
	int ret;

	if (tarball_open(&p, to->path, to->force, &err) < 0)
		return fail_packed(to, &err);
	ret = tarball_add(&p, k->directory.fd, MANIFEST, &err);
	for (int page = 1; page >= 0 && ret == 0; page--) {
		for (size_t i = 0; i < k->list.count && ret == 0; i++) {
			const char *file = k->list.all[i].step->file;

			if ((strcmp(file, "report.html") == 0) == (page == 1))
				ret = tarball_add(&p, k->directory.fd, file, &err);
		}
	}
	if (ret == 0)
		ret = tarball_commit(&p, &err);
	jfrec_output_close(p.output);
	return ret < 0 ? fail_packed(to, &err) : EXIT_DONE;
}

static int finish(struct taking *k, const struct snapshot_output *to)
{
	json_t *result = k->j->result ? json_incref(k->j->result)
				      : json_pack("{s:i}", "pid", k->j->jvm->pid);
	int status;

	measure(k);
	json_object_set_new(result, "snapshot", text_json(to->path));
	taken_tell(&k->list, k->j->jvm, result);
	status = write_manifest(k, result);
	if (status == EXIT_DONE)
		status = tarball_is_archive(to->path) ? pack_all(k, to)
						   : snapshot_directory_commit(&k->directory);
	json_decref(result);
	if (status != EXIT_DONE)
		return status;
	taken_say_missing(&k->list);
	if (!k->j->result) {
		print_name(to->path);
		putchar('\n');
	}
	return taken_is_whole(&k->list) ? EXIT_DONE : EXIT_FAILED;
}

/* ---------------------------------------------------------------------------------------------- */

static int begin(struct taking *k)
{
	int64_t timeout = k->opts->attach.timeout_ms
				  ? k->opts->attach.timeout_ms * NS_PER_MS
				  : SNAPSHOT_TIMEOUT_NS + snapshot_duration_ns(k->opts) +
					    (k->opts->heapdump ? SNAPSHOT_HEAP_NS : 0);

	k->until_ns = monotonic_now_ns() + timeout;
	k->list.all = calloc(snapshot_step_count, sizeof(*k->list.all));
	if (!k->list.all) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	for (size_t i = 0; i < snapshot_step_count; i++) {
		if (snapshot_step_is_wished(&snapshot_steps[i], k->opts))
			k->list.all[k->list.count++] =
				(struct taken){ .step = &snapshot_steps[i], .raw = -1 };
	}
	k->crash = jfrec_crash_files_new(NULL);
	if (k->crash)
		jfrec_crash_files_add_jvm(k->crash, k->j->jvm, NULL);
	return reserve_manifest(k);
}

static void end(struct taking *k)
{
	for (size_t i = 0; i < k->list.count; i++) {
		if (k->list.all[i].raw >= 0)
			close(k->list.all[i].raw);
	}
	free(k->list.all);
	jfrec_crash_files_free(k->crash);
	if (k->manifest >= 0)
		close(k->manifest);
	snapshot_directory_close(&k->directory);
}

int snapshot_take(struct each_jvm *j, const struct snapshot_opts *o,
		  const struct snapshot_output *to)
{
	struct taking k = { .j = j, .opts = o, .manifest = -1 };
	struct interrupt before;
	int status = snapshot_directory_open(&k.directory, to->path, to->force,
					     tarball_is_archive(to->path));
	int64_t left;

	if (status != EXIT_DONE)
		return status;
	interrupt_hold(&before);
	/* Nor does a connection that breaks end it. */
	signal(SIGHUP, SIG_IGN);
	status = begin(&k);
	if (status == EXIT_DONE) {
		take_all(&k);
		left = k.until_ns - monotonic_now_ns();
		left = left < LAST_NS ? LAST_NS : left < SCRUB_MOST_NS ? left : SCRUB_MOST_NS;
		taken_write_texts(&k.list, o, k.directory.fd, left);
		snapshot_directory_tidy(&k.directory);
		note_signal(&k);
		status = finish(&k, to);
	}
	end(&k);
	interrupt_release(&before);
	return k.signal ? 128 + k.signal : status;
}
