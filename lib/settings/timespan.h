/* SPDX-License-Identifier: MIT */
/*
 * timespan.h - parse and format durations in settings, such as "20 ms"
 */
#ifndef JFREC_SETTINGS_TIMESPAN_H
#define JFREC_SETTINGS_TIMESPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum timespan_state {
	TIMESPAN_OK,
	TIMESPAN_NO_UNIT, /* a number and nothing more */
	TIMESPAN_WRONG,
};

/* "9223372036854775807 ms" */
#define TIMESPAN_MAX 32

/*
 * Read one as the JDK's tool does, and write it as it does: "020ms" is "20 ms".
 * text: TIMESPAN_MAX bytes, set if the state is TIMESPAN_OK; ns: saturating; may be NULL.
 */
enum timespan_state timespan_parse(const char *value, char *text, int64_t *ns);

#endif
