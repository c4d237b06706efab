/* SPDX-License-Identifier: MIT */
/*
 * chunk_overlaps.c - chunks of the same time, whose events are not in order
 */
#include "read/chunk_overlaps.h"

/* They may overlap a little, since clocks are read twice. */
#define OVERLAP_NS INT64_C(100000000)

/* Each JVM declares these, whatever it records, and no profiler does. */
bool chunk_is_of_jvm(const struct metadata *m)
{
	return metadata_type_named(m, "jdk.ClassLoad") ||
	       metadata_type_named(m, "com.oracle.jdk.ClassLoad");
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

bool chunk_overlaps_add_of(struct chunk_overlaps *o, bool is_of_jvm, int64_t start_ns,
			   int64_t end_ns)
{
	typeof(o->last[0]) *last = &o->last[is_of_jvm];
	uint64_t number = ++o->chunks, before = last->number;
	int64_t shared = 0;
	bool overlaps = false;

	/* How far the later one of the two begins before the other's end. */
	if (before && start_ns >= last->start_ns)
		overlaps = last->end_ns > start_ns && last->end_ns - start_ns > OVERLAP_NS;
	else if (before)
		overlaps = end_ns > last->start_ns && end_ns - last->start_ns > OVERLAP_NS;
	if (overlaps)
		shared = earlier(last->end_ns, end_ns) -
			 (start_ns > last->start_ns ? start_ns : last->start_ns);
	if (overlaps && o->count++ == 0) {
		o->first = before;
		o->second = number;
		o->shared_ns = shared;
		o->is_again = start_ns == last->start_ns;
	}
	if (!before || end_ns > last->end_ns) {
		last->number = number;
		last->start_ns = start_ns;
		last->end_ns = end_ns;
	}
	return overlaps;
}

bool chunk_overlaps_add(struct chunk_overlaps *o, const struct metadata *m, int64_t start_ns,
			int64_t end_ns)
{
	return chunk_overlaps_add_of(o, chunk_is_of_jvm(m), start_ns, end_ns);
}
