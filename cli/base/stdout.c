/* SPDX-License-Identifier: MIT */
/*
 * stdout.c - write to standard output: harmless on a terminal, given up after Ctrl-C
 */
#include "base/stdout.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/harmless.h"
#include "base/progress.h"
#include "base/report.h"

/* How long Ctrl-C waits for the reader of the output. */
#define LAST_PATIENCE_MS 500

/* After Ctrl-C the rest is written only if the reader still takes it. */
static bool is_given_up(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return progress_is_interrupted() && poll(&p, 1, LAST_PATIENCE_MS) <= 0;
}

static int write_all(const char *data, size_t len)
{
	while (len) {
		ssize_t n;

		if (is_given_up())
			return EINTR;
		/* As much as a pipe that is ready takes without blocking. */
		n = write(STDOUT_FILENO, data,
			  progress_is_interrupted() && len > PIPE_BUF ? PIPE_BUF : len);
		if (n < 0 && errno != EINTR)
			return errno;
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

static int write_terminal(const char *data, size_t len)
{
	static struct harmless h; /* a character may come in two calls */
	char text[HARMLESS_GROWTH * (1024 + 3)];
	int error = 0;

	while (len && !error) {
		size_t piece = len < 1024 ? len : 1024;

		error = write_all(text, harmless_text(&h, data, piece, true, text));
		data += piece;
		len -= piece;
	}
	return error;
}

static bool is_terminal(void)
{
	static int known = -1;

	if (known < 0)
		known = isatty(STDOUT_FILENO);
	return known;
}

int write_stdout(void *ctx, const void *data, size_t len)
{
	(void)ctx;
	return is_terminal() ? write_terminal(data, len) : write_all(data, len);
}

void widen_stdout(void)
{
	fcntl(STDOUT_FILENO, F_SETPIPE_SZ, 1 << 20);
}

int report_write_failure(int error)
{
	static bool is_reported; /* what fails once fails again when the rest is flushed */

	if (error == EPIPE)
		return EXIT_DONE;
	if (!is_reported)
		fprintf(stderr, "jfrec: cannot write standard output: %s\n", strerror(error));
	is_reported = true;
	return EXIT_FAILED;
}

int finish_stdout(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return EXIT_DONE;
	return report_write_failure(errno ? errno : EIO);
}
