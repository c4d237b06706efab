/* SPDX-License-Identifier: MIT */
/*
 * answer.h - what is replied to diagnostic commands, in the words of JDK 25
 */
#ifndef JFREC_RECORDER_CONTROL_ANSWER_H
#define JFREC_RECORDER_CONTROL_ANSWER_H

#include "recorder/control/request.h"
#include "recorder/ground/bytes.h"

/* Answer a request.  The status: 0, or that of a failure. */
int answer_request(const struct request *r, struct bytes *text);

#endif
