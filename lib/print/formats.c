/* SPDX-License-Identifier: MIT */
/*
 * formats.c - the table of output formats, and what goes with which
 *
 * A new format is a file with its operations (render.h), its value in enum jfrec_format, and a
 * row here: that makes its option of `jfrec print`.  CONTRIBUTING.md has the recipe.
 */
#include "print/formats.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

#define LINES                                                                                      \
	(JFREC_FORMAT_FIELDS | JFREC_FORMAT_STACKS | JFREC_FORMAT_STACK_OBJECTS |                  \
	 JFREC_FORMAT_FLAT | JFREC_FORMAT_RAW_TICKS | JFREC_FORMAT_TAG | JFREC_FORMAT_STREAM)
#define TABLE                                                                                      \
	(JFREC_FORMAT_FIELDS | JFREC_FORMAT_STACKS | JFREC_FORMAT_FORMULAS | JFREC_FORMAT_ONE_TYPE)
#define TEXT JFREC_FORMAT_TEXT

/* Each in the file of its name. */
extern const struct format text_format, json_format, xml_format, csv_format, tsv_format;

/* clang-format off */
static const struct format_row rows[] = {
	{ .info = { JFREC_TEXT, "text", "text", "print text", TEXT | JFREC_FORMAT_STREAM }, .ops = &text_format, .by_time = true },
	{ .info = { JFREC_JSON, "json", "JSON", "print JSON", JFREC_FORMAT_DOCUMENT | JFREC_FORMAT_STREAM }, .ops = &json_format },
	{ .info = { JFREC_XML, "xml", "XML", "print XML", JFREC_FORMAT_DOCUMENT }, .ops = &xml_format },
	{ .info = { JFREC_NDJSON, "ndjson", "NDJSON", "print a line of JSON for each event", LINES }, .ops = &ndjson_format },
	{ .info = { JFREC_CSV, "csv", "CSV", "print a table of one event type", TABLE }, .ops = &csv_format },
	{ .info = { JFREC_TSV, "tsv", "TSV", "print the same, separated by tabs", TABLE }, .ops = &tsv_format },
	{ .info = { JFREC_EXACT, "exact", "exact text", "print text with full precision", TEXT | JFREC_FORMAT_STREAM }, .ops = &text_format, .by_time = true, .exact = true },
	{ .info = { JFREC_COUNT, "count", "the count", "print only the number of events", TEXT }, .ops = &text_format, .counts = true },
};
/* clang-format on */

#define ROW_COUNT (sizeof(rows) / sizeof(*rows))

const struct format_row *format_row(enum jfrec_format format)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (rows[i].info.format == format)
			return &rows[i];
	}
	return NULL;
}

size_t jfrec_formats_count(void)
{
	return ROW_COUNT;
}

const struct jfrec_format_info *jfrec_formats_get(size_t i)
{
	return i < ROW_COUNT ? &rows[i].info : NULL;
}

const struct jfrec_format_info *jfrec_format_named(const char *name)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (strcmp(rows[i].info.name, name) == 0)
			return &rows[i].info;
	}
	return NULL;
}

/* Checks --------------------------------------------------------------------------------------- */

/* A sentence with the names of the formats that can: "NDJSON, CSV and TSV". */
static int fail_naming(const char *before, unsigned can, const char *after, struct jfrec_error *err)
{
	size_t left = 0, len = 0;
	char names[128] = "";

	for (size_t i = 0; i < ROW_COUNT; i++)
		left += (rows[i].info.can & can) != 0;
	for (size_t i = 0; i < ROW_COUNT && len < sizeof(names); i++) {
		if (rows[i].info.can & can)
			len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s",
						rows[i].info.title,
						--left > 1    ? ", "
						: left == 1 ? " and "
							      : "");
	}
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "%s%s%s", before, names, after);
}

static int fail(const char *sentence, struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "%s", sentence);
}

int format_check(const struct jfrec_print_options *o, struct jfrec_error *err)
{
	const struct format_row *row = format_row(o->format);
	unsigned can = row ? row->info.can : 0;

	if (!row)
		return fail("no such format", err);
	if ((o->stacks && !(can & JFREC_FORMAT_STACKS)) ||
	    (o->fields && !(can & JFREC_FORMAT_FIELDS)))
		return fail_naming("stack traces and fields can be selected only for ",
				   JFREC_FORMAT_STACKS | JFREC_FORMAT_FIELDS, "", err);
	if (o->escape_formulas && !(can & JFREC_FORMAT_FORMULAS))
		return fail_naming("formulas can be escaped only in ", JFREC_FORMAT_FORMULAS, "", err);
	if ((o->flat && !(can & JFREC_FORMAT_FLAT)) ||
	    (o->raw_ticks && !(can & JFREC_FORMAT_RAW_TICKS)))
		return fail_naming("only ", JFREC_FORMAT_FLAT | JFREC_FORMAT_RAW_TICKS,
				   " can be flat or have raw ticks", err);
	if (o->raw_ticks && o->order == JFREC_BY_TIME)
		return fail("raw ticks belong to their chunk, and cannot be sorted by time across "
			    "chunks",
			    err);
	if (o->by_field && !o->limit)
		return fail("events are sorted by a field only with a limit", err);
	if (o->by_field && (o->raw_ticks || o->stacks == JFREC_STACKS_ID))
		return fail("events that are sorted by a field have no raw ticks and no numbers of stacks", err);
	if ((o->stacks == JFREC_STACKS_FRAMES || o->stacks == JFREC_STACKS_ID) &&
	    !(can & JFREC_FORMAT_STACK_OBJECTS))
		return fail("a stack trace in a table can only be a string, or be omitted", err);
	return 0;
}
