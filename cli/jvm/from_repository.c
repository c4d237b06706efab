/* SPDX-License-Identifier: MIT */
/*
 * from_repository.c - copy a recording from a JVM's files, without attaching
 */
#include "jvm/from_repository.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/ioprio.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/human.h"
#include "base/many_files.h"
#include "base/progress.h"
#include "base/report.h"
#include "jfrec-tool.h"
#include "jvm/crashed.h"
#include "jvm/dump_file.h"
#include "jvm/left_behind.h"
#include "opts/timearg.h"

/* Which part ----------------------------------------------------------------------------------- */

static bool take_time(const char *text, int64_t now, int64_t *ns)
{
	struct jfrec_time t;

	if (local_time_parse(text, now, ns))
		return true;
	if (!jfrec_time_parse(text, &t) || t.base == JFREC_SINCE_START)
		return false;
	*ns = jfrec_time_resolve(&t, now, now);
	return true;
}

static int take_bound(const struct command *c, const struct jfr_opts *a, const char *key,
		      int64_t now, int64_t *ns)
{
	const char *text = jfr_opts_get(a, key);

	if (!text || take_time(text, now, ns))
		return EXIT_DONE;
	return report_usage(c, "--%s %s: a repository takes 09:30, -10m, 2026-11-20T08:30:00Z", key,
			    text);
}

int from_repository_part(struct repository_part *part, const struct command *c,
			 const struct jfr_opts *a)
{
	const char *age = jfr_opts_get(a, "maxage"), *size = jfr_opts_get(a, "maxsize");
	int64_t now = real_now_ns(), ns;

	*part = (struct repository_part){ .from_ns = INT64_MIN, .to_ns = INT64_MAX };
	/* It was checked, and a 0 means no limit. */
	if (age && jfrec_parse_duration(age, &ns))
		part->from_ns = now - ns;
	if (size && !jfrec_parse_size(size, &part->max_size))
		part->max_size = 0;
	if (take_bound(c, a, "begin", now, &part->from_ns) != EXIT_DONE)
		return EXIT_USAGE;
	return take_bound(c, a, "end", now, &part->to_ns);
}

bool from_repository_is_path(const char *operand)
{
	const char *slash = operand ? strrchr(operand, '/') : NULL;
	struct stat st;

	/* No name of a JVM ends so: what is not there is a directory that is missing. */
	if (slash && !slash[1])
		return true;
	return slash && stat(operand, &st) == 0 && S_ISDIR(st.st_mode);
}

/*
 * Only time that no other process needs: by nice 19 alone, the slowest requests of a server took
 * twice as long while 200 MB were copied (tests/bench/dump.sh).  What cannot be set stays.
 */
void from_repository_give_way(void)
{
	sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){ 0 });
	setpriority(PRIO_PROCESS, 0, 19);
	syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 0));
}

/* Copying -------------------------------------------------------------------------------------- */

/* One repository on its way into one file. */
struct copy {
	const char *name; /* of the JVM or directory, for messages */
	struct jfrec_repository *repository;
	struct jfrec_repository_info info;
	size_t written; /* chunks */
	size_t completed; /* of these: the last, if it was not finished */
	uint64_t bytes; /* 0: there is no file */
	int64_t age_ns; /* of the last flush, when it was copied */
	bool is_live;
};

static int fail(const char *name, const struct jfrec_error *err)
{
	say(name, failure_text(err));
	return exit_of(err->code);
}

static int say_nothing_there(const struct copy *c, bool has_others)
{
	static const char *const texts[2][2] = {
		{ "it has no chunk with data", "it has no chunk of that time" },
		{ "its repository has no data yet", "its repository has no data of that time yet" },
	};

	if (c->info.unreadable)
		say(c->name, "its chunk is not finished, and JDK 8 and 11 write chunks that "
			     "cannot be read until they are finished");
	else
		say(c->name, texts[c->is_live][has_others]);
	return EXIT_FAILED;
}

static void on_problem(void *ctx, const struct jfrec_problem *problem)
{
	(void)ctx;
	if (problem->damage)
		say(problem->input, problem->text);
}

