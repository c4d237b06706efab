/* SPDX-License-Identifier: MIT */
/*
 * gc_frequency.c - is the heap, or the young generation, so small that collections never rest?
 */
#include "analyze/rules.h"

#define WINDOW_NS INT64_C(10000000000)

static const struct reads inputs[] = {
	READS("jdk.GarbageCollection", OCCURS),
	{ 0 },
};

struct busiest {
	size_t count;
	int64_t from_ns, to_ns;
};

/* Collections are sorted by their starts. */
static struct busiest busiest_window(const struct facts *f, int64_t width)
{
	struct busiest b = { 0 };

	for (size_t first = 0, last = 0; last < f->collection_count; last++) {
		while (f->collections[last].start_ns - f->collections[first].start_ns >= width)
			first++;
		if (last - first + 1 > b.count) {
			b.count = last - first + 1;
			b.from_ns = f->collections[first].start_ns;
			b.to_ns = f->collections[last].end_ns;
		}
	}
	return b;
}

static void judge(void *state, struct judging *j)
{
	const struct facts *f = j->facts;
	int64_t width = window_ns(j, WINDOW_NS);
	struct busiest busy = busiest_window(f, width);
	double rate = busy.count / ((double)width / 1e9);

	(void)state;
	if (recorded_ns(j) < WINDOW_NS / 2) {
		too_few(j, "Only %s were recorded; 5 s are needed", span_text(j, (double)recorded_ns(j)));
		return;
	}
	judge_by(j, rate);
	if (busy.count <= 0) {
		summarize(j, "There was no collection");
	} else {
		summarize(j, "%s collections a second at most, in %s from %s %s",
			  count_text(j, rate), span_text(j, (double)width),
			  time_text(j, busy.from_ns), limit_text(j));
		show_range(j, "most collections", busy.from_ns, busy.to_ns);
	}
	show_command(j, "view gc");
}

const struct rule rule_gc_frequency = {
	.info = {
		.id = "gc-frequency",
		.question = "Is the heap so small that collections never rest?",
		.matters = "Each collection has a fixed cost. Ten and more a second mean that "
			   "the heap, or its young part, is too small; after that comes the "
			   "OutOfMemoryError.",
		.computes = "Takes the 10 s with most jdk.GarbageCollection events. What is nearly full "
			    "is left to heap-too-small.",
		.measures = "collections per second in 10 s",
		.unit = JFREC_UNIT_HERTZ,
		.info = 10,
		.warning = INFINITY,
		.advice = "Make the young generation larger (drop -Xmn or -XX:NewSize, raise -Xmx), or "
			  "allocate less: allocation-site",
	},
	.about = ABOUT_SYMPTOM,
	.inputs = inputs,
	.judge = judge,
};
