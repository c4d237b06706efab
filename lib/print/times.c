/* SPDX-License-Identifier: MIT */
/*
 * times.c - format the timestamps and durations of events
 */
#include "print/times.h"

#include "base/number.h"

int32_t zone_offset_at(struct render *r, int64_t seconds)
{
	/* Zones change their offset at full quarters of an hour only. */
	int64_t quarter = seconds / 900 - (seconds % 900 < 0);

	if (quarter != r->zone_quarter) {
		render_lock(r);
		r->zone_offset_s = r->zone(r->zone_ctx, quarter * 900);
		render_unlock(r);
		r->zone_quarter = quarter;
	}
	return r->zone_offset_s;
}

char *put_iso_timespan_slot(struct render *r, char *at, const struct op *op, uint64_t slot)
{
	int64_t v = timespan_slot(op, slot);

	if (is_no_time(op, v))
		return put_iso_span(at, (struct timespan){ .seconds = INT64_MIN });
	if (is_forever(op, v))
		return put_iso_span(at, (struct timespan){ INT64_MAX, 999999999 });
	return put_iso_span(at, slot_timespan(r, op, v));
}

char *put_iso_timestamp_slot(struct render *r, char *at, const struct op *op, uint64_t slot)
{
	static const char min[] = "-999999999-01-01T00:00+18:00"; /* OffsetDateTime.MIN */
	int64_t v = timespan_slot(op, slot);
	struct timespan t;

	if (is_no_time(op, v))
		return (char *)memcpy(at, min, sizeof(min) - 1) + sizeof(min) - 1;
	t = slot_timestamp(r, op, v);
	return put_iso_time(at, &r->second, t, utc_offset_at(r, t));
}

char *put_full_timestamp_slot(struct render *r, char *at, const struct op *op, uint64_t slot)
{
	int64_t v = timespan_slot(op, slot);
	struct timespan t;

	if (is_no_time(op, v))
		return at;
	t = slot_timestamp(r, op, v);
	return put_full_time(at, &r->second, t, utc_offset_at(r, t));
}

char *put_ns_timespan_slot(struct render *r, char *at, const struct op *op, uint64_t slot)
{
	int64_t v = timespan_slot(op, slot);

	if (is_no_time(op, v))
		return at;
	if (is_forever(op, v))
		return put_i64(at, v);
	switch ((enum time_unit)op->field->timespan) {
	case TIME_TICKS:
		return put_i64(at, clock_span_ns(&r->current->chunk->clock, v));
	case TIME_MICROSECONDS:
		return put_span_in_ns(at, timespan_from_us(v));
	case TIME_MILLISECONDS:
	case TIME_SECONDS:
		return put_span_in_ns(at, slot_timespan(r, op, v));
	default:
		return put_i64(at, v);
	}
}
