/* SPDX-License-Identifier: MIT */
/*
 * chunk_moments.h - what a chunk has that may have happened in one of the requests
 *
 * Of which JVM a chunk is becomes known when chunks are merged in their order.  Until then threads
 * are known alone, and a few moments may be of another JVM's thread with the same number.
 */
#ifndef JFREC_TRACE_CHUNK_MOMENTS_H
#define JFREC_TRACE_CHUNK_MOMENTS_H

#include "read/chunk_task.h"
#include "stacks/traces.h"
#include "trace/requests.h"

/* Something with a duration.  Texts are numbers in book.names, or NAME_NONE. */
struct chunk_moment {
	int64_t begin_ns, end_ns;
	uint64_t thread; /* during_thread(), or ANY_THREAD */
	uint32_t type, label, detail, site;
	uint32_t told; /* of what may be a request itself: its place among these, + 1; or 0 */
	uint8_t kind;  /* enum jfrec_trace_kind */
};

/* A sample. */
struct chunk_sample {
	int64_t at_ns, ns;
	uint64_t thread, samples;
	uint32_t type, site;
	uint8_t rank;
};

/* A field, named. */
struct chunk_field {
	uint32_t name, text;
	uint8_t kind; /* enum jfrec_kind */
	int64_t number;
};

/* What an event says that may be a request. */
struct chunk_told {
	uint32_t thread_name;
	size_t first_field, field_count;
};

struct chunk_moments {
	struct book book;
	struct chunk_moment *moments;
	size_t moment_count, moment_room;
	struct chunk_sample *samples;
	size_t sample_count, sample_room;
	struct chunk_field *fields;
	size_t field_count, field_room;
	struct chunk_told *told;
	size_t told_count, told_room;
};

/* By any thread.  NULL when memory is gone. */
struct chunk_moments *chunk_moments_read(const struct requests *q, struct chunk_task *task);
void chunk_moments_free(struct chunk_moments *m);

#endif
