/* SPDX-License-Identifier: MIT */
/*
 * sqlite_texts.c - texts of rows that are kept as long as a statement runs, each once
 */
#include "sql/sqlite_texts.h"

#include <stdlib.h>
#include <string.h>

/* What constants with a greater number have is looked up by its bytes. */
#define MOST_NUMBERS (1u << 20)

bool sql_texts_init(struct sql_texts *t, size_t column_count)
{
	*t = (struct sql_texts){ .column_count = column_count };
	t->columns = calloc(column_count + 1, sizeof(*t->columns));
	return t->columns != NULL;
}

void sql_texts_fini(struct sql_texts *t)
{
	for (size_t i = 0; t->columns && i < t->column_count; i++)
		free(t->columns[i].at);
	free(t->columns);
	arena_fini(&t->arena);
	digest_map_fini(&t->known);
	*t = (struct sql_texts){ 0 };
}

const char *sql_texts_keep(struct sql_texts *t, const char *text, size_t len)
{
	struct digest digest = DIGEST_INIT;
	uint64_t *place;
	char *copy;

	digest_bytes(&digest, text, len);
	place = digest_map_put(&t->known, digest);
	if (!place)
		return NULL;
	if (*place)
		return (const char *)(uintptr_t)*place;
	copy = arena_strndup(&t->arena, text, len);
	/* It must not stay 0. */
	*place = copy ? (uintptr_t)copy : (uintptr_t) "";
	return copy;
}

static void enter_chunk(struct sql_texts *t, uint64_t chunk)
{
	t->chunk = chunk;
	for (size_t i = 0; i < t->column_count; i++) {
		if (t->columns[i].at)
			memset(t->columns[i].at, 0, t->columns[i].room * sizeof(char *));
	}
}

static bool has_room(struct numbered_texts *n, uint32_t number)
{
	size_t room = n->room ? n->room : 64;
	const char **at;

	if (number < n->room)
		return true;
	while (room <= number)
		room *= 2;
	at = reallocarray(n->at, room, sizeof(*at));
	if (!at)
		return false;
	memset(at + n->room, 0, (room - n->room) * sizeof(*at));
	n->at = at;
	n->room = room;
	return true;
}

const char *sql_texts_of(struct sql_texts *t, size_t column, const struct jfrec_table_value *v,
			 uint64_t chunk)
{
	struct numbered_texts *n = &t->columns[column];

	if (chunk != t->chunk)
		enter_chunk(t, chunk);
	if (v->number >= MOST_NUMBERS || !has_room(n, v->number))
		return sql_texts_keep(t, v->text, v->len);
	if (!n->at[v->number])
		n->at[v->number] = sql_texts_keep(t, v->text, v->len);
	return n->at[v->number];
}