static int merge(struct copy *c, struct jfrec_reader *r, const struct repository_part *part,
		 struct outfile *o)
{
	struct jfrec_merge_options options = { .struct_size = sizeof(options),
					       .max_size = part->max_size };
	struct output_opts to = { .path = o->path, .output = o->output };
	struct jfrec_merged *merged;
	struct jfrec_error err;
	uint64_t bytes;
	int status;

	jfrec_reader_on_problem(r, on_problem, NULL);
	if (part->gives_way)
		jfrec_output_give_way(o->output);
	progress_begin_writing(r);
	merged = jfrec_write_merged(r, &options, o->output, &err);
	progress_end();
	if (!merged)
		return output_opts_failure(&to, err.code == JFREC_EOUTPUT ? NULL : r, &err);
	c->written = merged->written;
	c->completed = merged->completed;
	bytes = merged->bytes_written;
	jfrec_merged_free(merged);
	status = outfile_commit(o);
	if (status != EXIT_DONE)
		return status;
	c->bytes = bytes;
	return report_damage(r);
}

/* They may have been chunks. */
static int say_damaged(const struct copy *c, int status)
{
	char text[512];

	if (!c->info.damaged)
		return status;
	snprintf(text, sizeof(text),
		 "%zu file%s there %s not begin as a recording, the first being %.255s; if it was "
		 "one that is damaged, jfrec repair may recover it",
		 c->info.damaged, c->info.damaged == 1 ? "" : "s",
		 c->info.damaged == 1 ? "does" : "do", c->info.damaged_name);
	say(c->name, text);
	return status == EXIT_DONE ? EXIT_FAILED : status;
}

/* The repository is open: from here on both ways are the same. */
static int copy(struct copy *c, const struct repository_part *part, struct outfile *o)
{
	struct jfrec_reader *r;
	struct jfrec_error err;
	bool has_chunks = jfrec_repository_describe(c->repository)->chunks > 0;
	int status;

	jfrec_repository_select_span(c->repository, &part->from_ns, &part->to_ns);
	c->info = *jfrec_repository_describe(c->repository);
	c->age_ns = real_now_ns() - c->info.flushed_ns;
	if (c->info.chunks == 0)
		return say_damaged(c, say_nothing_there(c, has_chunks));
	status = outfile_check_room(o, part->max_size && part->max_size < c->info.bytes
					       ? part->max_size
					       : c->info.bytes);
	if (status != EXIT_DONE)
		return status;
	r = jfrec_repository_read(c->repository, &err);
	if (!r)
		return fail(c->name, &err);
	status = merge(c, r, part, o);
	jfrec_reader_close(r);
	return say_damaged(c, status);
}

/* What came, and what is missing --------------------------------------------------------------- */

/* A chunk of JDK 8 or 11 tells nothing before it is finished. */
static void say_unreadable(const struct copy *c)
{
	char bytes[HUMAN_MAX], age[HUMAN_MAX];

	fprintf(stderr,
		"; the unfinished chunk, of %s, cannot be read (JDK 8 and 11)",
		human_bytes(bytes, (double)c->info.unreadable_bytes));
	if (c->is_live)
		fprintf(stderr, " and began %s ago", human_span(age, (double)c->age_ns));
}

static void say_missing(const struct copy *c)
{
	char bytes[HUMAN_MAX], age[HUMAN_MAX];

	fputs("jfrec: ", stderr);
	put_name(stderr, c->name);
	fprintf(stderr, ": from its repository, %zu chunk%s%s", c->written,
		c->written == 1 ? "" : "s",
		c->completed ? ", the last one completed" : "");
	human_bytes(bytes, (double)c->info.bytes_behind);
	if (c->info.unreadable)
		say_unreadable(c);
	else if (c->is_live)
		fprintf(stderr,
			"; data since its last flush %s ago is missing, of which %s had been "
			"written",
			human_span(age, (double)c->age_ns), bytes);
	else if (c->info.bytes_behind)
		fprintf(stderr, "; %s after its last flush are omitted", bytes);
	fputc('\n', stderr);
}

