/* SPDX-License-Identifier: MIT */
/*
 * outside_steps.c - steps that take what the host shows, without asking the JVM
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"
#include "snapshot/taking.h"

/* Of a log the end counts. */
#define MOST_OF_LOG (UINT64_C(10) << 20)

int text_write(void *to, const void *data, size_t len)
{
	struct text_to *t = to;
	const char *at = data;

	if (len > MOST_OF_TEXT - t->len)
		return EFBIG;
	t->len += len;
	while (len) {
		ssize_t n = write(t->fd, at, len);

		if (n < 0 && errno != EINTR)
			return errno;
		at += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}

int step_fail(const struct jfrec_error *err)
{
	put_name(stderr, failure_text(err));
	fputc('\n', stderr);
	return exit_of(err->code);
}

int take_outside(const struct step_call *c)
{
	struct text_to to = { c->to, 0 };
	struct jfrec_error err;

	return jfrec_outside_write(c->jvm, (enum jfrec_outside)c->step->which, text_write, &to,
				   &err) < 0
		       ? step_fail(&err)
		       : EXIT_DONE;
}

/* A JVM without them, such as with -XX:-UsePerfData, is nothing unusual. */
int take_counters(const struct step_call *c)
{
	struct text_to to = { c->to, 0 };
	struct jfrec_error err;

	if (jfrec_jvm_counters(c->jvm, text_write, &to, &err) == 0)
		return EXIT_DONE;
	return err.code == JFREC_EATTACH ? step_fail(&err), EXIT_NOTHING : step_fail(&err);
}

/* Logs ----------------------------------------------------------------------------------------- */

/* The last MOST_OF_LOG of it, from a line's beginning. */
static int copy_end(int from, const struct step_call *c)
{
	struct text_to to = { c->to, 0 };
	char bytes[64 << 10], *begin;
	struct stat st;
	uint64_t at = 0;
	ssize_t n;
	int sys = 0;

	if (fstat(from, &st) == 0 && (uint64_t)st.st_size > MOST_OF_LOG)
		at = (uint64_t)st.st_size - MOST_OF_LOG;
	for (bool is_first = at > 0; !sys && to.len < MOST_OF_LOG; is_first = false) {
		n = pread(from, bytes, sizeof(bytes), (off_t)at);
		if (n <= 0)
			break;
		at += (uint64_t)n;
		begin = is_first ? memchr(bytes, '\n', (size_t)n) : NULL;
		begin = begin ? begin + 1 : bytes;
		sys = text_write(&to, begin, (size_t)(bytes + n - begin));
	}
	if (sys) {
		fprintf(stderr, "it cannot be written: %s\n", strerror(sys));
		return EXIT_FAILED;
	}
	return EXIT_DONE;
}

struct gc_logs {
	const struct step_call *call;
	int number, status;
};

static int take_named(void *ctx, const char *path, int fd, const struct jfrec_error *why)
{
	struct gc_logs *g = ctx;

	if (g->number++ != g->call->step->which) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	if (fd < 0) {
		g->status = step_fail(why);
		return -1;
	}
	fputs("from ", stderr);
	put_name(stderr, path);
	fputc('\n', stderr);
	g->status = copy_end(fd, g->call);
	close(fd);
	return -1;
}

int take_gc_log(const struct step_call *c)
{
	struct gc_logs g = { c, 0, EXIT_NOTHING };
	struct jfrec_error err = { .code = JFREC_OK };

	if (jfrec_outside_logs(c->jvm, take_named, &g, &err) < 0 && err.code)
		return step_fail(&err);
	if (g.status == EXIT_NOTHING)
		fputs(c->step->which ? "the JVM writes no second log of its collector\n"
				     : "the JVM names no log of its collector that it writes\n",
		      stderr);
	return g.status;
}

/* Whatever the JVM has named as its -XX:ErrorFile is taken only if it is one. */
static bool is_crash_log(int fd)
{
	char head[512];
	ssize_t n = pread(fd, head, sizeof(head) - 1, 0);

	head[n > 0 ? n : 0] = '\0';
	return *head == '#' && (strstr(head, "A fatal error has been detected") ||
				strstr(head, "There is insufficient memory") ||
				strstr(head, "An unexpected error has been detected"));
}

static int copy_crash_log(const struct step_call *c, size_t i)
{
	struct jfrec_error err;
	int fd = jfrec_crash_files_open(c->crash, i, &err), status;

	if (fd < 0)
		return step_fail(&err);
	if (is_crash_log(fd)) {
		status = copy_end(fd, c);
	} else {
		fputs("what -XX:ErrorFile names is not the log of a crash, and was not taken\n", stderr);
		status = EXIT_FAILED;
	}
	close(fd);
	return status;
}

int take_crash_log(const struct step_call *c)
{
	size_t count =
		c->crash && jfrec_crash_files_find(c->crash, JFREC_CRASH_OF_JVM, 0, NULL) == 0
			? jfrec_crash_files_count(c->crash)
			: 0;

	for (size_t i = 0; i < count; i++) {
		if (!jfrec_crash_files_get(c->crash, i)->is_recording)
			return copy_crash_log(c, i);
	}
	fputs("the JVM has not crashed\n", stderr);
	return EXIT_NOTHING;
}
