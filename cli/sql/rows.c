/* SPDX-License-Identifier: MIT */
/*
 * rows.c - print what SQL answers
 *
 * For people, rows are aligned: the first thousand say how wide the columns are, so that memory
 * does not grow with the answer.
 */
#include "sql/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/harmless.h"
#include "base/report.h"
#include "table/cells.h"
#include "table/rows.h"

/* Rows that are looked at before the first one is printed. */
#define LOOKED_AT 1000

/* A text is cut beyond that; programs get all of it. */
#define MAX_WIDTH 100

struct sql_rows {
	const struct jfrec_sql *sql;
	enum sql_format format;
	size_t count; /* of columns */
	uint64_t rows;
	struct table_keys keys; /* of NDJSON */
	/* SQL_TEXT */
	char **held; /* cells of the rows that wait */
	size_t held_count;
	size_t *widths;
	bool *is_number;
	bool is_shown; /* the header is printed */
};

/* Text ----------------------------------------------------------------------------------------- */

static bool is_first_byte(char c)
{
	return (c & 0xc0) != 0x80;
}

static size_t width_of(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += is_first_byte(*text);
	return n;
}

/* A text as a terminal may have it, on one line and not too long; to be freed. */
static char *shown(const char *text)
{
	size_t len = strlen(text), end = 0, width = 0, n;
	struct harmless h = { 0 };
	char *line;

	for (; end < len; end++) {
		if (is_first_byte(text[end]) && width++ == MAX_WIDTH)
			break;
	}
	line = malloc(HARMLESS_GROWTH * (end + 4) + 4);
	if (!line)
		return NULL;
	n = harmless_text(&h, text, end, false, line);
	n += harmless_end(&h, line + n);
	if (end < len) {
		memcpy(line + n, "...", 3);
		n += 3;
	}
	line[n] = '\0';
	return line;
}

static char *cell_text(const struct jfrec_cell *c)
{
	char number[32];

	switch (c->kind) {
	case JFREC_KIND_INT:
		snprintf(number, sizeof(number), "%" PRId64, c->i);
		return strdup(number);
	case JFREC_KIND_FLOAT:
		snprintf(number, sizeof(number), "%.10g", c->d);
		return strdup(number);
	case JFREC_KIND_STRING:
		return shown(c->text);
	default:
		return strdup("");
	}
}

static void put_padded(const struct sql_rows *r, size_t column, const char *text)
{
	size_t width = width_of(text), wanted = r->widths[column];
	int pad = wanted > width ? (int)(wanted - width) : 0;
	bool is_last = column + 1 == r->count;

	if (column)
		fputs("  ", stdout);
	if (r->is_number[column])
		printf("%*s", pad, "");
	fputs(text, stdout);
	if (!r->is_number[column] && !is_last)
		printf("%*s", pad, "");
}

static void show_header(struct sql_rows *r)
{
	for (size_t i = 0; i < r->count; i++) {
		char *name = shown(jfrec_sql_column_name(r->sql, i));

		if (name && width_of(name) > r->widths[i])
			r->widths[i] = width_of(name);
		put_padded(r, i, name ? name : "");
		free(name);
	}
	putchar('\n');
	for (size_t i = 0; i < r->count; i++) {
		fputs(i ? "  " : "", stdout);
		for (size_t k = 0; k < r->widths[i]; k++)
			putchar('-');
	}
	putchar('\n');
	r->is_shown = true;
}

/* The rows that waited. */
static void show_held(struct sql_rows *r)
{
	if (!r->is_shown)
		show_header(r);
	for (size_t i = 0; i < r->held_count; i++) {
		put_padded(r, i % r->count, r->held[i] ? r->held[i] : "");
		if (i % r->count == r->count - 1)
			putchar('\n');
		free(r->held[i]);
	}
	r->held_count = 0;
}

static void hold(struct sql_rows *r)
{
	for (size_t i = 0; i < r->count; i++) {
		struct jfrec_cell c = jfrec_sql_cell(r->sql, i);
		char *text = cell_text(&c);

		if (text && width_of(text) > r->widths[i] && !r->is_shown)
			r->widths[i] = width_of(text);
		if (c.kind == JFREC_KIND_STRING && !r->is_shown)
			r->is_number[i] = false;
		r->held[r->held_count++] = text;
	}
	if (r->held_count == r->count * LOOKED_AT || r->is_shown)
		show_held(r);
}

/* For programs --------------------------------------------------------------------------------- */

static const char *name_of(void *ctx, size_t column)
{
	const struct sql_rows *r = ctx;

	return jfrec_sql_column_name(r->sql, column);
}

static struct jfrec_cell cell_of(void *ctx, size_t column)
{
	const struct sql_rows *r = ctx;

	return jfrec_sql_cell(r->sql, column);
}

static struct table_row row_of(struct sql_rows *r)
{
	return (struct table_row){ .ctx = r, .count = r->count, .name = name_of, .cell = cell_of };
}

static void put_json_row(struct sql_rows *r)
{
	struct table_row row = row_of(r);

	fputs(r->rows ? ",\n    " : "\n    ", stdout);
	table_put_array(&row);
}

static void begin_json(const struct sql_rows *r)
{
	json_t *names = json_array();

	for (size_t i = 0; i < r->count; i++)
		json_array_append_new(names, text_json(jfrec_sql_column_name(r->sql, i)));
	envelope_begin("sql");
	fputs(",\n  \"columns\": ", stdout);
	dump_json(names);
	fputs(",\n  \"rows\": [", stdout);
}

static void begin_csv(const struct sql_rows *r)
{
	for (size_t i = 0; i < r->count; i++) {
		fputs(i ? "," : "", stdout);
		put_csv_text(jfrec_sql_column_name(r->sql, i));
	}
	fputs("\r\n", stdout);
}

static void rows_free(struct sql_rows *r)
{
	table_keys_fini(&r->keys);
	free(r->held);
	free(r->widths);
	free(r->is_number);
	free(r);
}

/* From the first row to the last --------------------------------------------------------------- */

struct sql_rows *sql_rows_begin(const struct jfrec_sql *sql, enum sql_format format)
{
	struct sql_rows *r = calloc(1, sizeof(*r));
	size_t count = jfrec_sql_column_count(sql);
	struct table_row row;

	if (!r)
		return NULL;
	r->sql = sql;
	r->format = format;
	r->count = count;
	r->held = calloc(count * LOOKED_AT + 1, sizeof(*r->held));
	r->widths = calloc(count + 1, sizeof(*r->widths));
	r->is_number = calloc(count + 1, sizeof(*r->is_number));
	row = row_of(r);
	if (!r->held || !r->widths || !r->is_number || !table_keys_make(&r->keys, &row, NULL)) {
		rows_free(r);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		r->is_number[i] = true;
	if (format == SQL_JSON)
		begin_json(r);
	else if (format == SQL_CSV)
		begin_csv(r);
	return r;
}

void sql_rows_put(struct sql_rows *r)
{
	struct table_row row = row_of(r);

	switch (r->format) {
	case SQL_JSON:
		put_json_row(r);
		break;
	case SQL_NDJSON:
		table_put_line(&row, &r->keys, NULL, NULL);
		break;
	case SQL_CSV:
		table_put_csv(&row);
		break;
	default:
		hold(r);
	}
	r->rows++;
}

void sql_rows_end(struct sql_rows *r, bool is_whole)
{
	if (!r)
		return;
	if (r->format == SQL_TEXT)
		show_held(r);
	if (r->format == SQL_JSON) {
		fputs(r->rows ? "\n  ]" : "]", stdout);
		envelope_end(is_whole);
	}
	rows_free(r);
}
