/* SPDX-License-Identifier: MIT */
/*
 * samples.h - what the rules on the profile itself share: samples by stack, threads that are not
 * the application's
 */
#ifndef JFREC_ANALYZE_SAMPLES_H
#define JFREC_ANALYZE_SAMPLES_H

#include "analyze/rule.h"

/* The first inputs of a rule that reads samples. */
enum { EXECUTION_SAMPLE, CPU_TIME_SAMPLE, OTHERS_SAMPLE, SAMPLE_KINDS };

#define SAMPLE_INPUTS                                                             \
	READS_EITHER(1, "jdk.ExecutionSample", OCCURS, "stackTrace"),        \
	READS_EITHER(1, "jdk.CPUTimeSample", OCCURS, "stackTrace", "samplingPeriod", "failed"), \
	READS_OTHERS_EITHER(1, "jdk.ExecutionSample", OCCURS, "stackTrace")

/*
 * Samples by stack, those of each event type apart: they are never added up. The weight of
 * jdk.CPUTimeSample is its period; others' say how many they stand for.
 */
struct samples {
	struct groups by[SAMPLE_KINDS];
};

void samples_take(struct samples *s, const struct event *e);
void samples_fini(struct samples *s);

/* Those to judge by: of CPU time, if there are some; else the JVM's; else others'. By weight. */
struct groups *samples_best(struct samples *s);

/* Threads of the JVM itself, such as "C2 CompilerThread0". */
bool is_jvm_thread(const char *name);

/* Not HotSpot's own sampler: async-profiler writes the same events, and others their own. */
bool is_foreign_sampler(struct judging *j);

#endif
