/* SPDX-License-Identifier: MIT */
/*
 * attach.h - the socket at which jfrec and jcmd reach this process, as they reach a JVM
 */
#ifndef JFREC_RECORDER_CONTROL_ATTACH_H
#define JFREC_RECORDER_CONTROL_ATTACH_H

#include "recorder/ground/fail.h"

/* Listen, once in a process. */
int attach_open(struct jfrec_recorder_error *err);

/* The process ends: remove what others find it by. */
void attach_close(void);

/*
 * The same some milliseconds later, which a process of nothing does not see: by another thread that
 * calls attach_open_expected(), or by one of its own, that tells on standard error what fails.
 */
void attach_expect(void);
void attach_open_expected(void);
int attach_open_soon(struct jfrec_recorder_error *err);

#endif
