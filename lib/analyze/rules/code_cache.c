/* SPDX-License-Identifier: MIT */
/*
 * code_cache.c - did the compiler stop for lack of room?
 */
#include "analyze/rules.h"

static const char *const jmc[] = { "CodeCache", NULL };

enum { FULL, STATISTICS, FAILURE };
enum { HEAP, START, END, FREE, FULL_COUNT };

static const struct reads inputs[] = {
	READS_EITHER(1, "jdk.CodeCacheFull", OCCURS, "codeBlobType", "methodCount"),
	READS_EITHER(1, "jdk.CodeCacheStatistics", PERIODIC, "codeBlobType", "startAddress",
		     "reservedTopAddress", "unallocatedCapacity", "fullCount"),
	READS("jdk.CompilationFailure", HELPS, "failureMessage"),
	READS("jdk.JITRestart", HELPS),
	{ 0 },
};

/* The part for code that is not of a Java method is normally more than half full. */
#define NON_METHODS_FULL 0.9

struct state {
	uint64_t full, failures;
	int64_t first_ns;
	uint32_t heap, fullest;
	double most_used, size; /* of the fullest */
	int64_t full_count;
};

static void take_statistics(struct state *s, const struct event *e)
{
	double size = event_number(e, END) - event_number(e, START), left = event_number(e, FREE),
	       used;
	int64_t full = event_long(e, FULL_COUNT);

	if (full > s->full_count)
		s->full_count = full;
	if (!(size > 0) || isnan(left) ||
	    strcmp(event_text_of(e, event_text(e, HEAP)), "Unused") == 0)
		return;
	used = 1 - left / size;
	/* What the JVM itself has there does not grow with the program. */
	if (used < NON_METHODS_FULL &&
	    strstr(event_text_of(e, event_text(e, HEAP)), "non-nmethods"))
		return;
	if (used > s->most_used) {
		s->most_used = used;
		s->size = size;
		s->fullest = event_text(e, HEAP);
	}
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	switch (e->input) {
	case FULL:
		if (!s->full++ || e->start_ns < s->first_ns) {
			s->first_ns = e->start_ns;
			s->heap = event_text(e, HEAP);
		}
		break;
	case STATISTICS:
		take_statistics(s, e);
		break;
	default:
		s->failures += strstr(event_text_of(e, event_text(e, 0)), "code cache is full") != NULL;
	}
}

/* " (CodeHeap 'non-nmethods')"; nothing where there is one for all code, or its name is unknown. */
static const char *named_heap(struct judging *j, uint32_t heap)
{
	const char *name = text_at(j, heap);

	if (!*name || strcmp(name, "Unused") == 0 || strcmp(name, "CodeCache") == 0)
		return "";
	return textf(j, " (%s)", name);
}

static void judge(void *state, struct judging *j)
{
	const struct state *s = state;

	judge_by(j, s->most_used);
	if (s->full || s->full_count > 0 || s->failures)
		judge_at_least(j, JFREC_SEVERITY_WARNING);
	if (s->full)
		summarize(j, "The code cache%s was full %llu time%s, first at %s: the compiler stopped",
			  named_heap(j, s->heap), (unsigned long long)s->full,
			  plural((double)s->full), time_text(j, s->first_ns));
	else if (s->full_count > 0 || s->failures)
		summarize(j, "The code cache was full before the recording began or while it ran: the "
			     "compiler stopped");
	else if (s->fullest)
		summarize(j, "%s of the code cache %s was in use %s", percent_text(j, s->most_used),
			  text_at(j, s->fullest), limit_text(j));
	else
		summarize(j, "The code cache was never full");
	if (s->fullest) {
		show_quantity(j, textf(j, "size of %s", text_at(j, s->fullest)), s->size,
			      JFREC_UNIT_BYTES);
		show_quantity(j, "of it in use", s->most_used, JFREC_UNIT_PERCENT);
	}
	if (s->failures)
		show_quantity(j, "methods that could not be compiled", (double)s->failures,
			      JFREC_UNIT_NONE);
	show_command(j, "print --events jdk.CodeCacheStatistics,jdk.CodeCacheFull");
}

const struct rule rule_code_cache = {
	.info = {
		.id = "code-cache",
		.jmc = jmc,
		.question = "Did the compiler stop for lack of room?",
		.matters = "Compiled code lies in the code cache. When it is full, the JVM "
			   "stops compiling, and the program gets slower and slower.",
		.computes = "Looks for jdk.CodeCacheFull, for a code cache that was full before "
			    "(jdk.CodeCacheStatistics), and for the share of the fullest code cache "
			    "that is in use.",
		.measures = "share of the fullest code cache that is in use",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.5,
		.warning = 0.8,
		.advice = "Raise -XX:ReservedCodeCacheSize",
		.differs = "JDK Mission Control never looks at the share unless it was full, too.",
	},
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
};
