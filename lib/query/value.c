/* SPDX-License-Identifier: MIT */
/*
 * value.c - what is in a cell: its order, and when two are one
 */
#include "query/value.h"

#include <string.h>

#include "format/slot.h"
#include "query/objects.h"

/* From slots ----------------------------------------------------------------------------------- */

static struct value span_of(const struct jfrec_field *f, enum wire wire, const struct clock *clock,
			    int64_t n)
{
	struct value v = { .kind = VALUE_SPAN, .is_recorded = true };
	struct timespan t;

	if (wire == WIRE_LONG && n == INT64_MIN) {
		v.i = SPAN_MIN_SECONDS;
		return v;
	}
	if (wire == WIRE_LONG && n == INT64_MAX) {
		v.i = SPAN_FOREVER_SECONDS;
		v.nanos = 999999999;
		return v;
	}
	switch ((enum time_unit)f->timespan) {
	case TIME_TICKS:
		t = timespan_from_ns(clock_span_ns(clock, n));
		break;
	case TIME_MICROSECONDS: /* wraps in the JDK, too */
		t = timespan_from_ns((int64_t)((uint64_t)n * 1000));
		break;
	case TIME_MILLISECONDS:
		t = timespan_from_ms(n);
		break;
	case TIME_SECONDS:
		t = (struct timespan){ .seconds = n };
		break;
	default:
		t = timespan_from_ns(n);
	}
	v.i = t.seconds;
	v.nanos = t.nanos;
	return v;
}

static struct value time_of(const struct jfrec_field *f, enum wire wire, const struct clock *clock,
			    int64_t n)
{
	struct timespan t;

	if (wire == WIRE_LONG && n == INT64_MIN)
		return (struct value){ .kind = VALUE_TIME,
				       .is_recorded = true,
				       .i = TIME_MIN_SECONDS };
	if (f->timestamp == TIME_TICKS)
		t = timespan_from_ns(clock_time_ns(clock, n));
	else if (f->timestamp == TIME_MILLISECONDS)
		t = timespan_from_ms(n);
	else
		t = timespan_from_ns(n);
	return (struct value){
		.kind = VALUE_TIME, .is_recorded = true, .i = t.seconds, .nanos = t.nanos
	};
}

static struct value fraction_of(enum wire wire, uint64_t slot)
{
	if (wire == WIRE_FLOAT)
		return (struct value){ .kind = VALUE_FLOAT, .d = (double)slot_float(slot) };
	return (struct value){ .kind = VALUE_DOUBLE, .d = slot_double(slot) };
}

/* Of a time.  The JDK takes an unsigned byte for an unsigned short, whose sign it had. */
static int64_t time_number(const struct jfrec_field *f, enum wire wire, uint64_t slot)
{
	return slot_number(f, wire == WIRE_BYTE ? WIRE_SHORT : wire, slot);
}

struct value value_of_slot(const struct jfrec_field *f, enum wire wire, const struct clock *clock,
			   uint64_t slot)
{
	static const uint8_t kinds[] = {
		[WIRE_BOOLEAN] = VALUE_BOOLEAN, [WIRE_BYTE] = VALUE_BYTE,
		[WIRE_CHAR] = VALUE_CHAR,	[WIRE_SHORT] = VALUE_SHORT,
		[WIRE_INT] = VALUE_INT,		[WIRE_LONG] = VALUE_LONG,
	};

	if (wire == WIRE_FLOAT || wire == WIRE_DOUBLE)
		return fraction_of(wire, slot);
	if (wire < WIRE_BOOLEAN || wire > WIRE_LONG)
		return value_null();
	if (f && f->timespan)
		return span_of(f, wire, clock, time_number(f, wire, slot));
	if (f && f->timestamp)
		return time_of(f, wire, clock, time_number(f, wire, slot));
	return (struct value){ .kind = kinds[wire], .i = (int64_t)slot };
}

/* Order ---------------------------------------------------------------------------------------- */

