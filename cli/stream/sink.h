/* SPDX-License-Identifier: MIT */
/*
 * sink.h - write the stream to standard output without waiting for slow readers
 *
 * Events keep coming, whether they are read or not.  So either the stream waits, and what the JVM
 * removes meanwhile is lost there, or events are dropped here; and both are counted and reported.
 */
#ifndef JFREC_CLI_STREAM_SINK_H
#define JFREC_CLI_STREAM_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sink {
	bool drops;   /* rather than wait */
	bool is_pipe; /* or a socket: it may make us wait */
	char *text;   /* not written yet */
	size_t len, room;
	int error;	    /* of the last write; then nothing more is taken */
	uint64_t dropped;   /* events, in all */
	uint64_t told;	    /* of these */
	int64_t told_at_ns; /* monotonic */
};

void sink_init(struct sink *s, bool drops);
void sink_fini(struct sink *s);

/* A jfrec_write_fn: keep the text, for sink_flush(). */
int sink_write(void *sink, const void *data, size_t len);

/* Is there no room for another event now?  Then it is to be dropped by sink_drop(). */
bool sink_is_full(struct sink *s);
void sink_drop(struct sink *s);

/*
 * Write what is there: all of it, or, if it drops, what is taken at once.  Ends early, as if
 * written, on a signal that interrupt_noted() knows while no reader takes any more.  0, or errno.
 */
int sink_flush(struct sink *s);

/* Say how many events were dropped since the last time, now or (not forced) once in a second. */
void sink_tell(struct sink *s, bool forced);

#endif
