/* SPDX-License-Identifier: MIT */
/*
 * sink.c - write the stream to standard output without waiting for slow readers
 */
#include "stream/sink.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/interrupt.h"
#include "base/report.h"

/* What is kept for a slow reader before events are dropped. */
#define MAX_KEPT (1u << 20)

/* Between two looks for a signal while the reader does not read; and after one came. */
#define STEP_MS 250

void sink_init(struct sink *s, bool drops)
{
	struct stat st;

	*s = (struct sink){ .drops = drops };
	s->is_pipe = fstat(STDOUT_FILENO, &st) == 0 && !S_ISREG(st.st_mode);
}

void sink_fini(struct sink *s)
{
	free(s->text);
	*s = (struct sink){ 0 };
}

int sink_write(void *sink, const void *data, size_t len)
{
	struct sink *s = sink;

	if (s->error)
		return s->error;
	if (len > s->room - s->len) {
		size_t room = s->len + len + (s->len + len) / 2;
		char *text = realloc(s->text, room);

		if (!text)
			return s->error = ENOMEM;
		s->text = text;
		s->room = room;
	}
	memcpy(s->text + s->len, data, len);
	s->len += len;
	return 0;
}

/* Would a write of PIPE_BUF bytes go through at once? */
static bool is_ready(int timeout_ms)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return poll(&p, 1, timeout_ms) > 0;
}

/* Write as much as is taken; wait for the rest if that is wanted. */
static int write_some(struct sink *s, bool waits)
{
	size_t done = 0;

	while (done < s->len && !s->error) {
		size_t n = s->len - done;

		if (s->is_pipe) {
			bool ready = is_ready(waits ? STEP_MS : 0);

			if (!ready && (!waits || interrupt_noted()))
				break;
			if (!ready)
				continue;
			n = n < PIPE_BUF ? n : PIPE_BUF;
		}
		s->error = write_stdout(NULL, s->text + done, n);
		done += n;
	}
	s->len -= done < s->len ? done : s->len;
	memmove(s->text, s->text + done, s->len);
	return s->error;
}

bool sink_is_full(struct sink *s)
{
	if (!s->drops || s->len < MAX_KEPT)
		return false;
	write_some(s, false);
	return s->len >= MAX_KEPT;
}

void sink_drop(struct sink *s)
{
	s->dropped++;
}

int sink_flush(struct sink *s)
{
	if (s->len)
		write_some(s, !s->drops);
	return s->error;
}

void sink_tell(struct sink *s, bool forced)
{
	int64_t now = monotonic_now_ns();

	if (s->dropped == s->told || (!forced && now - s->told_at_ns < NS_PER_SECOND))
		return;
	fprintf(stderr,
		"jfrec: %" PRIu64 " event%s dropped, because the output is read too slowly; %" PRIu64
		" in all\n",
		s->dropped - s->told, s->dropped - s->told == 1 ? "" : "s", s->dropped);
	s->told = s->dropped;
	s->told_at_ns = now;
}
