/* SPDX-License-Identifier: MIT */
/*
 * samples.c - what the rules on the profile itself share
 */
#include "analyze/samples.h"

enum { STACK, PERIOD, FAILED };

void samples_take(struct samples *s, const struct event *e)
{
	double weight = 1;

	if (e->input >= SAMPLE_KINDS)
		return;
	if (e->input == OTHERS_SAMPLE)
		weight = event_samples(e);
	if (e->input == CPU_TIME_SAMPLE) {
		if (event_long(e, FAILED) == 1)
			return;
		weight = event_number(e, PERIOD);
	}
	groups_add(&s->by[e->input], e, (uint32_t[4]){ event_stack(e, STACK) },
		   weight > 0 ? weight : 1, NULL);
}

void samples_fini(struct samples *s)
{
	for (unsigned i = 0; i < SAMPLE_KINDS; i++)
		groups_fini(&s->by[i]);
}

struct groups *samples_best(struct samples *s)
{
	struct groups *best = &s->by[s->by[CPU_TIME_SAMPLE].count	 ? CPU_TIME_SAMPLE
				     : s->by[EXECUTION_SAMPLE].count ? EXECUTION_SAMPLE
								     : OTHERS_SAMPLE];

	groups_sort(best);
	return best;
}

bool is_jvm_thread(const char *name)
{
	static const char *const prefixes[] = { "C1 CompilerThread", "C2 CompilerThread", "JFR ",
						"GC Thread", "G1 ", "VM ",
						/* What main becomes: its CPU time is main's. */
						"DestroyJavaVM" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	}
	return false;
}

bool is_foreign_sampler(struct judging *j)
{
	bool is_own = type_count(j, "jdk.ExecutionSample") || type_count(j, "jdk.CPUTimeSample") ||
		      !other_met(j, "jdk.ExecutionSample");

	if (!j->facts->is_async_profiler && j->facts->is_hotspot && is_own)
		return false;
	not_for_this_jvm(j, "The samples do not come from HotSpot's own sampler");
	return true;
}
