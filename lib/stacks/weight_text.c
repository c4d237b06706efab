/* SPDX-License-Identifier: MIT */
/*
 * weight_text.c - weights for people: "24.9 s", "30.7 GiB", "1,243"
 */
#include "stacks/weight_text.h"

const char *weight_text(char to[static HUMAN_MAX], enum profile_unit unit, int64_t weight)
{
	if (unit == UNIT_NS)
		return human_span(to, (double)weight);
	if (unit == UNIT_BYTES)
		return human_bytes(to, (double)weight);
	return human_count(to, weight);
}
