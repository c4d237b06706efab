/* SPDX-License-Identifier: MIT */
/*
 * amount.h - parse whole numbers and sizes
 */
#ifndef JFREC_BASE_AMOUNT_H
#define JFREC_BASE_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

/* Digits without a sign; *end is what follows.  False: there are none, or too many. */
bool parse_whole(const char *text, const char **end, int64_t *value);

/* "500m", "2GB", "2GiB", "17".  units: letters that are allowed, the first is 1024: "kmg". */
bool parse_bytes(const char *text, const char *units, int64_t *bytes);

#endif
