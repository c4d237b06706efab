/* SPDX-License-Identifier: MIT */
/*
 * classify.h - what a thread was doing, by the frames of its stack
 */
#ifndef JFREC_STACKS_CLASSIFY_H
#define JFREC_STACKS_CLASSIFY_H

#include "stacks/traces.h"

/* The frame of its category, "[gc]"; FRAME_NONE when memory is gone. */
uint32_t classify(struct traces *t, const struct trace *trace);

#endif
