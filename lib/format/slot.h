/* SPDX-License-Identifier: MIT */
/*
 * slot.h - the decoded form of values: what the numbers in slots mean
 */
#ifndef JFREC_FORMAT_SLOT_H
#define JFREC_FORMAT_SLOT_H

#include <string.h>

#include "format/clock.h"
#include "format/metadata.h"

static inline int64_t scaled(int64_t v, int64_t ns)
{
	int64_t product;

	if (v == INT64_MIN || v == INT64_MAX)
		return v;
	if (__builtin_mul_overflow(v, ns, &product))
		return v < 0 ? INT64_MIN : INT64_MAX;
	return product;
}

static inline int64_t in_ns(int64_t v, enum time_unit unit)
{
	switch (unit) {
	case TIME_MICROSECONDS:
		return scaled(v, 1000);
	case TIME_MILLISECONDS:
		return scaled(v, 1000000);
	case TIME_SECONDS:
		return scaled(v, 1000000000);
	default:
		return v;
	}
}

/* The number in a slot, widened without its sign. */
static inline uint64_t without_sign(uint64_t slot, enum wire wire)
{
	switch (wire) {
	case WIRE_BYTE:
		return (uint8_t)slot;
	case WIRE_SHORT:
		return (uint16_t)slot;
	case WIRE_INT:
		return (uint32_t)slot;
	default:
		return slot;
	}
}

/* A number as its field has it. */
static inline int64_t slot_number(const struct jfrec_field *f, enum wire wire, uint64_t slot)
{
	return (int64_t)(f && f->is_unsigned ? without_sign(slot, wire) : slot);
}

/* Those of WIRE_FLOAT and WIRE_DOUBLE are bits. */
static inline float slot_float(uint64_t slot)
{
	uint32_t bits = (uint32_t)slot;
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static inline double slot_double(uint64_t slot)
{
	double d;

	memcpy(&d, &slot, sizeof(d));
	return d;
}

/* A @Timespan in ns; INT64_MIN and _MAX mean none and forever, whatever the unit is. */
static inline int64_t span_in_ns(const struct jfrec_field *f, const struct clock *clock, int64_t n)
{
	if (f->timespan == TIME_TICKS && n != INT64_MIN && n != INT64_MAX)
		return clock_span_ns(clock, n);
	return in_ns(n, f->timespan);
}

/* A @Timestamp in ns since 1970. */
static inline int64_t time_in_ns(const struct jfrec_field *f, const struct clock *clock, int64_t n)
{
	return f->timestamp == TIME_TICKS ? clock_time_ns(clock, n) : in_ns(n, f->timestamp);
}

#endif
