/* SPDX-License-Identifier: MIT */
/*
 * commands_jfr.h - the commands of Flight Recorder: JFR.start and the others
 */
#ifndef JFREC_RECORDER_CONTROL_COMMANDS_JFR_H
#define JFREC_RECORDER_CONTROL_COMMANDS_JFR_H

#include "recorder/control/request.h"
#include "recorder/ground/bytes.h"

/* JFR.start and the others; false: there is no such command. */
bool carry_out_jfr_command(const struct command *c, struct bytes *text);
extern const char *const jfr_command_names[];

#endif
