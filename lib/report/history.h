/* SPDX-License-Identifier: MIT */
/*
 * history.h - a value over time, in bounded memory, of which no extreme is lost
 *
 * Time is cut into slots, 1 ms wide at first. Where there would be too many, neighbours are joined
 * and slots become twice as wide: a slot keeps the lowest and the highest value that it saw, so
 * whatever is drawn from it has the spike of one millisecond in a day. Events may come in any
 * order.  Slots lie in pages, which are there where something was: most values come once a second.
 */
#ifndef JFREC_REPORT_HISTORY_H
#define JFREC_REPORT_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A day has slots of 4 s. */
#define HISTORY_SLOTS 32768u
#define HISTORY_PAGE  32

enum history_kind {
	HISTORY_GAUGE,	/* a value that holds until the next one */
	HISTORY_EVENTS,	/* a value of its own for each event, such as the length of a pause */
	HISTORY_RATE,	/* an amount that is added up, by time */
	HISTORY_COUNTER, /* the same, told as what it is in all so far */
};

/* Of HISTORY_RATE low and high are not used. */
struct slot {
	double sum;
	union {
		/* of rates: added to this slot and all that follow, see history_spread() */
		double step;
		struct {
			float first, last; /* of values, as they came */
		};
	};
	double low, high;
	uint32_t count;
};

/* All zero is an empty one. */
struct history {
	struct slot **pages; /* of HISTORY_PAGE slots; NULL: all are zero */
	size_t page_count;
	int64_t base; /* the first slot of the first page */
	int64_t first; /* in slots since 1970 */
	size_t count;
	unsigned width; /* 1 ms, doubled so many times */
	uint64_t events;
	double low, high, sum;
	int64_t low_ns, high_ns; /* when it had these */
	bool has_steps, has_failed; /* memory is gone */
};

/* A value at a time. NAN is none. */
void history_note(struct history *s, int64_t at_ns, double value);

/* An amount that came about evenly from one time to the other. */
void history_spread(struct history *s, int64_t from_ns, int64_t to_ns, double amount);

/* What a column of a picture shows of a span of time. */
struct history_column {
	double low, high; /* of a rate per second */
	double first, last; /* of values: how a line comes in, and leaves */
	double sum;	  /* of amounts */
	bool has_value;
};

/* A span of time, and which values are shown in it: at its ends also those a little outside. */
struct history_span {
	int64_t from_ns, to_ns;
	int64_t first_ns, last_ns; /* INT64_MIN, INT64_MAX: all */
};

/*
 * Cut a span of time into columns. Rates are those of at least `window_ns`, so that an event that
 * took no time has one. False when memory is gone; columns without a value have has_value unset.
 */
bool history_columns(struct history *s, enum history_kind kind, const struct history_span *span,
		    int64_t window_ns, struct history_column *columns, size_t count);

void history_fini(struct history *s);

#endif
