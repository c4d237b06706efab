/* SPDX-License-Identifier: MIT */
/*
 * gc_heap_unused.c - could the heap be smaller? Never more than a note.
 */
#include "analyze/rules.h"

#define ENOUGH_NS	   INT64_C(600000000000)
#define ENOUGH_COLLECTIONS 10
#define UNUSED_SHARE	   0.25

static const struct reads inputs[] = {
	READS("jdk.GCHeapSummary", PERIODIC),
	READS("jdk.GCHeapConfiguration", PERIODIC),
	{ 0 },
};

static void judge(void *state, struct judging *j)
{
	const struct facts *f = j->facts;
	int64_t most = 0;
	size_t collections = 0;

	(void)state;
	for (size_t i = 0; i < f->heap_count; i++) {
		collections += !f->heap[i].is_after;
		most = f->heap[i].used > most ? f->heap[i].used : most;
	}
	if (recorded_ns(j) < ENOUGH_NS || collections < ENOUGH_COLLECTIONS || f->heap_max <= 0) {
		too_few(j, "%zu collections in %s are too few; 10 in 10 min are needed", collections,
			span_text(j, (double)recorded_ns(j)));
		return;
	}
	if ((double)most < UNUSED_SHARE * (double)f->heap_max)
		summarize(j, "At most %s of a heap of %s were used: it could be smaller",
			  bytes_text(j, (double)most), bytes_text(j, (double)f->heap_max));
	else
		summarize(j, "Up to %s of a heap of %s were used", bytes_text(j, (double)most),
			  bytes_text(j, (double)f->heap_max));
}

const struct rule rule_gc_heap_unused = {
	.info = {
		.id = "gc-heap-unused",
		.question = "Could the heap be smaller?",
		.matters = "Memory that the heap does not need could serve something else.",
		.computes = "Compares the most heap used (jdk.GCHeapSummary) with its largest size, "
			    "in at least 10 collections and 10 minutes. It is never more than a "
			    "note.",
		.advice = "Lower -Xmx if the memory is needed elsewhere",
	},
	.inputs = inputs,
	.judge = judge,
};