/* clang-format off */
static json_t *missing_json(const struct copy *c)
{
	char text[40];

	return json_pack("{s:o, s:I, s:I, s:s, s:o, s:I, s:I, s:I}",
			 "path", text_json(c->info.path),
			 "chunks", (json_int_t)c->written,
			 "completed", (json_int_t)c->completed,
			 "flushed", iso_time(text, sizeof(text), c->info.flushed_ns),
			 "secondsSinceFlush", c->is_live ? json_real((double)c->age_ns / 1e9) : json_null(),
			 "bytesBehindFlush", (json_int_t)c->info.bytes_behind,
			 "unreadableChunks", (json_int_t)c->info.unreadable,
			 "unreadableBytes", (json_int_t)c->info.unreadable_bytes);
}
/* clang-format on */

int from_repository_copy_instead(const struct each_jvm *j, struct jfrec_repository *held,
				 const struct repository_part *part, struct outfile *o)
{
	struct copy c = { .repository = held, .is_live = true };
	char name[32];
	int status;

	snprintf(name, sizeof(name), "process %d", j->jvm->pid);
	c.name = name;
	status = copy(&c, part, o);
	if (c.bytes) {
		say_missing(&c);
		dump_file_report(j, o, c.bytes);
		if (j->result)
			json_object_set_new(j->result, "repository", missing_json(&c));
	}
	return status;
}

int from_repository_copy(const struct each_jvm *j, const struct repository_part *part,
			 struct outfile *o)
{
	struct jfrec_repository *r;
	struct jfrec_error err;
	int status;

	allow_many_files();
	r = jfrec_repository_of_jvm(j->jvm, &err);
	if (!r)
		return for_each_jvm_fail(j, &err);
	status = from_repository_copy_instead(j, r, part, o);
	jfrec_repository_close(r);
	return status;
}

/* A JVM that has ended ----------------------------------------------------------------------- */

/* What a JVM that ends in order records last is not older than that, if nothing delays its end. */
#define LAST_NS NS_PER_SECOND

/*
 * A JVM that ends in order finishes its last chunk and removes it; one that is killed does neither.
 */
static bool was_finished(struct jfrec_repository *held)
{
	size_t count = jfrec_repository_count(held);

	return count && !jfrec_repository_get(held, count - 1)->is_open &&
	       jfrec_repository_was_removed(held, count - 1);
}

int from_repository_copy_held(const struct each_jvm *j, struct jfrec_repository *held,
			      const struct repository_part *part, struct outfile *o)
{
	struct copy c = { .repository = held };
	bool finished;
	char name[32], age[HUMAN_MAX];
	int status;

	snprintf(name, sizeof(name), "process %d", j->jvm->pid);
	c.name = name;
	jfrec_repository_refresh(held);
	finished = was_finished(held);
	status = copy(&c, part, o);
	if (!c.bytes)
		return EXIT_DIED;
	dump_file_report(j, o, c.bytes);
	if (j->result)
		json_object_set_new(j->result, "repository", missing_json(&c));
	if (!c.completed && (finished || c.age_ns < LAST_NS)) {
		fprintf(stderr, "jfrec: %s exited; its recording is complete\n", name);
		return status;
	}
	fprintf(stderr,
		"jfrec: %s exited while it was being recorded; data after its last flush, %s "
		"before, is missing\n",
		name, human_span(age, (double)c.age_ns));
	return EXIT_DIED;
}

void from_repository_say_where(int pid)
{
	char pattern[128];
	glob_t found;

	crashed_say_gone(pid);
	/* A JVM names it after when it began, and after its pid. */
	snprintf(pattern, sizeof(pattern),
		 "/tmp/[0-9][0-9][0-9][0-9]_[0-9][0-9]_[0-9][0-9]_[0-9][0-9]_[0-9][0-9]_"
		 "[0-9][0-9]_%d",
		 pid);
	if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct stat st;

		if (lstat(found.gl_pathv[i], &st) == 0 && S_ISDIR(st.st_mode))
			fprintf(stderr,
				"jfrec: a process with this pid left its repository; to fetch "
				"what it recorded:\n  jfrec dump %s/\n",
				found.gl_pathv[i]);
	}
	globfree(&found);
}

