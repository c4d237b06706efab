/* SPDX-License-Identifier: MIT */
/*
 * answer_jfr.h - the commands of Flight Recorder: JFR.start and the others
 */
#ifndef JFREC_RECORDER_CONTROL_ANSWER_JFR_H
#define JFREC_RECORDER_CONTROL_ANSWER_JFR_H

#include "recorder/control/request.h"
#include "recorder/ground/bytes.h"

/* JFR.start and the others; false: there is no such command. */
bool answer_jfr(const struct command *c, struct bytes *text);
extern const char *const answer_jfr_names[];

#endif
