/* SPDX-License-Identifier: MIT */
/*
 * tables.c - list the tables that SQL sees
 */
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "sql/rows.h"

static const char *const kinds[] = {
	[JFREC_KIND_BOOL] = "boolean", [JFREC_KIND_INT8] = "int8",
	[JFREC_KIND_INT16] = "int16",	   [JFREC_KIND_INT32] = "int32",
	[JFREC_KIND_INT64] = "int64",	   [JFREC_KIND_UINT8] = "uint8",
	[JFREC_KIND_UINT16] = "uint16",   [JFREC_KIND_UINT32] = "uint32",
	[JFREC_KIND_UINT64] = "uint64",   [JFREC_KIND_FLOAT32] = "float32",
	[JFREC_KIND_FLOAT64] = "float64", [JFREC_KIND_TIME] = "time",
	[JFREC_KIND_SPAN] = "duration",   [JFREC_KIND_STRING] = "text",
	[JFREC_KIND_CLASS] = "class",	   [JFREC_KIND_LOADER] = "class loader",
	[JFREC_KIND_METHOD] = "method",   [JFREC_KIND_FRAME] = "frame",
	[JFREC_KIND_STACK] = "stack",	   [JFREC_KIND_JSON] = "json",
};

static const char *kind_name(enum jfrec_kind kind)
{
	return (size_t)kind < sizeof(kinds) / sizeof(*kinds) ? kinds[kind] : "text";
}

/* Without memory all of the rest, which is not a name, but hides nothing. */
static void print_part(const char *name, size_t len)
{
	char *part = strndup(name, len);

	print_name(part ? part : name);
	free(part);
}

/* As one writes it in a statement. */
static void print_quoted(const char *name)
{
	putchar('"');
	for (const char *end; (end = strchr(name, '"')); name = end + 1) {
		print_part(name, (size_t)(end - name));
		fputs("\"\"", stdout);
	}
	print_name(name);
	putchar('"');
}

static void print_column(const struct jfrec_table_column *c)
{
	fputs("  ", stdout);
	print_quoted(c->name);
	printf(" %s", kind_name(c->kind));
	if (c->unit)
		printf(" (%s)", c->unit);
	if (!c->is_nullable)
		fputs(", not null", stdout);
	if (c->other_type) {
		fputs(", also recorded as ", stdout);
		print_name(c->other_type);
	}
	putchar('\n');
}

static void print_table(const struct jfrec_tables *t, size_t table, bool columns)
{
	const struct jfrec_table_info *info = jfrec_tables_get(t, table);
	const struct jfrec_table_column *c;

	print_quoted(info->name);
	if (info->label) {
		fputs("  ", stdout);
		print_name(info->label);
	}
	putchar('\n');
	for (size_t i = 0; columns && (c = jfrec_tables_column_get(t, table, i)); i++)
		print_column(c);
}

/* JSON ----------------------------------------------------------------------------------------- */

static json_t *column_json(const struct jfrec_table_column *c)
{
	return json_pack("{s:o, s:o, s:o, s:s, s:o, s:b, s:o}", "name", text_json(c->name), "field",
			 text_json(c->field), "type", text_json(c->type), "kind",
			 kind_name(c->kind), "unit", text_json(c->unit), "nullable",
			 c->is_nullable, "otherType", text_json(c->other_type));
}

static json_t *table_json(const struct jfrec_tables *t, size_t table, bool columns)
{
	const struct jfrec_table_info *info = jfrec_tables_get(t, table);
	const struct jfrec_table_column *c;
	json_t *list = json_array(), *object;

	object = json_pack("{s:o, s:o, s:o, s:o}", "name", text_json(info->name), "type",
			   text_json(info->type), "label", text_json(info->label), "category",
			   text_json(info->category));
	for (size_t i = 0; columns && (c = jfrec_tables_column_get(t, table, i)); i++)
		json_array_append_new(list, column_json(c));
	if (columns)
		json_object_set(object, "columns", list);
	json_decref(list);
	return object;
}

int sql_print_tables(const struct jfrec_tables *t, bool columns, bool json)
{
	json_t *list = json_array();

	for (size_t i = 0; i < jfrec_tables_count(t); i++) {
		if (json)
			json_array_append_new(list, table_json(t, i, columns));
		else
			print_table(t, i, columns);
	}
	if (json)
		return print_document("tables", json_pack("{s:o}", "tables", list));
	json_decref(list);
	return finish_stdout();
}
