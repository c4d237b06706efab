/* SPDX-License-Identifier: MIT */
/*
 * taking.h - the functions of the steps
 *
 * Each returns an exit code, after saying on standard error what failed; EXIT_NOTHING if there is
 * nothing to take, after saying why.
 */
#ifndef JFREC_CLI_SNAPSHOT_TAKING_H
#define JFREC_CLI_SNAPSHOT_TAKING_H

#include "snapshot/perform.h"
#include "snapshot/steps.h"

/* outside_steps.c: texts that the host shows */
int take_outside(const struct step_call *c);
int take_counters(const struct step_call *c);
int take_gc_log(const struct step_call *c);
int take_crash_log(const struct step_call *c);

/* asked_steps.c: replies of the JVM */
int take_reply(const struct step_call *c);
int take_native_memory(const struct step_call *c);
int take_heap_dump(const struct step_call *c);

/* recording_steps.c: what other commands make */
int take_repository(const struct step_call *c);
int take_recording(const struct step_call *c);
int take_report(const struct step_call *c);

/* The most that a text may have, since it is in memory: a dump of 20,000 threads has 50 MB. */
#define MOST_OF_TEXT (UINT64_C(64) << 20)

/* A jfrec_write_fn whose ctx is a struct text_to. */
struct text_to {
	int fd;
	uint64_t len;
};
int text_write(void *to, const void *data, size_t len);

/* Say what failed.  Returns its exit code. */
int step_fail(const struct jfrec_error *err);

#endif
