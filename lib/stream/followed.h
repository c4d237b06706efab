/* SPDX-License-Identifier: MIT */
/*
 * followed.h - one of many sources that are followed: its streams, its turn
 */
#ifndef JFREC_STREAM_FOLLOWED_H
#define JFREC_STREAM_FOLLOWED_H

#include "base/arena.h"
#include "jfrec/stream.h"

/* One stream of a source. */
struct followed_stream {
	struct jfrec_stream *stream;
	unsigned steps;	   /* in this turn */
	int64_t began_ns;  /* the turn, by the processor's time of this thread */
	bool has_ended;	   /* or failed, and the caller knows */
};

/* The public handle: jfrec/stream.h. */
struct jfrec_source {
	struct jfrec_streams *all;
	struct arena arena; /* of name and the strings of jvm */
	const char *name;
	struct jfrec_jvm jvm;
	bool is_jvm;
	bool is_new;  /* found, and the caller does not know yet */
	int look_out; /* that found it; -1: none */
	struct followed_stream *streams;
	size_t stream_count, stream_room;
	size_t at;	 /* whose turn it is */
	int64_t took_ns; /* the turn of all, by the processor's time, as far as it is over */
	int64_t rests_until_ns;
	void *ctx; /* the caller's */
};

/* A source without streams.  NULL: memory is gone. */
struct jfrec_source *followed_new_path(const char *path);
struct jfrec_source *followed_new_jvm(const struct jfrec_jvm *jvm);

/* NULL is allowed. */
void followed_free(struct jfrec_source *s);

/*
 * The next step of its turn.  1: *step is set, with *err if it is JFREC_STREAMS_FAILED; 0: its turn
 * is over.
 */
int followed_step(struct jfrec_source *s, struct jfrec_streams_step *step, struct jfrec_error *err);

/*
 * Its turn is over: if that took long, it has none for `others` times as long, so that each of the
 * others gets as much of the time.
 */
void followed_rest(struct jfrec_source *s, size_t others);
bool followed_rests(const struct jfrec_source *s);

/* Have its streams end. */
void followed_stop(struct jfrec_source *s);

/* How many ms from now on looking at it would find nothing; INT_MAX: it has ended. */
int followed_pause_ms(const struct jfrec_source *s);

/* Is it this process? */
bool followed_is_jvm(const struct jfrec_source *s, const struct jfrec_jvm *jvm);

#endif
