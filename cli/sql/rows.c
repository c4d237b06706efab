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
#include "view/cells.h"

/* Rows that are looked at before the first one is printed. */
#define LOOKED_AT 1000

/* A text is cut beyond that; programs get all of it. */
#define MAX_WIDTH 100

struct sql_rows {
	const struct jfrec_sql *sql;
	enum sql_format format;
	size_t count; /* of columns */
	uint64_t rows;
	char **keys; /* of NDJSON: "name": */
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

static void put_json_row(const struct sql_rows *r)
{
	fputs(r->rows ? ",\n    [" : "\n    [", stdout);
	for (size_t i = 0; i < r->count; i++) {
		struct jfrec_cell c = jfrec_sql_cell(r->sql, i);

		fputs(i ? ", " : "", stdout);
		put_json_cell(&c);
	}
	putchar(']');
}

static void put_line(const struct sql_rows *r)
{
	for (size_t i = 0; i < r->count; i++) {
		struct jfrec_cell c = jfrec_sql_cell(r->sql, i);

		fputs(i ? "," : "{", stdout);
		fputs(r->keys[i], stdout);
		put_json_cell(&c);
	}
	fputs("}\n", stdout);
}

/* Two columns may have one name: the later one's key gets its number. */
static char *key_of(const struct jfrec_sql *sql, size_t column, json_t *taken)
{
	const char *name = jfrec_sql_column_name(sql, column);
	char key[256], *text, *with_colon = NULL;
	json_t *string;

	snprintf(key, sizeof(key), "%.200s", name);
	for (unsigned n = 2; json_object_get(taken, key); n++)
		snprintf(key, sizeof(key), "%.200s_%u", name, n);
	json_object_set_new(taken, key, json_true());
	string = text_json(key);
	text = json_dumps(string, JSON_ENCODE_ANY);
	json_decref(string);
	if (!text || asprintf(&with_colon, "%s:", text) < 0)
		with_colon = NULL;
	free(text);
	return with_colon;
}

static bool make_keys(struct sql_rows *r)
{
	json_t *taken = json_object();
	bool ok = true;

	for (size_t i = 0; i < r->count; i++)
		ok &= (r->keys[i] = key_of(r->sql, i, taken)) != NULL;
	json_decref(taken);
	return ok;
}

static void put_csv_row(const struct sql_rows *r)
{
	char number[32];

	for (size_t i = 0; i < r->count; i++) {
		struct jfrec_cell c = jfrec_sql_cell(r->sql, i);

		fputs(i ? "," : "", stdout);
		if (c.kind == JFREC_KIND_FLOAT)
			fputs(exact_number(number, c.d), stdout);
		else
			put_csv_cell(&c);
	}
	fputs("\r\n", stdout);
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
	for (size_t i = 0; r->keys && i < r->count; i++)
		free(r->keys[i]);
	free(r->keys);
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

	if (!r)
		return NULL;
	r->sql = sql;
	r->format = format;
	r->count = count;
	r->held = calloc(count * LOOKED_AT + 1, sizeof(*r->held));
	r->widths = calloc(count + 1, sizeof(*r->widths));
	r->is_number = calloc(count + 1, sizeof(*r->is_number));
	r->keys = calloc(count + 1, sizeof(*r->keys));
	if (!r->held || !r->widths || !r->is_number || !r->keys || !make_keys(r)) {
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
	switch (r->format) {
	case SQL_JSON:
		put_json_row(r);
		break;
	case SQL_NDJSON:
		put_line(r);
		break;
	case SQL_CSV:
		put_csv_row(r);
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