/* A directory ---------------------------------------------------------------------------------- */

/* Of the JVM that wrote it, in its own namespace. */
static json_t *pid_json(const struct copy *c)
{
	int pid = jfrec_repository_describe(c->repository)->ns_pid;

	return pid > 0 ? json_integer(pid) : json_null();
}

static int report_directory(const struct copy *c, const struct outfile *o, bool json)
{
	say_missing(c);
	if (json)
		return print_document("dump", json_pack("{s:[{s:o, s:o, s:I, s:o}]}", "jvms", "pid",
							pid_json(c), "file", text_json(o->path),
							"bytes", (json_int_t)c->bytes,
							"repository", missing_json(c)));
	if (!o->to_stdout) {
		print_name(o->path);
		putchar('\n');
	}
	return finish_stdout();
}

/* The repository is open, and is closed. */
static int copy_open(struct copy *c, const struct repository_part *part, struct output_opts *w,
		     bool json)
{
	struct jfrec_jvm jvm = { .main = "jvm" };
	struct outfile o;
	int status, reported;

	jvm.pid = jfrec_repository_describe(c->repository)->ns_pid;
	status = outfile_open(&o, w, &jvm);
	if (status == EXIT_DONE) {
		status = copy(c, part, &o);
		if (c->bytes) {
			reported = report_directory(c, &o, json);
			status = status == EXIT_DONE ? reported : status;
		}
		outfile_close(&o);
	}
	jfrec_repository_close(c->repository);
	return status;
}

bool from_repository_is_gone(const char *operand, int *pid)
{
	char *end;
	long number = operand ? strtol(operand, &end, 10) : 0;

	if (number <= 0 || number > INT_MAX || *end)
		return false;
	*pid = (int)number;
	return kill(*pid, 0) < 0 && errno == ESRCH;
}

void from_repository_name_if_gone(const char *operand)
{
	char *end;
	long pid = operand ? strtol(operand, &end, 10) : 0;

	/* Its parent may not have noticed yet that it has ended. */
	if (pid > 0 && pid <= INT_MAX && !*end)
		from_repository_say_where((int)pid);
}

static int copy_found(const char *directory, int pid, const struct repository_part *part,
		      struct output_opts *w, bool json)
{
	struct copy c = { .name = NULL };
	char *path = NULL;
	int status = left_behind_open(directory, pid, &c.repository, &path);

	c.name = path;
	if (status == EXIT_DONE)
		status = copy_open(&c, part, w, json);
	free(path);
	return status;
}

int from_repository_copy_left(const struct command *command, int pid,
			      const struct repository_part *part, struct output_opts *w, bool json)
{
	int status = outfile_check(w, command, false, json);

	if (status != EXIT_DONE)
		return status;
	allow_many_files();
	return copy_found("/tmp", pid, part, w, json);
}

/* A directory around repositories: that of the only one, or of none. */
static int copy_inner(const char *path, const struct repository_part *part, struct output_opts *w,
		      bool json)
{
	size_t len = strlen(path);
	char *directory;
	int status;

	while (len > 1 && path[len - 1] == '/')
		len--;
	directory = strndup(path, len);
	if (!directory)
		return EXIT_NO_JVM;
	status = copy_found(directory, 0, part, w, json);
	free(directory);
	return status;
}

int from_repository_copy_directory(const struct command *command, const char *path,
				   const struct repository_part *part, struct output_opts *w,
				   bool json)
{
	struct copy c = { .name = path };
	struct jfrec_error err;
	int status = outfile_check(w, command, false, json);

	if (status != EXIT_DONE)
		return status;
	allow_many_files();
	c.repository = jfrec_repository_open(path, &err);
	if (!c.repository)
		return fail(path, &err);
	if (jfrec_repository_count(c.repository) == 0) {
		status = copy_inner(path, part, w, json);
		if (status != EXIT_NO_JVM) {
			jfrec_repository_close(c.repository);
			return status;
		}
	}
	return copy_open(&c, part, w, json);
}
