/* SPDX-License-Identifier: MIT */
/*
 * native_threads.h - threads that stand in native methods, as samples of these show
 *
 * Waits that are shorter than the threshold of their event leave no event, however many there are.
 * But each 20 ms HotSpot takes a sample of the next thread that is in native code
 * (jdk.NativeMethodSample); it goes round all threads in their order. So a thread that is there all
 * the time is seen once in each round, and one that was seen in half of the rounds was there for
 * about half of the time.
 */
#ifndef JFREC_ANALYZE_NATIVE_THREADS_H
#define JFREC_ANALYZE_NATIVE_THREADS_H

#include "analyze/rule.h"

#define NATIVE_THREADS_INPUT READS("jdk.NativeMethodSample", HELPS, "stackTrace", "sampledThread")

struct native_threads {
	struct groups there; /* thread, what the rule says: samples */
	struct series all;   /* the threads of all samples */
};

/* Of a thread that stands there for so much of its time at least. */
struct native_thread {
	uint32_t thread, stack; /* 0: there is none; one of its stacks */
	unsigned threads;	/* how many there are of which that is true */
	double share;
};

/*
 * Take an event of the input. 0: it is in none of these methods, by the begin of the name of the
 * one on top; else the number of its stack, and then native_threads_add() says what it does there.
 */
uint32_t native_threads_take(struct native_threads *s, const struct event *e,
			     const char *const *methods, size_t count);
void native_threads_add(struct native_threads *s, const struct event *e, uint32_t what);
/* `counts` selects by what the rule said; NULL: all count. */
struct native_thread native_threads_most(struct judging *j, struct native_threads *s, double least,
					 bool (*counts)(const void *ctx, uint32_t what),
					 const void *ctx);
/* That of an info: it grows with the share. */
static inline double native_threads_score(const struct native_thread *s)
{
	return 25 + 49 * s->share;
}
void native_threads_fini(struct native_threads *s);

#endif
