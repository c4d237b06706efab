/* SPDX-License-Identifier: MIT */
/* fail.h - fill the error of a caller, or report it where there is none */
#ifndef JFREC_RECORDER_GROUND_FAIL_H
#define JFREC_RECORDER_GROUND_FAIL_H

#include "recorder/jfrec-recorder.h"

/* Set *err, if there is one: errno, or 0, and a sentence.  Always -1. */
int recorder_fail(struct jfrec_recorder_error *err, int sys, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The end of a path, where a message would have room for nothing else. */
const char *fail_tail(const char *path);

/*
 * Report an error on standard error, if JFREC_RECORD has started the recorder: then no program is
 * there that would look at it.  Characters that a terminal obeys become '?'.
 */
void fail_report(const struct jfrec_recorder_error *err);

/* From now on fail_report() reports; until then it is silent. */
void fail_report_from_now(void);

#endif
