/* SPDX-License-Identifier: MIT */
/*
 * cell_text.c - the text of a value, as its column shows it
 */
#include "query/cell_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/human.h"
#include "base/number.h"
#include "base/units.h"
#include "format/string.h"
#include "query/objects.h"

#define NUMBER_ROOM (NUMBER_MAX * 2)

/* Beyond this a double's shortest decimal may have fewer than three places. */
#define SHORT_FRACTIONS 1e12

void cell_writer_fini(struct cell_writer *w)
{
	buffer_fini(&w->text);
	*w = (struct cell_writer){ 0 };
}

/* Numbers -------------------------------------------------------------------------------------- */

/* The digits of a whole number with a comma before each three. */
static char *put_grouped(char *at, const char *digits, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*at++ = ',';
		*at++ = digits[i];
	}
	return at;
}

static char *put_integer(char *at, int64_t v)
{
	char digits[24];
	char *end = put_u64(digits, v < 0 ? -(uint64_t)v : (uint64_t)v);

	if (v < 0)
		*at++ = '-';
	return put_grouped(at, digits, (size_t)(end - digits));
}

/*
 * Does the decimal text lie between this number and its neighbours, nearer to it?  Right in the
 * middle is not enough for Java's DecimalFormat, although it would read back as the number: so
 * 1e23 is shown as 99,999,999,999,999,990,000,000.
 */
static bool is_near(const char *text, double v)
{
	long double read = strtold(text, NULL), own = (long double)v;

	return strtod(text, NULL) == v &&
	       read != (own + (long double)nextafter(v, INFINITY)) / 2 &&
	       read != (own + (long double)nextafter(v, 0)) / 2;
}

/*
 * The digits of a large number's shortest decimal: "1.2345E20" is 123450000000000000000.  Returns
 * how many there are, of which *whole stand before the point.
 */
static size_t large_digits(char *digits, double v, size_t *whole)
{
	char text[40];
	size_t count = 0;

	for (int n = 0; n < 17; n++) {
		snprintf(text, sizeof(text), "%.*e", n, v);
		if (is_near(text, v))
			break;
	}
	*whole = (size_t)strtol(strchr(text, 'e') + 1, NULL, 10) + 1;
	for (const char *s = text; *s != 'e'; s++) {
		if (*s != '.')
			digits[count++] = *s;
	}
	while (count < *whole)
		digits[count++] = '0';
	return count;
}

/* At most three decimals, rounded half to even, none of them a last zero. */
static char *put_small(char *at, double v)
{
	char text[64];
	int len = snprintf(text, sizeof(text), "%.3f", v);
	char *dot = memchr(text, '.', (size_t)len), *end = text + len;

	while (end[-1] == '0')
		end--;
	at = put_grouped(at, text, (size_t)(dot - text));
	if (end == dot + 1)
		return at;
	memcpy(at, dot, (size_t)(end - dot));
	return at + (end - dot);
}

/*
 * Java's digits of a whole number that a long holds are all, but for the last one or two that its
 * 53 bits do not tell.
 */
static char *put_whole(char *at, double v)
{
	int beyond = ilogb(v) - 54;
	int64_t unit = beyond > 6 ? 100 : beyond > 3 ? 10 : 1;

	return put_integer(at, ((int64_t)v + unit / 2) / unit * unit);
}

/* 880669000000000.125 has a neighbour as near as .25: the shortest decimal of it ends with .1. */
static char *put_large(char *at, double v)
{
	char digits[NUMBER_MAX];
	size_t whole, count;

	if (v < 0x1p63 - 100 && !(v - floor(v) > 0))
		return put_whole(at, v);
	count = large_digits(digits, v, &whole);
	if (count > whole + 3)
		return put_small(at, v);
	at = put_grouped(at, digits, whole);
	if (count == whole)
		return at;
	*at++ = '.';
	memcpy(at, digits + whole, count - whole);
	return at + (count - whole);
}

static char *put_fraction(char *at, double v)
{
	if (signbit(v))
		*at++ = '-';
	v = fabs(v);
	if (isinf(v)) {
		memcpy(at, "\xe2\x88\x9e", 3);
		return at + 3;
	}
	return v < SHORT_FRACTIONS ? put_small(at, v) : put_large(at, v);
}

static char *put_frequency(char *at, const struct value *v)
{
	if (v->kind == VALUE_FLOAT)
		at = put_java_float(at, (float)v->d);
	else if (v->kind == VALUE_DOUBLE)
		at = put_java_double(at, v->d);
	else
		at = put_i64(at, v->i);
	memcpy(at, " Hz", 3);
	return at + 3;
}

static char *put_for_people(char *at, const struct look *l, double v)
{
	char text[HUMAN_MAX];

	return stpcpy(at, l->is_frequency ? human_rate(text, v) : human_bytes(text, v));
}

