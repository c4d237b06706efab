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
#include "table/cells.h"
#include "table/rows.h"

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

/* Rows ----------------------------------------------------------------------------------------- */

/* A row at hand. */
struct place {
	struct jfrec_answer *table;
	size_t row;
};

static const char *name_of(void *ctx, size_t column)
{
	const struct place *p = ctx;

	return jfrec_answer_column_get(p->table, column)->label;
}

static struct jfrec_cell cell_of(void *ctx, size_t column)
{
	const struct place *p = ctx;

	return jfrec_answer_cell(p->table, p->row, column);
}

static size_t frame_count_of(void *ctx, size_t column)
{
	const struct place *p = ctx;

	return jfrec_answer_frame_count(p->table, p->row, column);
}

static const char *frame_of(void *ctx, size_t column, size_t i)
{
	const struct place *p = ctx;

	return jfrec_answer_frame_get(p->table, p->row, column, i);
}

static struct table_row row_of(struct place *p)
{
	return (struct table_row){ p, jfrec_answer_column_count(p->table), name_of, cell_of,
				   frame_count_of, frame_of };
}

/* JSON ----------------------------------------------------------------------------------------- */

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
	struct place p = { .table = t };
	struct table_row row = row_of(&p);

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
	for (; p.row < rows && !progress_is_interrupted(); p.row++) {
		fputs(p.row ? ",\n        " : "\n        ", stdout);
		table_put_array(&row);
	}
	fputs(rows ? "\n      ]\n    }" : "]\n    }", stdout);
}

/* NDJSON --------------------------------------------------------------------------------------- */

static void print_lines(struct jfrec_answer *t)
{
	const char *view = jfrec_answer_name(t) ? jfrec_answer_name(t) : jfrec_answer_title(t);
	size_t rows = jfrec_answer_row_count(t);
	struct place p = { .table = t };
	struct table_row row = row_of(&p);
	struct table_keys keys;

	if (!table_keys_make(&keys, &row, view ? "view" : NULL)) {
		say_out_of_memory();
		return;
	}
	for (; p.row < rows; p.row++)
		table_put_line(&row, &keys, view ? "view" : NULL, view);
	table_keys_fini(&keys);
}

/* CSV ------------------------------------------------------------------------------------------ */

/* RFC 4180, with a line of names. */
static void print_csv(struct jfrec_answer *t)
{
	size_t columns = jfrec_answer_column_count(t), rows = jfrec_answer_row_count(t);
	struct place p = { .table = t };
	struct table_row row = row_of(&p);
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
	for (; p.row < rows; p.row++)
		table_put_csv(&row);
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
