/* SPDX-License-Identifier: MIT */
/*
 * recorder_overhead.c - what does Flight Recorder itself cost here?
 */
#include "analyze/rules.h"

enum { FLUSH, LOAD, OPERATION };
enum { USER, SYSTEM, THREAD };

/* A flush that takes so long waits for its disk. */
#define SLOW_FLUSH_NS INT64_C(1000000000)

/* Of one processor, by the recorder's own threads. */
#define BUSY_RECORDER 0.02
#define BEGINNING_NS INT64_C(10000000000)

/* Looking for the paths to the roots of the garbage collection. */
#define SLOW_PATHS_NS INT64_C(100000000)

static const struct reads inputs[] = {
	READS("jdk.Flush", HELPS, "flushId"),
	READS("jdk.ThreadCPULoad", HELPS, "user", "system", "eventThread"),
	READS("jdk.ExecuteVMOperation", HELPS, "operation"),
	{ 0 },
};

struct state {
	int64_t flush_ns, flush_at_ns, paths_ns, paths_at_ns;
	struct series recorder; /* load of its threads */
};

static void keep_longest(const struct event *e, int64_t *longest, int64_t *at)
{
	if (event_duration(e) > *longest) {
		*longest = event_duration(e);
		*at = e->start_ns;
	}
}

static void take(void *state, const struct event *e)
{
	struct state *s = state;

	if (e->input == FLUSH) {
		keep_longest(e, &s->flush_ns, &s->flush_at_ns);
	} else if (e->input == OPERATION) {
		if (strcmp(event_text_of(e, event_text(e, 0)), "JFROldObject") == 0)
			keep_longest(e, &s->paths_ns, &s->paths_at_ns);
	} else if (strncmp(event_text_of(e, event_text(e, THREAD)), "JFR ", 4) == 0) {
		series_add(&s->recorder, e, e->start_ns,
			   event_number(e, USER) + event_number(e, SYSTEM));
	}
}

static void fini(void *state)
{
	series_fini(&((struct state *)state)->recorder);
}

static void show_types(struct judging *j)
{
	const struct type_fact *most[3];
	size_t n = types_most_frequent(j, most, 3);

	for (size_t i = 0; i < n; i++)
		show_name(j, JFREC_EVIDENCE_SETTING,
			  textf(j, "%s events", count_text(j, (double)most[i]->count)),
			  text_at(j, most[i]->name),
			  (double)most[i]->count / (double)j->facts->events);
}

static void judge(void *state, struct judging *j)
{
	struct state *s = state;
	double rate = (double)j->facts->events * 1e9 / (double)recorded_ns(j);
	double load = s->recorder.count ? series_mean(&s->recorder) * seen_cpus(j) : 0;

	judge_by(j, rate);
	summarize(j, "%s events were recorded a second %s", count_text(j, floor(rate)), limit_text(j));
	if (s->flush_ns >= SLOW_FLUSH_NS) {
		judge_at_least(j, JFREC_SEVERITY_INFO);
		summarize(j, "Writing events out took %s at %s: the disk of the repository is slow",
			  span_text(j, (double)s->flush_ns), time_text(j, s->flush_at_ns));
		advise(j, "Put the repository on another disk: "
			  "-XX:FlightRecorderOptions:repository=DIRECTORY");
	}
	/* Beginning a recording takes some time once. */
	if (load >= BUSY_RECORDER && recorded_ns(j) >= 2 * BEGINNING_NS) {
		if (!is_found(j))
			summarize(j, "The recorder's own threads used %s of a CPU (limit %s)",
				  percent_text(j, load), percent_text(j, BUSY_RECORDER));
		judge_at_least(j, JFREC_SEVERITY_INFO);
		show_quantity(j, "the recorder's own threads, of one CPU", load, JFREC_UNIT_PERCENT);
	}
	if (s->paths_ns >= SLOW_PATHS_NS) {
		judge_at_least(j, JFREC_SEVERITY_INFO);
		summarize(j, "Looking for paths to GC roots stopped the application for %s at %s",
			  span_text(j, (double)s->paths_ns), time_text(j, s->paths_at_ns));
		advise(j, "Record without path-to-gc-roots in production");
	}
	if (!is_found(j))
		return;
	show_types(j);
	show_command(j, "settings cost");
}

const struct rule rule_recorder_overhead = {
	.info = {
		.id = "recorder-overhead",
		.question = "What does Flight Recorder itself cost here?",
		.matters = "Measuring should not change what is measured.",
		.computes = "Divides all events by the time. Also info: a jdk.Flush of a second, "
			    "threads of the recorder with 2 % of a CPU, a stop of 100 ms to look for "
			    "paths to GC roots.",
		.measures = "events a second",
		.unit = JFREC_UNIT_HERTZ,
		.info = 50000,
		.warning = INFINITY,
		.advice = "Raise the threshold of the events that take most, or switch them off: "
			  "`jfrec settings cost RECORDING` names them",
	},
	.about = ABOUT_RECORDING,
	.inputs = inputs,
	.state_size = sizeof(struct state),
	.take = take,
	.judge = judge,
	.fini = fini,
};
