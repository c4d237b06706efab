/* SPDX-License-Identifier: MIT */
/*
 * commands.h - what is replied to diagnostic commands, in the words of JDK 25
 */
#ifndef JFREC_RECORDER_CONTROL_COMMANDS_H
#define JFREC_RECORDER_CONTROL_COMMANDS_H

#include "recorder/control/request.h"
#include "recorder/ground/bytes.h"

/* Answer a request.  The status: 0, or that of a failure. */
int carry_out_request(const struct request *r, struct bytes *text);

#endif
