/* SPDX-License-Identifier: MIT */
/*
 * flush_clock.h - predict when a JVM flushes next
 *
 * A JVM flushes once in a second, or as often as it was configured to.  So there is nothing before
 * about as long after the last flush as that was after the one before; some ms more, and the header
 * has it.  If it has not, it is read again at short intervals.  What comes sooner, since the JVM
 * begins another chunk, waits for that look, but never longer than it would have waited for a
 * flush.
 */
#ifndef JFREC_STREAM_FLUSH_CLOCK_H
#define JFREC_STREAM_FLUSH_CLOCK_H

#include <stdint.h>

/* All zero at first, when nothing is known. */
struct due {
	int64_t flushed_ns; /* the last flush, by the JVM's clock */
	int64_t at;	    /* the next one, by deadline_now(); 0: not known */
};

/*
 * A flush was seen.  flushed_ns: when it was, by the JVM's clock; real_ns: now, by ours;
 * now: by deadline_now().  Clocks may step: what comes out is no more than a guess.
 */
void due_note(struct due *d, int64_t flushed_ns, int64_t real_ns, int64_t now);

/* How long to wait until it is looked for; also if it is late. */
int due_pause_ms(const struct due *d, int64_t now);

/* That between two looks for what comes at any time. */
#define DUE_POLL_MS 25

#endif
