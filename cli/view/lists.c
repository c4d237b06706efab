/* SPDX-License-Identifier: MIT */
/*
 * lists.c - lists of views and of event types, for programs
 */
#include "view/lists.h"

#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "view/cells.h"

static void put_csv_value(const json_t *value)
{
	if (json_is_integer(value))
		printf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_string(value))
		put_csv_text(json_string_value(value));
}

static void print_csv(json_t *rows)
{
	const char *key, *before = "";
	json_t *row, *value;
	size_t i;

	json_object_foreach(json_array_get(rows, 0), key, value)
	{
		fputs(before, stdout);
		put_csv_text(key);
		before = ",";
	}
	fputs(*before ? "\r\n" : "", stdout);
	json_array_foreach(rows, i, row)
	{
		before = "";
		json_object_foreach(row, key, value)
		{
			fputs(before, stdout);
			put_csv_value(value);
			before = ",";
		}
		fputs("\r\n", stdout);
	}
}

static void print_lines(json_t *rows)
{
	json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		dump_json(json_incref(row));
		putchar('\n');
	}
}

/*
 * Print an array of flat objects, all with the same keys, and free it: as a document in which it
 * has that name, an object per line, or CSV.
 */
static int print_rows(enum view_format format, const char *name, json_t *rows)
{
	if (format == VIEW_JSON)
		return print_json(json_pack("{s:s, s:s, s:o}", "jfrec", jfrec_version(), "schema",
					    name, name, rows));
	if (format == VIEW_NDJSON)
		print_lines(rows);
	else
		print_csv(rows);
	json_decref(rows);
	return finish_stdout();
}

int list_views(enum view_format format, const struct jfrec_views *views)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < jfrec_views_count(views); i++) {
		const struct jfrec_view *v = jfrec_views_get(views, i);

		json_array_append_new(rows, json_pack("{s:o, s:o, s:o}", "name", text_json(v->name),
						      "title", text_json(v->label), "category",
						      text_json(v->category)));
	}
	return print_rows(format, "views", rows);
}

int list_overview(enum view_format format, const struct jfrec_query *query,
		  const struct jfrec_views *views, size_t count)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < count; i++) {
		struct jfrec_answer *t = jfrec_query_answer(query, (int)i);
		size_t found = t ? jfrec_answer_row_count(t) : 0;

		if (found)
			json_array_append_new(rows,
					      json_pack("{s:o, s:o, s:I}", "name",
							text_json(jfrec_views_get(views, i)->name),
							"title", text_json(jfrec_answer_title(t)),
							"rows", (json_int_t)found));
	}
	return print_rows(format, "views", rows);
}

int list_types(enum view_format format, const struct jfrec_query *query)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < jfrec_query_type_count(query); i++) {
		if (!jfrec_query_type_is_experimental(query, i))
			json_array_append_new(rows,
					      json_pack("{s:o, s:I}", "name",
							text_json(jfrec_query_type_name(query, i)),
							"events",
							(json_int_t)jfrec_query_type_events(query,
											    i)));
	}
	return print_rows(format, "types", rows);
}
