/* SPDX-License-Identifier: MIT */
/*
 * ask.c - ask a JVM for thread dumps, and the system for their CPU
 */
#include "threads/ask.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock_now.h"
#include "base/report.h"
#include "jvm/reply_lines.h"
#include "threads/hot.h"

/* So long the system is looked at where there is one dump only. */
#define GLANCE_NS 200000000

/* A JVM that lies has no end. */
#define MAX_REPLY (UINT64_C(512) << 20)

const char *ask_threads_command(const struct ask_threads *a)
{
	return a->locks ? "Thread.print -l" : "Thread.print";
}

static void sleep_until(int64_t ns)
{
	struct timespec at = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		;
}

static int write_stream(void *to, const void *data, size_t len)
{
	return fwrite(data, 1, len, to) == len ? 0 : ENOMEM;
}

/* The file that the JVM wrote, which is removed. */
static int pass_file(struct each_jvm *j, jfrec_write_fn *write, void *ctx)
{
	struct jfrec_error err;
	struct jfrec_dump *h = jfrec_thread_dump_write(j->session, &err);
	int status = EXIT_DONE;

	if (h && jfrec_dump_size(h) > MAX_REPLY)
		status = for_each_jvm_fail(j, (jfrec_fail(&err, JFREC_ERESULT, JFREC_NO_OFFSET,
							  "its thread dump is larger than 512 MiB"), &err));
	else if (!h || jfrec_dump_copy(h, write, ctx, &err) < 0)
		status = for_each_jvm_fail(j, &err);
	jfrec_dump_free(h);
	return status;
}

static int file_text(struct each_jvm *j, char **text, size_t *len)
{
	FILE *to = open_memstream(text, len);
	int status;

	if (!to) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	status = pass_file(j, write_stream, to);
	fclose(to);
	if (status != EXIT_DONE)
		free(*text);
	return status;
}

int ask_threads_raw(struct each_jvm *j, const struct ask_threads *a)
{
	if (!a->virtual)
		return reply_lines(j, ask_threads_command(a), NULL, NULL);
	return pass_file(j, write_stdout, NULL);
}

static int ask_one(struct each_jvm *j, const struct ask_threads *a, struct threads_seen *s)
{
	struct jfrec_error err;
	char *text;
	size_t len;
	int status = a->virtual ? file_text(j, &text, &len)
				: reply_text(j, ask_threads_command(a), MAX_REPLY, &text, &len);

	if (status != EXIT_DONE)
		return status;
	if (jfrec_thread_dumps_add(s->dumps, text, len, &err) == 0)
		return EXIT_DONE;
	if (err.code == JFREC_EFORMAT)
		jfrec_fail(&err, JFREC_ERESULT, JFREC_NO_OFFSET,
			   "its reply is not a thread dump; jfrec threads --raw %d prints it",
			   j->jvm->pid);
	return for_each_jvm_fail(j, &err);
}

static int ask_all(struct each_jvm *j, const struct ask_threads *a, struct threads_seen *s)
{
	int status = EXIT_DONE;
	int64_t next = monotonic_now_ns();

	for (uint64_t i = 0; i < a->samples && status == EXIT_DONE; i++, next += a->interval_ns) {
		if (i)
			sleep_until(next);
		status = ask_one(j, a, s);
	}
	return status;
}

int ask_threads(struct each_jvm *j, const struct ask_threads *a, struct threads_seen *s)
{
	struct task_cpus before, after = { 0 };
	bool ok = task_cpus_read(&before, j->jvm);
	int status = ok ? ask_all(j, a, s) : EXIT_FAILED;

	if (status == EXIT_DONE) {
		sleep_until(before.at_ns + GLANCE_NS);
		ok = task_cpus_read(&after, j->jvm) && hot_by_tasks(s, &before, &after);
	}
	if (!ok) {
		say_out_of_memory();
		status = EXIT_FAILED;
	}
	task_cpus_fini(&before);
	task_cpus_fini(&after);
	return status;
}
