/* SPDX-License-Identifier: MIT */
/*
 * readings.h - what periodic events read off several counters at once
 *
 * Counters go on counting over the life of a JVM or of a control group: only the difference of two
 * neighbours says something, and a counter that fell was restarted.
 */
#ifndef JFREC_ANALYZE_READINGS_H
#define JFREC_ANALYZE_READINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;

#define READING_COLUMNS 3

struct reading {
	int64_t at_ns;
	int64_t value[READING_COLUMNS]; /* NO_NUMBER: the event has no such field */
};

struct readings {
	struct reading *list;
	size_t count, room;
	uint64_t beyond; /* not kept */
};

/* At most so many are kept. */
#define MAX_READINGS 500000

/* Note the event's first three fields, at its start. */
void readings_add(struct readings *r, const struct event *e);
void readings_sort(struct readings *r); /* by time */
void readings_fini(struct readings *r);

/* Of sorted readings: how much a counter rose in all; what it fell is left out. */
int64_t readings_rise(const struct readings *r, unsigned column);

/* Of two neighbours: false if the counter fell, or one of them does not have it. */
bool reading_rise(const struct reading *before, const struct reading *after, unsigned column,
		  int64_t *rise);

/* The reading with the greatest value; NULL: there are none. */
const struct reading *readings_most(const struct readings *r, unsigned column);

#endif
