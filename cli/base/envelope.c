/* SPDX-License-Identifier: MIT */
/*
 * envelope.c - the members that every JSON document of jfrec begins with
 */
#include "base/envelope.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"

/* The number of the form: of what all documents have in common, and of their members. */
#define FORM 1

/* What was read by this process; NULL: no recordings. */
static json_t *recordings, *damage;

static void begin_reading(void)
{
	if (recordings)
		return;
	recordings = json_array();
	damage = json_array();
}

void envelope_name(const char *path)
{
	begin_reading();
	json_array_append_new(recordings,
			      text_json(strcmp(path, "-") == 0 ? "standard input" : path));
}

static json_t *offset_json(uint64_t offset)
{
	return offset == JFREC_NO_OFFSET ? json_null() : json_integer((json_int_t)offset);
}

static void on_problem(void *ctx, const struct jfrec_problem *p)
{
	(void)ctx;
	say(p->input, p->text);
	json_array_append_new(damage, json_pack("{s:o, s:o, s:I, s:b, s:o}", "input",
						text_json(p->input), "offset",
						offset_json(p->offset), "lost", (json_int_t)p->lost,
						"damage", p->damage, "text", text_json(p->text)));
}

void envelope_watch(struct jfrec_reader *r)
{
	begin_reading();
	jfrec_reader_on_problem(r, on_problem, NULL);
}

void envelope_read(struct jfrec_reader *r, char *const *paths, int count)
{
	for (int i = 0; i < count; i++)
		envelope_name(paths[i]);
	envelope_watch(r);
}

void envelope_forget(void)
{
	json_decref(recordings);
	json_decref(damage);
	recordings = damage = NULL;
}

void envelope_take(const json_t *document)
{
	begin_reading();
	json_array_extend(recordings, json_object_get(document, "recordings"));
	json_array_extend(damage, json_object_get(document, "damage"));
}

int envelope_each_problem(int (*fn)(void *ctx, const struct jfrec_problem *problem), void *ctx)
{
	const char *input, *text;
	json_t *item, *offset;
	json_int_t lost;
	int damaged;
	size_t i;

	json_array_foreach(damage, i, item)
	{
		if (json_unpack(item, "{s:s, s:o, s:I, s:b, s:s}", "input", &input, "offset",
				&offset, "lost", &lost, "damage", &damaged, "text", &text) < 0 ||
		    fn(ctx, &(struct jfrec_problem){
				    .damage = damaged,
				    .input = input,
				    .offset = json_is_null(offset)
						      ? JFREC_NO_OFFSET
						      : (uint64_t)json_integer_value(offset),
				    .lost = (uint64_t)lost,
				    .text = text,
			    }) < 0)
			return -1;
	}
	return 0;
}

const json_t *envelope_damage(void)
{
	return damage;
}

/* Documents ------------------------------------------------------------------------------------ */

json_t *envelope_of(const char *schema, json_t *own)
{
	json_t *document = own ? json_pack("{s:i, s:s, s:s}", "jfrec", FORM, "version",
					   jfrec_version(), "schema", schema)
			       : NULL;

	if (document && recordings) {
		json_object_set(document, "recordings", recordings);
		json_object_set(document, "damage", damage);
	}
	if (document && json_object_update_missing(document, own) < 0) {
		json_decref(document);
		document = NULL;
	}
	json_decref(own);
	return document;
}

int print_document(const char *schema, json_t *own)
{
	return print_json(envelope_of(schema, own));
}

char *schema_of_command(const char *command)
{
	char *schema = strdup(command), *space;

	while (schema && (space = strchr(schema, ' ')) != NULL)
		*space = '-';
	return schema;
}

int print_document_of(const char *command, json_t *own)
{
	char *schema = schema_of_command(command);
	int status = print_document(schema ? schema : command, own);

	free(schema);
	return status;
}

/* Piece by piece ------------------------------------------------------------------------------- */

static void put_member(const char *key, const json_t *value)
{
	printf(",\n  \"%s\": ", key);
	json_dumpf(value, stdout, JSON_COMPACT);
}

void envelope_begin(const char *schema)
{
	printf("{\n  \"jfrec\": %d,\n  \"version\": \"%s\",\n  \"schema\": \"%s\"", FORM,
	       jfrec_version(), schema);
	if (recordings)
		put_member("recordings", recordings);
}

void envelope_end(bool is_complete)
{
	printf(",\n  \"complete\": %s", is_complete ? "true" : "false");
	if (damage)
		put_member("damage", damage);
	fputs("\n}\n", stdout);
}
