/* SPDX-License-Identifier: MIT */
/*
 * amounts.h - sizes and durations, as people write them: 250m, 10 ms
 */
#ifndef JFREC_RECORDER_GROUND_AMOUNTS_H
#define JFREC_RECORDER_GROUND_AMOUNTS_H

#include <stdbool.h>
#include <stdint.h>

/* "20s", "10 ms", "1.5h", "0"; false: it is something else. */
bool amount_parse_time(const char *text, uint64_t *ns);

/* "250m", "1g", "4096". */
bool amount_parse_size(const char *text, uint64_t *bytes);

#endif
