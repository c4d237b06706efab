/* SPDX-License-Identifier: MIT */
/*
 * follow.h - children of fork() get a recorder of their own
 */
#ifndef JFREC_RECORDER_CONTROL_FOLLOW_H
#define JFREC_RECORDER_CONTROL_FOLLOW_H

#include "recorder/jfrec-recorder.h"

/*
 * Start the recorder of a child; text: what JFREC_RECORD says; directory: where the program began.
 */
typedef int follow_start_fn(const char *text, const char *directory,
			    struct jfrec_recorder_error *err);

/* From now on each child starts with this text, by this function. */
void follow_forks(const char *text, follow_start_fn *start);

/* The process ends: a child that has emitted something, but not begun, begins. */
void follow_finish(void);

#endif
