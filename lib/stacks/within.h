/* SPDX-License-Identifier: MIT */
/*
 * within.h - when threads were in a traced method or tagged span
 */
#ifndef JFREC_STACKS_WITHIN_H
#define JFREC_STACKS_WITHIN_H

#include "format/clock.h"
#include "read/intervals.h"

/* Was the thread, by its key, in a span at that time? */
static inline bool within_has(const struct intervals *spans, int32_t thread, int64_t at_ns)
{
	return intervals_touch(spans, intervals_thread(spans, (uint32_t)thread), at_ns, at_ns);
}

/* A time of a chunk as jfrconv works it out, for spans and samples alike. */
int64_t within_time_ns(const struct chunk_header *h, int64_t ticks);

#endif
