/* SPDX-License-Identifier: MIT */
/*
 * weight_text.h - weights for people: "24.9 s", "30.7 GiB", "1,243"
 */
#ifndef JFREC_STACKS_WEIGHT_TEXT_H
#define JFREC_STACKS_WEIGHT_TEXT_H

#include <stdint.h>

#include "base/human.h"
#include "stacks/sources.h"

/* In the largest unit that has a digit before its point. Returns `to`. */
const char *weight_text(char to[static HUMAN_MAX], enum profile_unit unit, int64_t weight);

#endif
