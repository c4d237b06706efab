/* SPDX-License-Identifier: MIT */
/*
 * weight_text.h - weights for people: "24.9 s", "30.7 GB", "1,243"
 */
#ifndef JFREC_STACKS_WEIGHT_TEXT_H
#define JFREC_STACKS_WEIGHT_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "stacks/sources.h"

#define WEIGHT_TEXT_MAX 32

/* Three digits or more, in the largest unit that has one before its point. Returns `to`. */
const char *weight_text(char to[static WEIGHT_TEXT_MAX], enum profile_unit unit, int64_t weight);

/* "12.3 %", of what is not 0; "0.0 %" else. */
const char *share_text(char to[static WEIGHT_TEXT_MAX], int64_t part, int64_t of);

#endif
