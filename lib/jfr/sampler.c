/* SPDX-License-Identifier: MIT */
/*
 * sampler.c - look for the threads with which a JVM takes samples
 *
 * A JVM starts them when the first recording asks for samples.  Where it cannot, since its process
 * is at its limit of threads, it says so in its log only, and JFR.start succeeds.  They are to be
 * seen from outside, by the first 15 bytes of their names; JDK 28 shortens names in the middle.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock_now.h"
#include "jfr/jfr.h"

/* From here on the JVM gives these threads names of their own. */
#define JDK_THAT_NAMES 17

/* Before the second look: a thread has the name of the one that started it until it runs. */
#define AGAIN_NS (200 * NS_PER_MS)

static const struct {
	const char *event;
	const char *names[3];
} samplers[] = {
	{ "jdk.ExecutionSample", { "JFR Thread Samp", "JFR Sampler Thr", "JFR Sam..Thread" } },
	{ "jdk.NativeMethodSample", { "JFR Thread Samp", "JFR Sampler Thr", "JFR Sam..Thread" } },
	{ "jdk.CPUTimeSample", { "JFR CPU Sampler", "JFR CPU..Thread", NULL } },
};

/* It runs JFR.start, and a second one of that name is a thread that it started there. */
static const char starter[] = "Attach Listener";

static bool has_thread(struct jfrec_session *s, const char *const names[3])
{
	for (size_t i = 0; i < 3 && names[i]; i++) {
		if (session_count_threads(s, names[i]))
			return true;
	}
	return session_count_threads(s, starter) > 1;
}

static bool has_names(struct jfrec_session *s)
{
	struct jfrec_jvm_version v;

	return jfr_version(s, &v, NULL) == 0 && v.jdk >= JDK_THAT_NAMES;
}

static int look(struct jfrec_session *s, const char *const names[3])
{
	static const struct timespec again = { .tv_nsec = AGAIN_NS };

	if (has_thread(s, names))
		return 1;
	/* Where not even that one is to be seen, none is. */
	if (!session_count_threads(s, starter) || !has_names(s))
		return -1;
	nanosleep(&again, NULL);
	return has_thread(s, names);
}

int jfrec_jfr_has_sampler(struct jfrec_session *s, const char *event)
{
	for (size_t i = 0; i < sizeof(samplers) / sizeof(*samplers); i++) {
		if (strcmp(samplers[i].event, event) == 0)
			return look(s, samplers[i].names);
	}
	return 1;
}
