/* SPDX-License-Identifier: MIT */
/*
 * heap_too_small.c - is the heap too small for what the program keeps?
 */
#include "analyze/heap.h"
#include "analyze/rules.h"

static const struct reads inputs[] = {
	READS("jdk.GCHeapSummary", OCCURS),
	READS("jdk.GarbageCollection", OCCURS),
	READS("jdk.GCHeapConfiguration", PERIODIC),
	READS("jdk.GCConfiguration", HELPS),
	READS("jdk.GCPhasePause", HELPS),
	READS("jdk.GCCPUTime", HELPS),
	{ 0 },
};

static void show(struct judging *j, const struct heap_state *h)
{
	show_quantity(j, "stays in use after collections", h->live, JFREC_UNIT_BYTES);
	show_quantity(j, "largest heap", (double)j->facts->heap_max, JFREC_UNIT_BYTES);
	show_quantity(j, "time in pauses, in the worst minute", h->pause_share, JFREC_UNIT_PERCENT);
	show_quantity(j, "collections", (double)h->collections, JFREC_UNIT_NONE);
	show_quantity(j, "of these full ones that were not asked for", (double)h->full,
		      JFREC_UNIT_NONE);
	if (h->full_row)
		show_range(j, "more than 90 % in use after collections", h->row_from_ns, h->row_to_ns);
	show_command(j, "view gc");
}

static void judge(void *state, struct judging *j)
{
	struct heap_state h = j->facts->heap_state;
	double max = (double)j->facts->heap_max;

	(void)state;
	if (isnan(h.live_share)) {
		not_for_this_jvm(j, "With the %s collector nothing says what stays in use",
				 collector_name(j) ? collector_name(j) : "unknown");
		return;
	}
	if (!h.is_tight) {
		summarize(j, "%s of %s stay in use after collections", bytes_text(j, h.live),
			  bytes_text(j, max));
		return;
	}
	judge_at_least(j, JFREC_SEVERITY_WARNING);
	if (h.live_share >= 0.5)
		summarize(j, "The heap is too small: %s of %s stay in use", bytes_text(j, h.live),
			  bytes_text(j, max));
	else
		summarize(j, "The heap of %s is too small: %zu of %zu collections were full ones",
			  bytes_text(j, max), h.full, h.collections);
	show(j, &h);
	advise(j, "Raise -Xmx to %s or more, or find out what is kept: `jfrec record --settings "
		  "memory-leak` shows it",
	       bytes_text(j, 2 * fmax(h.live, max / 2)));
}

const struct rule rule_heap_too_small = {
	.info = {
		.id = "heap-too-small",
		.question = "Is the heap too small for what the program keeps?",
		.matters = "If what stays in use nearly fills the heap, collections follow each other, "
			   "each finds little, and each takes longer. All other findings about "
			   "collections may be due to this.",
		.computes = "Takes what is in use after the collections of the second half of the "
			    "recording (the lower quarter of the values), as a share of -Xmx. From "
			    "65 % on it is a warning if collections stop the application for 5 % of "
			    "a minute, the wait for processors that others have left out "
			    "(jdk.GCCPUTime), or if five full ones were made unasked. With the serial and the "
			    "parallel collector so are five full ones that are a fifth of all, and ten collections in a row that leave more "
			    "than 90 % in use.",
		.advice = "Raise -Xmx, or find out what is kept (live-set-growth)",
		.beware = "A program that leaks has too small a heap whatever its size: see "
			  "live-set-growth.",
	},
	.inputs = inputs,
	.judge = judge,
};
