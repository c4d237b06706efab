/* SPDX-License-Identifier: MIT */
/*
 * values.h - values of options that are numbers, sizes and durations
 */
#ifndef JFREC_CLI_BASE_VALUES_H
#define JFREC_CLI_BASE_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* Parse a number.  False if it is not one, or is 0. */
bool parse_count(const char *text, uint64_t *value);

#endif
