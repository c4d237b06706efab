/* SPDX-License-Identifier: MIT */
/*
 * lists.c - lists of views and of event types
 */
#include "view/lists.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "table/cells.h"

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
		return print_document(name, json_pack("{s:o}", name, rows));
	if (format == VIEW_NDJSON)
		print_lines(rows);
	else
		print_csv(rows);
	json_decref(rows);
	return finish_stdout();
}

static int compare_names(const void *a, const void *b)
{
	const struct jfrec_view *const *left = a, *const *right = b;

	return strcmp((*left)->name, (*right)->name);
}

/* The views of a category, sorted by name; *count of them.  To be freed. */
static const struct jfrec_view **views_of(const struct jfrec_views *views, const char *category,
					  size_t *count)
{
	const struct jfrec_view **found = calloc(jfrec_views_count(views) + 1, sizeof(*found));

	*count = 0;
	for (size_t i = 0; found && i < jfrec_views_count(views); i++) {
		const struct jfrec_view *v = jfrec_views_get(views, i);

		if (strcmp(v->category, category) == 0)
			found[(*count)++] = v;
	}
	if (found)
		qsort(found, *count, sizeof(*found), compare_names);
	return found;
}

/* Below a heading, names and titles; nothing of a category without views. */
static void print_category(const struct jfrec_views *views, const char *heading,
			   const char *category, int width)
{
	size_t count;
	const struct jfrec_view **found = views_of(views, category, &count);

	if (count)
		puts(heading);
	for (size_t i = 0; i < count; i++) {
		fputs("  ", stdout);
		printf("%*s  ", width - put_name(stdout, found[i]->name), "");
		put_name(stdout, found[i]->label);
		putchar('\n');
	}
	free(found);
}

static int print_views(const struct jfrec_views *views)
{
	static const char *const groups[][2] = {
		{ "Java virtual machine views:", "jvm" },
		{ "\nEnvironment views:", "environment" },
		{ "\nApplication views:", "application" },
		{ "\nViews that only jfrec has:", "jfrec" },
		{ "\nYour own views:", "own" },
	};
	size_t width = 0;

	for (size_t i = 0; i < jfrec_views_count(views); i++) {
		size_t len = strlen(jfrec_views_get(views, i)->name);

		width = len > width ? len : width;
	}
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		print_category(views, groups[i][0], groups[i][1], (int)width);
	return finish_stdout();
}

int list_views(enum view_format format, const struct jfrec_views *views)
{
	json_t *rows;

	if (format == VIEW_TEXT)
		return print_views(views);
	rows = json_array();
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