static int compare_longs(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Double.compare(): -0.0 is less than 0.0, and NaN more than all. */
static int compare_doubles(double a, double b)
{
	if (a < b)
		return -1;
	if (a > b)
		return 1;
	if (a == b && a != 0)
		return 0;
	if (a != a || b != b)
		return (a != a) - (b != b);
	return compare_longs(!__builtin_signbit(a), !__builtin_signbit(b));
}

/* A whole number with one that may have a fraction: exactly. */
static int compare_mixed(int64_t i, double d)
{
	int64_t whole;

	if (d != d || d >= 0x1p63)
		return -1;
	if (d < -0x1p63)
		return 1;
	whole = (int64_t)d;
	if (i != whole)
		return i < whole ? -1 : 1;
	return (d < (double)whole) - (d > (double)whole);
}

static int compare_numbers(const struct value *a, const struct value *b)
{
	bool x = value_is_fractional(a), y = value_is_fractional(b);

	if (x && y)
		return compare_doubles(a->d, b->d);
	if (x)
		return -compare_mixed(b->i, a->d);
	return y ? compare_mixed(a->i, b->d) : compare_longs(a->i, b->i);
}

bool value_is_comparable(const struct value *v)
{
	return !value_is_null(v) && v->kind != VALUE_LIST &&
	       (v->kind != VALUE_OBJECT || v->object->kind == OBJECT_STRING);
}

/* Numbers above what can be compared above the rest above null. */
static int rank(const struct value *v)
{
	if (value_is_null(v))
		return 0;
	if (value_is_number(v))
		return 3;
	return value_is_comparable(v) ? 2 : 1;
}

static int compare_alike(const struct value *a, const struct value *b)
{
	struct text x, y;

	switch ((enum value_kind)a->kind) {
	case VALUE_BOOLEAN:
	case VALUE_CHAR:
		return compare_longs(a->i, b->i);
	case VALUE_SPAN:
	case VALUE_TIME:
		return a->i != b->i ? compare_longs(a->i, b->i) : compare_longs(a->nanos, b->nanos);
	case VALUE_OBJECT:
		x = object_as_text(a->object, false);
		y = object_as_text(b->object, false);
		return text_compare(&x, &y);
	default:
		return 0;
	}
}

int value_compare(const struct value *a, const struct value *b)
{
	int x = rank(a), y = rank(b);

	if (x != y)
		return x < y ? -1 : 1;
	if (x == 3)
		return compare_numbers(a, b);
	return x == 2 && a->kind == b->kind ? compare_alike(a, b) : 0;
}

/* Keys of groups ------------------------------------------------------------------------------- */

/* The bits that Java compares floats and doubles by: all NaN are one. */
static uint64_t bits_of(const struct value *v)
{
	uint64_t bits;

	if (v->d != v->d)
		return v->kind == VALUE_FLOAT ? UINT64_C(0x7fc00000) : UINT64_C(0x7ff8000000000000);
	if (v->kind == VALUE_FLOAT) {
		float single = (float)v->d;
		uint32_t narrow;

		memcpy(&narrow, &single, sizeof(narrow));
		return narrow;
	}
	memcpy(&bits, &v->d, sizeof(bits));
	return bits;
}

static bool has(const struct value_list *l, const struct value *v)
{
	for (size_t i = 0; i < l->count; i++) {
		if (value_is_same(&l->items[i], v))
			return true;
	}
	return false;
}

/* As sets: what is in a list is in it once. */
static bool lists_are_same(const struct value_list *a, const struct value_list *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (!has(b, &a->items[i]))
			return false;
	}
	return true;
}

bool value_is_same(const struct value *a, const struct value *b)
{
	if (value_is_null(a) || value_is_null(b))
		return value_is_null(a) && value_is_null(b);
	if (a->kind != b->kind)
		return false;
	switch ((enum value_kind)a->kind) {
	case VALUE_FLOAT:
	case VALUE_DOUBLE:
		return bits_of(a) == bits_of(b);
	case VALUE_SPAN:
	case VALUE_TIME:
		return a->i == b->i && a->nanos == b->nanos;
	case VALUE_OBJECT:
		return a->object->identity == b->object->identity;
	case VALUE_LIST:
		return lists_are_same(a->list, b->list);
	default:
		return a->i == b->i;
	}
}

uint64_t value_spread(const struct value *v)
{
	uint64_t h = value_is_null(v) ? 0 : v->kind;

	if (v->kind == VALUE_OBJECT)
		h += (uint64_t)(uintptr_t)v->object->identity >> 4;
	else if (value_is_fractional(v))
		h += bits_of(v);
	else if (v->kind == VALUE_LIST)
		for (size_t i = 0; i < v->list->count; i++)
			h += value_spread(&v->list->items[i]);
	else if (!value_is_null(v))
		h += (uint64_t)v->i * 31 + (uint64_t)(uint32_t)v->nanos;
	h *= UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static int32_t long_hash(uint64_t v)
{
	return (int32_t)(uint32_t)(v ^ v >> 32);
}

int32_t value_java_hash(const struct value *v)
{
	uint32_t h = 0;

	switch ((enum value_kind)v->kind) {
	case VALUE_BOOLEAN:
		return v->i ? 1231 : 1237;
	case VALUE_LONG:
		return long_hash((uint64_t)v->i);
	case VALUE_FLOAT:
		return (int32_t)(uint32_t)bits_of(v);
	case VALUE_DOUBLE:
		return long_hash(bits_of(v));
	case VALUE_SPAN:
	case VALUE_TIME:
		return (int32_t)((uint32_t)long_hash((uint64_t)v->i) + 51u * (uint32_t)v->nanos);
	case VALUE_OBJECT:
		return object_hash(v->object->identity);
	case VALUE_LIST:
		for (size_t i = 0; i < v->list->count; i++)
			h += (uint32_t)value_java_hash(&v->list->items[i]);
		return (int32_t)h;
	case VALUE_UNSET:
	case VALUE_NULL:
		return 0;
	default:
		return (int32_t)v->i;
	}
}

struct value value_cut(const struct value *time, int64_t step_ns)
{
	struct value v = *time;
	struct timespan t;
	int64_t ns, over;

	if (v.kind != VALUE_TIME || v.i == TIME_MIN_SECONDS)
		return v;
	ns = value_ns(&v);
	over = ns % step_ns;
	t = timespan_from_ns(long_subtract(ns, over < 0 ? over + step_ns : over));
	v.i = t.seconds;
	v.nanos = t.nanos;
	return v;
}
