/* SPDX-License-Identifier: MIT */
/*
 * sqlite_rows.c - rows of a table that are read again and again, in memory
 *
 * Texts are kept once each.  Rows with the same hash of their key are a chain.
 */
#include "export/sqlite_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"

struct kept_row {
	const char *recording;
	uint32_t next; /* of its chain: + 1; 0: the last */
};

struct row_store {
	struct arena arena;
	struct digest_map texts; /* the address of each */
	size_t width;		 /* columns that are kept */
	uint16_t *place;	 /* of each column, + 1; 0: it is not kept */
	size_t key;		 /* its place; SIZE_MAX: none */
	bool key_is_text;
	struct kept_row *rows;
	size_t count, room;
	struct jfrec_table_value *values;
	size_t value_count, value_room;
	uint32_t *chains; /* by hash: a row + 1 */
	uint32_t mask;
};

static struct digest text_digest(const char *text, size_t len)
{
	struct digest d = DIGEST_INIT;

	digest_bytes(&d, text, len);
	return d;
}

/* The same text that lives as long as the store; NULL: no memory. */
static const char *keep_text(struct row_store *s, const char *text, size_t len)
{
	uint64_t *place = digest_map_put(&s->texts, text_digest(text, len));
	char *copy;

	if (!place)
		return NULL;
	if (*place)
		return (const char *)(uintptr_t)*place;
	copy = arena_strndup(&s->arena, text, len);
	/* It must not stay 0. */
	*place = copy ? (uintptr_t)copy : (uintptr_t) "";
	return copy;
}

static bool keep_value(struct row_store *s, struct jfrec_table_value v, bool is_text)
{
	if (!v.is_null && is_text)
		v.text = keep_text(s, v.text, v.len);
	return (v.is_null || !is_text || v.text) &&
	       array_push(s->values, s->value_count, s->value_room, v);
}

static bool keep_row(struct row_store *s, struct jfrec_rows *rows, size_t count,
		     const bool *is_text)
{
	const char *recording = jfrec_rows_recording(rows);
	struct kept_row row = { keep_text(s, recording, strlen(recording) + 1), 0 };
	struct jfrec_table_value v;

	if (!row.recording || s->count == UINT32_MAX - 1 ||
	    !array_push(s->rows, s->count, s->room, row))
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!s->place[i])
			continue;
		jfrec_rows_value(rows, i, &v);
		if (jfrec_rows_is_out_of_memory(rows) || !keep_value(s, v, is_text[i]))
			return false;
	}
	return true;
}

/* Chains --------------------------------------------------------------------------------------- */

static uint32_t hash_int(const struct row_store *s, int64_t i)
{
	return (uint32_t)(((uint64_t)i * 0x9e3779b97f4a7c15u) >> 32) & s->mask;
}

static uint32_t hash_text(const struct row_store *s, const char *text, size_t len)
{
	return (uint32_t)text_digest(text, len).a & s->mask;
}

static bool make_chains(struct row_store *s)
{
	size_t size = 16;

	if (s->key == SIZE_MAX)
		return true;
	while (size < s->count)
		size *= 2;
	s->mask = (uint32_t)(size - 1);
	s->chains = calloc(size, sizeof(*s->chains));
	if (!s->chains)
		return false;
	/* From the last on, so that a chain has the order of the rows. */
	for (size_t i = s->count; i-- > 0;) {
		const struct jfrec_table_value *v = &s->values[i * s->width + s->key];
		uint32_t hash;

		if (v->is_null)
			continue;
		hash = s->key_is_text ? hash_text(s, v->text, v->len) : hash_int(s, v->i);
		s->rows[i].next = s->chains[hash];
		s->chains[hash] = (uint32_t)(i + 1);
	}
	return true;
}

/* Stores --------------------------------------------------------------------------------------- */

static bool choose_columns(struct row_store *s, size_t count, uint64_t used, int key)
{
	s->place = calloc(count + 1, sizeof(*s->place));
	s->key = SIZE_MAX;
	for (size_t i = 0; s->place && i < count; i++) {
		if (!(used >> (i < 63 ? i : 63) & 1) && (int)i != key)
			continue;
		if ((int)i == key)
			s->key = s->width;
		s->place[i] = (uint16_t)++s->width;
	}
	return s->place != NULL;
}

struct row_store *row_store_new(struct jfrec_rows *rows, size_t count, const bool *is_text,
				uint64_t used, int key, struct jfrec_error *err)
{
	struct row_store *s = calloc(1, sizeof(*s));
	int got = s && choose_columns(s, count, used, key) ? 1 : jfrec_fail_memory(err);

	if (got > 0 && s->key != SIZE_MAX)
		s->key_is_text = is_text[key];
	while (got > 0 && (got = jfrec_rows_next(rows, err)) > 0) {
		if (!keep_row(s, rows, count, is_text))
			got = jfrec_fail_memory(err);
	}
	if (got == 0 && !make_chains(s))
		got = jfrec_fail_memory(err);
	if (got == 0)
		return s;
	row_store_free(s);
	return NULL;
}

void row_store_free(struct row_store *s)
{
	if (!s)
		return;
	arena_fini(&s->arena);
	digest_map_fini(&s->texts);
	free(s->place);
	free(s->rows);
	free(s->values);
	free(s->chains);
	free(s);
}

/* A number in a column of texts, and the like, are compared by SQLite's rules, with all rows. */
struct row_pick row_store_pick(const struct row_store *s, sqlite3_value *value)
{
	struct row_pick p = { 0 };
	int type = value && s->chains ? sqlite3_value_type(value) : SQLITE_BLOB;

	if (type == SQLITE_NULL) {
		p.is_chain = true;
	} else if (type == SQLITE_INTEGER && !s->key_is_text) {
		p.is_chain = true;
		p.next = s->chains[hash_int(s, sqlite3_value_int64(value))];
	} else if (type == SQLITE_TEXT && s->key_is_text) {
		const char *text = (const char *)sqlite3_value_text(value);

		p.is_chain = text != NULL;
		if (text)
			p.next = s->chains[hash_text(s, text,
						     (size_t)sqlite3_value_bytes(value))];
	}
	return p;
}

bool row_store_next(const struct row_store *s, struct row_pick *p)
{
	if (!p->is_chain)
		return p->row++ < s->count;
	p->row = p->next;
	if (!p->row)
		return false;
	p->next = s->rows[p->row - 1].next;
	return true;
}

struct jfrec_table_value row_store_value(const struct row_store *s, const struct row_pick *p,
					 size_t column)
{
	if (!s->place[column])
		return (struct jfrec_table_value){ .is_null = true };
	return s->values[(p->row - 1) * s->width + s->place[column] - 1];
}

const char *row_store_recording(const struct row_store *s, const struct row_pick *p)
{
	return s->rows[p->row - 1].recording;
}