static char *put_number(char *at, const struct cell_writer *w, const struct look *l,
			const struct value *v)
{
	int64_t whole = value_is_fractional(v) ? double_to_long(v->d) : v->i;

	if (l->is_percentage)
		return put_percentage(at, value_double(v), false);
	if (l->is_amount && !l->is_bits && w->is_by_human_h)
		return put_for_people(at, l, value_double(v));
	if (l->is_amount)
		return put_amount(at, whole,
				  (l->is_bits ? AMOUNT_BITS : AMOUNT_BYTES) |
					  (l->is_frequency ? AMOUNT_PER_SECOND : 0));
	if (l->is_address)
		return put_address(at, whole);
	if (l->is_frequency)
		return put_frequency(at, v);
	return value_is_fractional(v) ? put_fraction(at, v->d) : put_integer(at, v->i);
}

/* Times ---------------------------------------------------------------------------------------- */

/* Zones change their offset at full quarters of an hour only. */
static int32_t offset_at(struct cell_writer *w, int64_t seconds)
{
	int64_t quarter = seconds / 900 - (seconds % 900 < 0);

	if (w->zone && (!w->has_quarter || quarter != w->quarter)) {
		w->offset_s = w->zone(w->zone_ctx, quarter * 900);
		w->quarter = quarter;
		w->has_quarter = true;
	}
	return w->offset_s;
}

static char *put_clock(char *at, struct cell_writer *w, int64_t seconds)
{
	int64_t local = seconds + offset_at(w, seconds);
	unsigned second = (unsigned)((local % 86400 + 86400) % 86400);

	at = put_2digits(at, second / 3600);
	*at++ = ':';
	at = put_2digits(at, second / 60 % 60);
	*at++ = ':';
	return put_2digits(at, second % 60);
}

static char *put_span(char *at, const struct cell_writer *w, const struct column_format *format,
		      const struct value *v)
{
	char text[HUMAN_MAX];

	if (v->i == SPAN_FOREVER_SECONDS) {
		memcpy(at, "Indefinite", 10);
		return at + 10;
	}
	if (w->is_by_human_h)
		return stpcpy(at, human_span(text, (double)v->i * 1e9 + v->nanos));
	return put_span_with_ms(at, (struct timespan){ v->i, v->nanos },
				format ? format->precision : -1);
}

/* Cells ---------------------------------------------------------------------------------------- */

/* What is shown as missing, besides null. */
static bool is_missing(const struct value *v)
{
	switch ((enum value_kind)v->kind) {
	case VALUE_INT:
		return v->i == INT32_MIN;
	case VALUE_LONG:
		return v->i == INT64_MIN;
	case VALUE_FLOAT:
	case VALUE_DOUBLE:
		return isnan(v->d) || (isinf(v->d) && v->d < 0);
	case VALUE_SPAN:
		return v->i == SPAN_MIN_SECONDS;
	case VALUE_TIME:
		return v->i == TIME_MIN_SECONDS;
	case VALUE_OBJECT:
		return !object_as_text(v->object, false).s;
	default:
		return value_is_null(v);
	}
}

static struct text missing_text(const struct column_format *format)
{
	const char *s = format && format->missing ? format->missing : "N/A";

	return text_of(s, strlen(s));
}

/* Elements, joined by commas. */
static struct text list_text(struct cell_writer *w, const struct look *look,
			     const struct column_format *format, const struct value *v, bool brief)
{
	struct column_format each = { .precision = format ? format->precision : -1 };
	struct cell_writer inner = *w;
	struct buffer joined = { 0 };

	inner.text = (struct buffer){ 0 };
	for (size_t i = 0; i < v->list->count; i++) {
		struct text t = cell_text(&inner, look, &each, &v->list->items[i], brief);

		if (i)
			buffer_put(&joined, ", ", 2);
		buffer_put(&joined, t.s, t.len);
	}
	buffer_fini(&inner.text);
	buffer_fini(&w->text);
	w->text = joined;
	return text_of(joined.data ? (const char *)joined.data : "", joined.len);
}

/* A UTF-16 unit; half of a pair is nothing on its own. */
static char *put_char(char *at, int64_t unit)
{
	return put_utf8(at, (unit & 0xf800) == 0xd800 ? '?' : (uint32_t)unit);
}

struct text cell_text(struct cell_writer *w, const struct look *look,
		      const struct column_format *format, const struct value *v, bool brief)
{
	char *start, *end;

	if (is_missing(v))
		return missing_text(format);
	if (v->kind == VALUE_OBJECT)
		return object_as_text(v->object, brief);
	if (v->kind == VALUE_LIST)
		return list_text(w, look, format, v, brief);
	buffer_clear(&w->text);
	start = end = (char *)buffer_room(&w->text, NUMBER_ROOM);
	if (!start)
		return missing_text(format);
	switch ((enum value_kind)v->kind) {
	case VALUE_BOOLEAN:
		end = stpcpy(start, v->i ? "true" : "false");
		break;
	case VALUE_CHAR:
		end = put_char(start, v->i);
		break;
	case VALUE_SPAN:
		end = put_span(start, w, format, v);
		break;
	case VALUE_TIME:
		end = put_clock(start, w, v->i);
		break;
	default:
		end = put_number(start, w, look, v);
	}
	return text_of(start, (size_t)(end - start));
}
