/* SPDX-License-Identifier: MIT */
/*
 * answer.h - what is replied to diagnostic commands, in the words of JDK 25
 */
#ifndef JFREC_RECORDER_CONTROL_ANSWER_H
#define JFREC_RECORDER_CONTROL_ANSWER_H

#include "recorder/control/request.h"
#include "recorder/ground/bytes.h"

/* Add formatted text. */
void answer_add(struct bytes *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Answer a request.  The status: 0, or that of a failure. */
int answer_request(const struct request *r, struct bytes *text);

/* JFR.start and the others; false: there is no such command. */
bool answer_jfr(const struct command *c, struct bytes *text);
extern const char *const answer_jfr_names[];

#endif
