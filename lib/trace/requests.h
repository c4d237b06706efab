/* SPDX-License-Identifier: MIT */
/*
 * requests.h - the first pass: which events are requests, and which of them are the slowest
 *
 * Of events of one thread that lie in one another, the outermost is the request, and the others are
 * spans of it; so no two requests of a thread overlap.
 */
#ifndef JFREC_TRACE_REQUESTS_H
#define JFREC_TRACE_REQUESTS_H

#include "jfrec/tool/trace.h"
#include "read/chunk_jvms.h"
#include "read/intervals.h"
#include "stacks/name_set.h"

/* A request that was found. */
struct request {
	int64_t begin_ns, end_ns;
	uint64_t id;	/* of its thread and JVM: during_id() */
	uint32_t thread; /* the thread alone, a number in `threads` */
	uint32_t jvm, type; /* number of the JVM, of the name of its type */
};

/* All zero is none. */
struct requests {
	struct request *items; /* once they are chosen: by .id and time */
	size_t count, room;
	uint64_t found, inner, without_thread;
	struct chunk_jvms jvms;
	struct name_set types;
	/*
	 * When they ran, by the thread alone, and ANY_THREAD: what touches none of these touches no
	 * request, in whichever JVM it happened.
	 */
	struct intervals times;
	struct idmap marks; /* requests_mark() of each */
	uint64_t *threads;  /* as during_thread() gives them */
	size_t thread_count, thread_room;
};

void requests_fini(struct requests *q);

/* Find them.  0, or -1 with *err set, as jfrec_trace_read(). */
int requests_find(struct requests *q, struct jfrec_reader *r, const struct jfrec_trace_options *o,
		  struct jfrec_error *err);

/* What an event is known again by in the second pass: its thread, whichever the JVM, and its time.
 */
uint64_t requests_mark(uint64_t thread, int64_t begin_ns, int64_t end_ns);

/* The first request of that thread and JVM that ends after that time; .count if there is none. */
size_t requests_first(const struct requests *q, uint64_t id, int64_t begin_ns);

#endif
