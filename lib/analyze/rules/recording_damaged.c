/* SPDX-License-Identifier: MIT */
/*
 * recording_damaged.c - is all there of what was recorded?
 */
#include "analyze/rules.h"
#include "read/chunk_overlaps.h"

/* Chunks follow each other at once; a longer time between them was not recorded. */
#define GAP_NS INT64_C(1000000000)

struct holes {
	size_t gaps, overlaps;
	int64_t gap_ns, longest_ns, from_ns, to_ns;
};

/*
 * Chunks are sorted by their starts. Those of a profiler and of the JVM, in one file, are of the
 * same time by design.
 */
static struct holes find_holes(const struct facts *f)
{
	struct holes h = { 0 };
	struct chunk_overlaps o = { 0 };
	int64_t end = f->chunk_count ? f->chunks[0].end_ns : 0;

	for (size_t i = 0; i < f->chunk_count; i++) {
		const struct chunk_fact *c = &f->chunks[i];
		int64_t gap = c->start_ns - end;

		chunk_overlaps_add_of(&o, !c->is_of_profiler, c->start_ns, c->end_ns);
		if (i && gap > GAP_NS) {
			h.gaps++;
			h.gap_ns += gap;
			if (gap > h.longest_ns) {
				h.longest_ns = gap;
				h.from_ns = end;
				h.to_ns = c->start_ns;
			}
		}
		end = c->end_ns > end ? c->end_ns : end;
	}
	h.overlaps = o.count;
	return h;
}

static void tell_jumps(struct judging *j, const struct overlaps *o)
{
	judge_at_least(j, JFREC_SEVERITY_INFO);
	summarize(j, "The clock jumped: %llu waits overlap others of the same thread, by up to %s, which "
		     "cannot be",
		  (unsigned long long)o->count, span_text(j, (double)o->longest_ns));
	show_range(j, "longest overlap", o->from_ns, o->to_ns);
	advise(j, "Believe no duration of this recording, least of all the longest ones; look at the "
		  "machine's clock source and, in a virtual machine, at whether it is stopped or moved");
}

static void judge(void *state, struct judging *j)
{
	struct holes h = find_holes(j->facts);
	uint64_t damage = damaged_places(j);

	(void)state;
	if (damage) {
		judge_at_least(j, JFREC_SEVERITY_WARNING);
		/*
		 * The reader tells of all damaged checkpoints of a chunk at once: places are not
		 * counted.
		 */
		summarize(j, "The recording is damaged: parts of it could not be read");
		show_command(j, "summary");
	} else if (h.overlaps) {
		judge_at_least(j, JFREC_SEVERITY_INFO);
		summarize(j, "%zu chunk%s begin%s before the one before it ends: the clock was set "
			     "back, or recordings were mixed",
			  h.overlaps, plural((double)h.overlaps), h.overlaps == 1 ? "s" : "");
	} else if (clock_jumped(&j->facts->overlaps)) {
		tell_jumps(j, &j->facts->overlaps);
	} else if (h.gaps) {
		judge_at_least(j, JFREC_SEVERITY_INFO);
		summarize(j, "%s between chunks were not recorded, the longest gap is %s from %s on",
			  span_text(j, (double)h.gap_ns), span_text(j, (double)h.longest_ns),
			  time_text(j, h.from_ns));
		advise(j, "Rates are of the whole time: look at each part with --from and --to");
	} else {
		summarize(j, "The recording is whole");
		return;
	}
	if (h.gaps)
		show_range(j, "longest gap", h.from_ns, h.to_ns);
}

const struct rule rule_recording_damaged = {
	.info = {
		.id = "recording-damaged",
		.question = "Is all there of what was recorded?",
		.matters = "What is missing from a recording is missing from all findings.",
		.computes = "Looks for damage that the reader met, for chunks that begin before the "
			    "one before ends, for more than a second between chunks, and for waits "
			    "of one thread for files, sockets or in sleep that overlap: three show "
			    "that the clock jumped.",
		.advice = "`jfrec repair RECORDING -o repaired.jfr` writes what can be read; what is "
			  "lost is missing in all other findings",
	},
	.about = ABOUT_RECORDING,
	.is_doubt = true,
	.judge = judge,
};
