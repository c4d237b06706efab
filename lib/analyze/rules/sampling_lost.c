/* SPDX-License-Identifier: MIT */
/*
 * sampling_lost.c - how many CPU-time samples were lost, failed, or came later than asked for?
 */
#include "analyze/rules.h"

enum { SAMPLE, LOST };
enum { FAILED, PERIOD };
enum { COUNT, THREAD };

/* Of all samples. */
#define FAILED_INFO    0.05
#define FAILED_WARNING 0.20

#define ENOUGH 20

static const struct reads inputs[] = {
	READS("jdk.CPUTimeSample", OCCURS, "failed", "samplingPeriod"),
	READS("jdk.CPUTimeSamplesLost", HELPS, "lostSamples", "eventThread"),
	READS("jdk.ExceptionStatistics", HELPS),
	{ 0 },
};

struct state {
	double taken, failed, lost, period;
	struct groups losers; /* threads: lost */
};

static void take(void *state, const struct event *e)
{
	struct state *s = state;
	double n;

	if (e->input == SAMPLE) {
		s->failed += event_long(e, FAILED) == 1;
		s->taken += event_long(e, FAILED) != 1;
		n = event_number(e, PERIOD);
		s->period += n > 0 ? n : 0;
	} else if (e->input == LOST) {
		n = event_number(e, COUNT);
		if (!(n > 0))
			return;
		s->lost += n;
		groups_add(&s->losers, e, (uint32_t[4]){ event_thread(e, THREAD) }, n, NULL);
	}
}

static void fini(void *state)
{
	groups_fini(&((struct state *)state)->losers);
}

/* "10ms" is a period; "500/s" is a rate for all processors together. */
static double asked_ns(const struct judging *j)
{
	const char *text = type_setting(j, "jdk.CPUTimeSample", SETTING_THROTTLE);
	int64_t ns = text ? setting_ns(text) : -1;

	return ns > 0 ? (double)ns : NAN;
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	double all = s->taken + s->failed + s->lost, lost, failed, mean, asked = asked_ns(j);

	if (all < ENOUGH) {
		too_few(j, "There are %s CPU-time samples; %d are needed", count_text(j, all), ENOUGH);
		return;
	}
	lost = s->lost / all;
	failed = s->failed / all;
	mean = s->taken + s->failed > 0 ? s->period / (s->taken + s->failed) : NAN;
	judge_by(j, lost);
	if (failed >= FAILED_INFO)
		judge_at_least(j, failed >= FAILED_WARNING ? JFREC_SEVERITY_WARNING
							   : JFREC_SEVERITY_INFO);
	summarize(j, "%s of %s CPU-time samples were lost, %s failed %s", percent_text(j, lost),
		  count_text(j, all), percent_text(j, failed), limit_text(j));
	if (asked > 0 && mean > 1.5 * asked) {
		judge_at_least(j, JFREC_SEVERITY_INFO);
		show_note(j, "a sample each %s was asked for; the kernel gives one each %s",
			  span_text(j, asked), span_text(j, mean));
	}
	show_quantity(j, "samples lost", s->lost, JFREC_UNIT_NONE);
	show_quantity(j, "samples that failed", s->failed, JFREC_UNIT_NONE);
	groups_sort(&s->losers);
	for (uint32_t i = 0; i < s->losers.count && i < 3; i++)
		show_thread(j, "lost most", s->losers.list[i].key[0],
			    s->losers.list[i].sum / s->lost);
	show_command(j, "view cpu-time-losses");
}

const struct rule rule_sampling_lost = {
	.info = {
		.id = "sampling-lost",
		.question = "How many CPU-time samples were lost, failed, or came too late?",
		.matters = "Lost samples are missing where threads are in the JVM itself, so a "
			   "profile without them points elsewhere.",
		.computes = "Divides jdk.CPUTimeSamplesLost by all samples, taken, failed and lost. "
			    "From 5 % on that failed it is info, from 20 % a warning; also info if "
			    "the mean period is 1.5 times what was asked for.",
		.measures = "share of samples that were lost",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.10,
		.warning = 0.30,
		.advice = "See whether threads spend their time inside the JVM (exceptions, "
			  "class-loading, gc-pause-share), else ask for a longer period "
			  "(`--set CPUTimeSample#throttle=20ms`)",
		.beware = "Samples are not lost at random: a thread inside the JVM or the recorder "
			  "loses them, so these places look colder than they are.",
		.jdk_from = 25,
	},
	.about = ABOUT_RECORDING,
	.curve = CURVE,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
