/* SPDX-License-Identifier: MIT */
/*
 * changes.c - what became of a thread from the first dump to the last
 */
#include "threads/changes.h"

/* Changes are in the order of the threads. */
const struct jfrec_thread_change *threads_seen_change(const struct threads_seen *s, size_t thread)
{
	size_t low = 0, high = s->change_count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->changes[mid].thread < thread)
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->change_count && s->changes[low].thread == thread ? &s->changes[low] : NULL;
}
