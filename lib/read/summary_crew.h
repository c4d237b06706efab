/* SPDX-License-Identifier: MIT */
/*
 * summary_crew.h - several threads count the events of a recording's chunks
 */
#ifndef JFREC_READ_SUMMARY_CREW_H
#define JFREC_READ_SUMMARY_CREW_H

#include "read/chunk_count.h"
#include "read/chunk_source.h"

/* What was counted of a chunk. */
struct found {
	const struct extent *extent;
	struct jfrec_chunk_info info;
	struct metadata *metadata;
	struct type_count *rows;
	uint32_t row_count;
};

/* Take what was counted; the clock is that of the chunk's ticks.  0, or -1 when memory is gone. */
typedef int take_found_fn(void *ctx, const struct found *f, const struct clock *clock);

/*
 * Count all chunks by as many threads as the source may have, and hand each to `take`, in order.
 * Nothing of the source is changed.  False: it was not done, or only for some chunks, as the
 * recording has one that is damaged, is being written, or is read from front to back: count them
 * one after the other, which says what is wrong.
 */
bool count_together(struct chunk_source *s, bool has_times, take_found_fn *take, void *ctx);

#endif
