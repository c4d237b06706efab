/* SPDX-License-Identifier: MIT */
/*
 * value.h - what is in a cell: of an event's field, of a group, of a table
 *
 * Values are small and copied.  What is larger (texts, threads, stack traces)
 * is an object, which lies in the arena of the partial result or of the table
 * that the value belongs to (objects.h).
 */
#ifndef JFREC_QUERY_VALUE_H
#define JFREC_QUERY_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/timetext.h"
#include "format/clock.h"
#include "format/metadata.h"

enum value_kind {
	VALUE_UNSET, /* zeroed memory: not computed yet; else as null */
	VALUE_NULL,
	VALUE_BOOLEAN,
	VALUE_CHAR,
	VALUE_BYTE,
	VALUE_SHORT,
	VALUE_INT,
	VALUE_LONG,
	VALUE_FLOAT,
	VALUE_DOUBLE,
	VALUE_SPAN, /* seconds and nanos, as java.time.Duration */
	VALUE_TIME, /* the same, as java.time.Instant */
	VALUE_OBJECT,
	VALUE_LIST, /* of LIST and SET */
};

struct object;

struct value {
	uint8_t kind;	   /* enum value_kind */
	bool is_recorded;  /* a VALUE_SPAN or _TIME from an event: its sentinels count */
	int32_t nanos;	   /* of VALUE_SPAN and VALUE_TIME */
	union {
		int64_t i;	/* whole numbers, booleans, UTF-16 units, seconds */
		double d;	/* VALUE_FLOAT, VALUE_DOUBLE */
		const struct object *object;
		const struct value_list *list;
	};
};

/* Values in an order. */
struct value_list {
	size_t count;
	const struct value *items;
};

/* Duration and Instant of a field whose number is Long.MIN_VALUE; a Duration of its maximum. */
#define SPAN_MIN_SECONDS     INT64_MIN
#define SPAN_FOREVER_SECONDS INT64_MAX
#define TIME_MIN_SECONDS     INT64_C(-31557014167219200)

static inline struct value value_null(void)
{
	return (struct value){ .kind = VALUE_NULL };
}

static inline bool value_is_null(const struct value *v)
{
	return v->kind <= VALUE_NULL;
}

static inline struct value value_of_long(int64_t i)
{
	return (struct value){ .kind = VALUE_LONG, .i = i };
}

static inline struct value value_of_double(double d)
{
	return (struct value){ .kind = VALUE_DOUBLE, .d = d };
}

static inline struct value value_of_object(const struct object *o)
{
	return o ? (struct value){ .kind = VALUE_OBJECT, .object = o } : value_null();
}

static inline struct value value_of_span(struct timespan t)
{
	return (struct value){ .kind = VALUE_SPAN, .i = t.seconds, .nanos = t.nanos };
}

static inline bool value_is_integral(const struct value *v)
{
	return v->kind >= VALUE_BYTE && v->kind <= VALUE_LONG;
}

static inline bool value_is_fractional(const struct value *v)
{
	return v->kind == VALUE_FLOAT || v->kind == VALUE_DOUBLE;
}

static inline bool value_is_number(const struct value *v)
{
	return v->kind >= VALUE_BYTE && v->kind <= VALUE_DOUBLE;
}

/* As a double; 0 if it is not a number. */
static inline double value_double(const struct value *v)
{
	return value_is_fractional(v) ? v->d : value_is_integral(v) ? (double)v->i : 0;
}

/* A number with a NaN or an infinity in it is not finite. */
static inline bool value_is_finite(const struct value *v)
{
	return value_is_integral(v) || (value_is_fractional(v) && __builtin_isfinite(v->d));
}

/* The value of a number in a slot, by its field's unit. */
struct value value_of_slot(const struct jfrec_field *f, enum wire wire, const struct clock *clock,
			   uint64_t slot);

/* Nanoseconds of a length or point of time, as Java has them in a long: they wrap. */
static inline int64_t value_ns(const struct value *v)
{
	return (int64_t)((uint64_t)v->i * 1000000000 + (uint64_t)v->nanos);
}

/* A time, cut to a whole number of steps since 1970. */
struct value value_cut(const struct value *time, int64_t step_ns);

/* Can it be compared with others of its class? */
bool value_is_comparable(const struct value *v);

/* The order of sorting by value: null, then what cannot be compared, then numbers above all. */
int value_compare(const struct value *a, const struct value *b);

/* Equal as a key of a group, and what such values are spread by in a table. */
bool value_is_same(const struct value *a, const struct value *b);
uint64_t value_spread(const struct value *v);

/* Object.hashCode() of a key: the order of rows shows it. */
int32_t value_java_hash(const struct value *v);

#endif
