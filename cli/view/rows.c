/* SPDX-License-Identifier: MIT */
/*
 * rows.c - print tables of views for programs: JSON, NDJSON, CSV
 *
 * Values are in base units, which are named: lengths of time in nanoseconds, times in nanoseconds
 * since 1970, shares as fractions.
 */
#include "view/rows.h"

#include "base/progress.h"
#include "base/report.h"
#include "view/cells.h"

/* What a number in a column is, or NULL. */
static const char *unit_of(enum jfrec_unit unit)
{
	static const char *const units[] = {
		[JFREC_UNIT_NS] = "ns",
		[JFREC_UNIT_TIME] = "ns since 1970",
		[JFREC_UNIT_PERCENT] = "fraction",
		[JFREC_UNIT_BYTES] = "bytes",
		[JFREC_UNIT_BITS] = "bits",
		[JFREC_UNIT_BYTES_PER_S] = "bytes/s",
		[JFREC_UNIT_BITS_PER_S] = "bits/s",
		[JFREC_UNIT_ADDRESS] = "address",
		[JFREC_UNIT_HERTZ] = "Hz",
	};

	return (size_t)unit < sizeof(units) / sizeof(*units) ? units[unit] : NULL;
}

/* JSON ----------------------------------------------------------------------------------------- */

static json_t *frames_json(const struct jfrec_answer *t, size_t row, size_t column)
{
	json_t *frames = json_array();
	size_t count = jfrec_answer_frame_count(t, row, column);

	for (size_t i = 0; i < count; i++)
		json_array_append_new(frames, text_json(jfrec_answer_frame_get(t, row, column, i)));
	return frames;
}

static json_t *value_json(struct jfrec_answer *t, size_t row, size_t column)
{
	struct jfrec_cell c = jfrec_answer_cell(t, row, column);

	return c.kind == JFREC_KIND_STRING && jfrec_answer_frame_count(t, row, column)
		       ? frames_json(t, row, column)
		       : cell_json(&c);
}

static json_t *column_json(struct jfrec_answer *t, size_t column)
{
	const struct jfrec_answer_column *c = jfrec_answer_column_get(t, column);

	return json_pack("{s:o, s:o, s:o, s:o}", "label", text_json(c->label), "field",
			 text_json(c->field), "aggregator",
			 text_json(*c->aggregator ? c->aggregator : NULL),
			 "unit", text_json(unit_of(c->unit)));
}

/* Rows are written one by one: a table of all events may be larger than memory. */
static void print_json_table(struct jfrec_answer *t, bool first)
{
	size_t columns = jfrec_answer_column_count(t), rows = jfrec_answer_row_count(t);

	fputs(first ? "\n    {\n      \"name\": " : ",\n    {\n      \"name\": ", stdout);
	dump_json(text_json(jfrec_answer_name(t)));
	fputs(",\n      \"title\": ", stdout);
	dump_json(text_json(jfrec_answer_title(t)));
	fputs(",\n      \"columns\": [", stdout);
	for (size_t i = 0; i < columns; i++) {
		fputs(i ? ",\n        " : "\n        ", stdout);
		dump_json(column_json(t, i));
	}
	fputs(columns ? "\n      ],\n      \"rows\": [" : "],\n      \"rows\": [", stdout);
	for (size_t row = 0; row < rows && !progress_is_interrupted(); row++) {
		fputs(row ? ",\n        [" : "\n        [", stdout);
		for (size_t i = 0; i < columns; i++) {
			if (i)
				fputs(", ", stdout);
			dump_json(value_json(t, row, i));
		}
		putchar(']');
	}
	fputs(rows ? "\n      ]\n    }" : "]\n    }", stdout);
}

/* NDJSON --------------------------------------------------------------------------------------- */

/* Two columns may have one label: the later one's key gets its number. */
static void set_key(json_t *object, struct jfrec_answer *t, size_t row, size_t column)
{
	const char *label = jfrec_answer_column_get(t, column)->label;
	char key[256];

	snprintf(key, sizeof(key), "%.200s", label);
	for (unsigned n = 2; json_object_get(object, key); n++)
		snprintf(key, sizeof(key), "%.200s %u", label, n);
	json_object_set_new(object, key, value_json(t, row, column));
}

static void print_lines(struct jfrec_answer *t)
{
	size_t columns = jfrec_answer_column_count(t), rows = jfrec_answer_row_count(t);
	const char *name = jfrec_answer_name(t) ? jfrec_answer_name(t) : jfrec_answer_title(t);

	for (size_t row = 0; row < rows; row++) {
		json_t *object = json_object();

		if (name)
			json_object_set_new(object, "view", text_json(name));
		for (size_t i = 0; i < columns; i++)
			set_key(object, t, row, i);
		dump_json(object);
		putchar('\n');
	}
}

/* CSV ------------------------------------------------------------------------------------------ */

/* RFC 4180, with a line of names. */
static void print_csv(struct jfrec_answer *t)
{
	size_t columns = jfrec_answer_column_count(t), rows = jfrec_answer_row_count(t);
	char label[512];

	for (size_t i = 0; i < columns; i++) {
		const struct jfrec_answer_column *c = jfrec_answer_column_get(t, i);
		const char *unit = unit_of(c->unit);

		snprintf(label, sizeof(label), "%.400s%s%s%s", c->label, unit ? " (" : "",
			 unit ? unit : "", unit ? ")" : "");
		fputs(i ? "," : "", stdout);
		put_csv_text(label);
	}
	fputs("\r\n", stdout);
	for (size_t row = 0; row < rows; row++) {
		for (size_t i = 0; i < columns; i++) {
			struct jfrec_cell c = jfrec_answer_cell(t, row, i);

			fputs(i ? "," : "", stdout);
			put_csv_cell(&c);
		}
		fputs("\r\n", stdout);
	}
}

/* In each format ------------------------------------------------------------------------------- */

void rows_begin(enum view_format format)
{
	if (format != VIEW_JSON)
		return;
	envelope_begin("view");
	fputs(",\n  \"views\": [", stdout);
}

void rows_print(enum view_format format, struct jfrec_answer *t, bool first)
{
	if (format == VIEW_JSON) {
		print_json_table(t, first);
	} else if (format == VIEW_NDJSON) {
		print_lines(t);
	} else {
		if (!first)
			fputs("\r\n", stdout);
		print_csv(t);
	}
}

void rows_print_missing(enum view_format format, const char *view, const char *missing, bool first)
{
	if (format != VIEW_JSON)
		return;
	fputs(first ? "\n    " : ",\n    ", stdout);
	dump_json(json_pack("{s:o, s:o}", "name", text_json(view), "missing", text_json(missing)));
}

int rows_end(enum view_format format, bool is_complete)
{
	if (format == VIEW_JSON) {
		fputs("\n  ]", stdout);
		envelope_end(is_complete);
	}
	return finish_stdout();
}
