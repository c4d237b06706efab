/* SPDX-License-Identifier: MIT */
/*
 * stack_depth.h - was it set how deep stack traces are?
 */
#ifndef JFREC_JFR_STACK_DEPTH_H
#define JFREC_JFR_STACK_DEPTH_H

#include <stdbool.h>

/* flags: the reply to VM.flags; configuration: the one to JFR.configure. */
bool stack_depth_is_unset(const char *flags, const char *configuration);

#endif
