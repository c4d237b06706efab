/* SPDX-License-Identifier: MIT */
/*
 * environment.h - start the recorder as the variable JFREC_RECORD asks for
 */
#ifndef JFREC_RECORDER_CONTROL_ENVIRONMENT_H
#define JFREC_RECORDER_CONTROL_ENVIRONMENT_H

#include "recorder/ground/fail.h"

/*
 * When the program starts: if the variable is set.  A mistake in it is reported on standard error.
 */
void environment_start(void);

/* Start the recorder with options as text: "filename=/tmp/a.jfr,maxage=1h,app.Query#threshold=10ms". */
int environment_apply(const char *text, struct jfrec_recorder_error *err);

/* The same in a child of fork(): paths are in this directory, and its file has its own name. */
int environment_apply_in_child(const char *text, const char *directory,
			       struct jfrec_recorder_error *err);

#endif
