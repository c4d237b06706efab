/* SPDX-License-Identifier: MIT */
/*
 * samples.c - what the rules on the profile itself share
 */
#include "analyze/samples.h"

enum { STACK, PERIOD, FAILED };

void samples_take(struct samples *s, const struct event *e)
{
	double weight = 1;

	if (e->input > CPU_TIME_SAMPLE)
		return;
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
	groups_fini(&s->by[EXECUTION_SAMPLE]);
	groups_fini(&s->by[CPU_TIME_SAMPLE]);
}

struct groups *samples_best(struct samples *s)
{
	struct groups *best =
		&s->by[s->by[CPU_TIME_SAMPLE].count ? CPU_TIME_SAMPLE : EXECUTION_SAMPLE];

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
	if (!j->facts->is_async_profiler && j->facts->is_hotspot)
		return false;
	not_for_this_jvm(j, "The samples are not of HotSpot's own sampler");
	return true;
}
