/* SPDX-License-Identifier: MIT */
/*
 * rows.c - print rows of a table for programs: JSON, NDJSON, CSV
 */
#include "table/rows.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "table/cells.h"

/* Of a name in a key; the rest of a longer one is no key anybody types. */
#define KEY_MAX 200

/* Keys ----------------------------------------------------------------------------------------- */

/* Two columns may have one name: the later one's key gets its number. */
static char *key_of(const char *name, json_t *taken)
{
	char key[KEY_MAX + 32], *text, *with_colon = NULL;
	json_t *string;

	snprintf(key, sizeof(key), "%.*s", KEY_MAX, name);
	for (unsigned n = 2; json_object_get(taken, key); n++)
		snprintf(key, sizeof(key), "%.*s_%u", KEY_MAX, name, n);
	json_object_set_new_nocheck(taken, key, json_true());
	string = text_json(key);
	text = json_dumps(string, JSON_ENCODE_ANY);
	json_decref(string);
	if (!text || asprintf(&with_colon, "%s:", text) < 0)
		with_colon = NULL;
	free(text);
	return with_colon;
}

bool table_keys_make(struct table_keys *k, const struct table_row *row, const char *taken)
{
	json_t *keys = json_object();
	bool ok;

	*k = (struct table_keys){ .texts = calloc(row->count + 1, sizeof(*k->texts)) };
	ok = keys && k->texts;
	if (taken)
		json_object_set_new(keys, taken, json_true());
	for (; ok && k->count < row->count; k->count++) {
		k->texts[k->count] = key_of(row->name(row->ctx, k->count), keys);
		ok = k->texts[k->count] != NULL;
	}
	json_decref(keys);
	if (!ok)
		table_keys_fini(k);
	return ok;
}

void table_keys_fini(struct table_keys *k)
{
	for (size_t i = 0; k->texts && i < k->count; i++)
		free(k->texts[i]);
	free(k->texts);
	*k = (struct table_keys){ 0 };
}

/* Rows ----------------------------------------------------------------------------------------- */

static void put_frames(const struct table_row *row, size_t column, size_t count)
{
	putchar('[');
	for (size_t i = 0; i < count; i++) {
		if (i)
			putchar(',');
		dump_json(text_json(row->frame(row->ctx, column, i)));
	}
	putchar(']');
}

static void put_value(const struct table_row *row, size_t column)
{
	struct jfrec_cell c = row->cell(row->ctx, column);
	size_t frames = row->frame_count && c.kind == JFREC_KIND_STRING
				? row->frame_count(row->ctx, column)
				: 0;

	if (frames)
		put_frames(row, column, frames);
	else
		put_json_cell(&c);
}

void table_put_array(const struct table_row *row)
{
	putchar('[');
	for (size_t i = 0; i < row->count; i++) {
		fputs(i ? ", " : "", stdout);
		put_value(row, i);
	}
	putchar(']');
}

void table_put_line(const struct table_row *row, const struct table_keys *k, const char *first,
		    const char *value)
{
	putchar('{');
	if (first) {
		dump_json(text_json(first));
		putchar(':');
		dump_json(text_json(value));
	}
	for (size_t i = 0; i < row->count; i++) {
		if (i || first)
			putchar(',');
		fputs(k->texts[i], stdout);
		put_value(row, i);
	}
	fputs("}\n", stdout);
}

void table_put_csv(const struct table_row *row)
{
	for (size_t i = 0; i < row->count; i++) {
		struct jfrec_cell c = row->cell(row->ctx, i);

		fputs(i ? "," : "", stdout);
		put_csv_cell(&c);
	}
	fputs("\r\n", stdout);
}
