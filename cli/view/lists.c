/* SPDX-License-Identifier: MIT */
/*
 * lists.c - lists of views and of event types, for programs
 */
#include "view/lists.h"

#include <stdio.h>
#include <string.h>

#include "common/report.h"
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

	json_object_foreach (json_array_get(rows, 0), key, value) {
		fputs(before, stdout);
		put_csv_text(key);
		before = ",";
	}
	fputs(*before ? "\r\n" : "", stdout);
	json_array_foreach (rows, i, row) {
		before = "";
		json_object_foreach (row, key, value) {
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

	json_array_foreach (rows, i, row) {
		dump_json(json_incref(row));
		putchar('\n');
	}
}

int list_print(enum view_format format, const char *name, json_t *rows)
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
