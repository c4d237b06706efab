/* SPDX-License-Identifier: MIT */
/*
 * content.c - the units that annotations give to numbers
 */
#include "format/content.h"

#include <string.h>

#include "base/units.h"

#define SPAN(value_) { .annotation = "jdk.jfr.Timespan", .value = value_ }
#define TIME(value_) { .annotation = "jdk.jfr.Timestamp", .value = value_ }
#define NUMBER(strength_, annotation_, name_) \
	{ .annotation = annotation_, .name = name_, .strength = strength_ }
#define AMOUNT(value_, name_, amount_) \
	{ .annotation = "jdk.jfr.DataAmount", .value = value_, .name = name_, .is_amount = true, \
	  .amount = amount_, .strength = 3 }
#define RATE(value_, name_, amount_) \
	{ .annotation = "jdk.jfr.DataAmount", .value = value_, .besides = "jdk.jfr.Frequency", \
	  .name = name_, .is_amount = true, .amount = (amount_) | AMOUNT_PER_SECOND, .strength = 4 }

/* The JDK's text asks in the order of their strength. */
static const struct content rows[] = {
	[JFREC_UNIT_NONE] = { .annotation = NULL },
	[JFREC_UNIT_TIME] = TIME("TICKS"),
	[JFREC_UNIT_TIME_MS] = TIME("MILLISECONDS_SINCE_EPOCH"),
	[JFREC_UNIT_NS] = SPAN("NANOSECONDS"),
	[JFREC_UNIT_US] = SPAN("MICROSECONDS"),
	[JFREC_UNIT_MS] = SPAN("MILLISECONDS"),
	[JFREC_UNIT_S] = SPAN("SECONDS"),
	[JFREC_UNIT_BYTES] = AMOUNT("BYTES", "bytes", AMOUNT_BYTES),
	[JFREC_UNIT_BITS] = AMOUNT("BITS", "bits", AMOUNT_BITS),
	[JFREC_UNIT_BYTES_PER_S] = RATE("BYTES", "bytes/s", AMOUNT_BYTES),
	[JFREC_UNIT_BITS_PER_S] = RATE("BITS", "bits/s", AMOUNT_BITS),
	[JFREC_UNIT_HERTZ] = NUMBER(1, "jdk.jfr.Frequency", "Hz"),
	[JFREC_UNIT_PERCENT] = NUMBER(5, "jdk.jfr.Percentage", "ratio"),
	[JFREC_UNIT_ADDRESS] = NUMBER(2, "jdk.jfr.MemoryAddress", "address"),
	[JFREC_UNIT_FLAG] = { .annotation = "jdk.jfr.BooleanFlag" },
};

#define ROW_COUNT (sizeof(rows) / sizeof(*rows))

const struct content *content_of(enum jfrec_unit unit)
{
	return &rows[(size_t)unit < ROW_COUNT ? unit : JFREC_UNIT_NONE];
}

static const struct jfrec_annotation *find(const struct jfrec_field *f, const char *name)
{
	return annotation_named(f->annotations, f->annotation_count, name);
}

/* Without a value an amount is one of bytes. */
static bool is_said(const struct jfrec_field *f, const struct content *c)
{
	const struct jfrec_annotation *a = find(f, c->annotation);
	const char *value = annotation_value(a);

	if (!a || (c->besides && !find(f, c->besides)))
		return false;
	if (!c->value)
		return true;
	return value ? strcmp(value, c->value) == 0 : !(c->amount & AMOUNT_BITS);
}

bool content_gives_unit(const char *annotation)
{
	static const char prefix[] = "jdk.jfr.";

	if (strncmp(annotation, prefix, sizeof(prefix) - 1) != 0)
		return false;
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (rows[i].strength && strcmp(rows[i].annotation, annotation) == 0)
			return true;
	}
	return false;
}

/* Most fields have none: labels and descriptions are told apart once, as types. */
static bool has_unit(const struct jfrec_field *f)
{
	for (unsigned i = 0; i < f->annotation_count; i++) {
		if (f->annotations[i].type && f->annotations[i].type->gives_unit)
			return true;
	}
	return false;
}

enum jfrec_unit content_unit(const struct jfrec_field *f)
{
	size_t unit = JFREC_UNIT_NONE;

	if (!has_unit(f))
		return JFREC_UNIT_NONE;
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (rows[i].strength > rows[unit].strength && is_said(f, &rows[i]))
			unit = i;
	}
	return (enum jfrec_unit)unit;
}
