/* SPDX-License-Identifier: MIT */
/*
 * times.h - format the timestamps and durations of events
 *
 * Every event has one or two, so all but the text is inline.
 */
#ifndef JFREC_PRINT_TIMES_H
#define JFREC_PRINT_TIMES_H

#include "print/render.h"

/* The number of a @Timespan or @Timestamp, without its sign if it has none. */
static inline int64_t timespan_slot(const struct op *op, uint64_t slot)
{
	if (!op->field->is_unsigned)
		return (int64_t)slot;
	/* The JDK widens an unsigned byte to a signed short first. */
	return op->wire == WIRE_BYTE ? (uint16_t)slot : (int64_t)unsigned_slot(op, slot);
}

/* That number in seconds and nanoseconds. */
static inline struct timespan slot_timespan(const struct render *r, const struct op *op, int64_t v)
{
	switch ((enum time_unit)op->field->timespan) {
	case TIME_TICKS:
		return timespan_from_ns(clock_span_ns(&r->current->chunk->clock, v));
	case TIME_MICROSECONDS: /* wraps in the JDK, too */
		return timespan_from_ns((int64_t)((uint64_t)v * 1000));
	case TIME_MILLISECONDS:
		return timespan_from_ms(v);
	case TIME_SECONDS:
		return (struct timespan){ .seconds = v };
	default:
		return timespan_from_ns(v);
	}
}

static inline struct timespan slot_timestamp(const struct render *r, const struct op *op, int64_t v)
{
	if (op->field->timestamp == TIME_TICKS)
		return timespan_from_ns(clock_time_ns(&r->current->chunk->clock, v));
	if (op->field->timestamp == TIME_MILLISECONDS)
		return timespan_from_ms(v);
	return timespan_from_ns(v);
}

/* Seconds that local time of the caller's zone is ahead of UTC then. */
int32_t zone_offset_at(struct render *r, int64_t seconds);

/* The same where times are shown: in the caller's zone, or else the recording's. */
static inline int32_t utc_offset_at(struct render *r, struct timespan t)
{
	return r->zone ? zone_offset_at(r, t.seconds) : r->current->chunk->info.utc_offset_s;
}

/* The sentinels of long fields. */
static inline bool is_no_time(const struct op *op, int64_t v)
{
	return op->wire == WIRE_LONG && v == INT64_MIN;
}

static inline bool is_forever(const struct op *op, int64_t v)
{
	return op->wire == WIRE_LONG && v == INT64_MAX;
}

/*
 * The formats of our own: nine decimals, and nanoseconds that do not wrap. They
 * return `at` where the value is none.
 */
char *put_full_timestamp_slot(struct render *r, char *at, const struct op *op, uint64_t slot);
char *put_ns_timespan_slot(struct render *r, char *at, const struct op *op, uint64_t slot);

/* Duration.toString() and OffsetDateTime.toString() of a slot, sentinels included. */
char *put_iso_timespan_slot(struct render *r, char *at, const struct op *op, uint64_t slot);
char *put_iso_timestamp_slot(struct render *r, char *at, const struct op *op, uint64_t slot);

#endif
