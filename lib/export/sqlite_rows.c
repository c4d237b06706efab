/* SPDX-License-Identifier: MIT */
/*
 * sqlite_rows.c - rows of a table that are read again and again, in memory
 *
 * Texts are kept once each.  Rows with the same hash of their key are a chain.  Rows that are to be
 * grouped are put into the order of their groups, of which there are few: faster than to sort them.
 */
#include "export/sqlite_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/digest.h"
#include "base/error.h"

struct kept_row {
	const char *recording;
	uint32_t next; /* of its chain: + 1; 0: the last */
};

/* The rows that have the same value in the column that they are in the order of. */
struct row_group {
	struct jfrec_table_value value; /* of which texts are equal if their addresses are */
	uint32_t count, first; /* the first place in row_store.order */
};

struct row_store {
	struct sql_texts *texts;
	uint64_t chunk; /* of the row before */
	const char *recording;
	size_t width;		 /* columns that are kept */
	uint16_t *place;	 /* of each column, + 1; 0: it is not kept */
	size_t *kept;		 /* the column at each place */
	size_t key;		 /* its place; SIZE_MAX: none */
	bool key_is_text;
	struct kept_row *rows;
	size_t count, room;
	struct jfrec_table_value *values;
	size_t value_count, value_room;
	uint32_t *chains; /* by hash: a row + 1; or, while rows are grouped, a group + 1 */
	uint32_t mask;
	uint32_t *order; /* rows by their group, or NULL */
};

static struct digest text_digest(const char *text, size_t len)
{
	struct digest d = DIGEST_INIT;

	digest_bytes(&d, text, len);
	return d;
}

static bool keep_value(struct row_store *s, size_t column, struct jfrec_table_value v, bool is_text)
{
	if (!v.is_null && is_text)
		v.text = sql_texts_of(s->texts, column, &v, s->chunk);
	return (v.is_null || !is_text || v.text) &&
	       array_push(s->values, s->value_count, s->value_room, v);
}

/* It changes with the chunk, if at all. */
static const char *recording_of(struct row_store *s, const struct jfrec_rows *rows)
{
	const char *name;

	if (s->recording && s->chunk == jfrec_rows_chunk(rows))
		return s->recording;
	s->chunk = jfrec_rows_chunk(rows);
	name = jfrec_rows_recording(rows);
	s->recording = sql_texts_keep(s->texts, name, strlen(name) + 1);
	return s->recording;
}

static bool keep_row(struct row_store *s, struct jfrec_rows *rows, const bool *is_text)
{
	struct kept_row row = { recording_of(s, rows), 0 };
	struct jfrec_table_value v;

	if (!row.recording || s->count == UINT32_MAX - 1 ||
	    !array_push(s->rows, s->count, s->room, row))
		return false;
	for (size_t i = 0; i < s->width; i++) {
		jfrec_rows_value(rows, s->kept[i], &v);
		if (!keep_value(s, s->kept[i], v, is_text[s->kept[i]]))
			return false;
	}
	return !jfrec_rows_is_out_of_memory(rows);
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

/* Groups --------------------------------------------------------------------------------------- */

/* Groups while they are found. */
struct groups {
	struct row_group *items;
	size_t count, room;
	uint32_t *of; /* by row */
	bool is_text;
};

static uint32_t group_hash(const struct row_store *s, const struct groups *g,
			   const struct jfrec_table_value *v)
{
	return v->is_null ? 0 : hash_int(s, g->is_text ? (int64_t)(uintptr_t)v->text >> 3 : v->i);
}

static bool is_same(const struct groups *g, const struct jfrec_table_value *a,
		    const struct jfrec_table_value *b)
{
	if (a->is_null || b->is_null)
		return a->is_null == b->is_null;
	return g->is_text ? a->text == b->text && a->len == b->len : a->i == b->i;
}

static bool widen_chains(struct row_store *s, const struct groups *g)
{
	size_t size = s->chains ? 2 * ((size_t)s->mask + 1) : 256;

	free(s->chains);
	s->chains = calloc(size, sizeof(*s->chains));
	s->mask = (uint32_t)(size - 1);
	for (size_t i = 0; s->chains && i < g->count; i++) {
		uint32_t at = group_hash(s, g, &g->items[i].value);

		while (s->chains[at])
			at = (at + 1) & s->mask;
		s->chains[at] = (uint32_t)i + 1;
	}
	return s->chains != NULL;
}

/* The number of the group that a value belongs to; SIZE_MAX: no memory. */
static size_t group_of(struct row_store *s, struct groups *g, const struct jfrec_table_value *v)
{
	const struct row_group new = { .value = *v };
	uint32_t at;

	if ((!s->chains || g->count > s->mask / 2) && !widen_chains(s, g))
		return SIZE_MAX;
	at = group_hash(s, g, v);
	while (s->chains[at] && !is_same(g, &g->items[s->chains[at] - 1].value, v))
		at = (at + 1) & s->mask;
	if (!s->chains[at]) {
		if (!array_push(g->items, g->count, g->room, new))
			return SIZE_MAX;
		s->chains[at] = (uint32_t)g->count;
	}
	return s->chains[at] - 1;
}

static int compare_values(const struct jfrec_table_value *a, const struct jfrec_table_value *b,
			  bool is_text)
{
	int order;

	if (a->is_null || b->is_null)
		return b->is_null - a->is_null;
	if (!is_text)
		return (a->i > b->i) - (a->i < b->i);
	order = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);
	return order ? order : (a->len > b->len) - (a->len < b->len);
}

static int compare_numbers(const void *a, const void *b)
{
	return compare_values(&(*(struct row_group *const *)a)->value,
			      &(*(struct row_group *const *)b)->value, false);
}

static int compare_texts(const void *a, const void *b)
{
	return compare_values(&(*(struct row_group *const *)a)->value,
			      &(*(struct row_group *const *)b)->value, true);
}

/* Where the rows of each group begin. */
static bool place_groups(const struct groups *g)
{
	struct row_group **sorted = calloc(g->count + 1, sizeof(*sorted));
	uint32_t first = 0;

	if (!sorted)
		return false;
	for (size_t i = 0; i < g->count; i++)
		sorted[i] = &g->items[i];
	qsort(sorted, g->count, sizeof(*sorted), g->is_text ? compare_texts : compare_numbers);
	for (size_t i = 0; i < g->count; i++) {
		sorted[i]->first = first;
		first += sorted[i]->count;
	}
	free(sorted);
	return true;
}

static bool order_rows(struct row_store *s, struct groups *g)
{
	for (size_t i = 0; i < s->count; i++) {
		size_t group = group_of(s, g, &s->values[i * s->width + s->key]);

		if (group == SIZE_MAX)
			return false;
		g->of[i] = (uint32_t)group;
		g->items[group].count++;
	}
	if (!place_groups(g))
		return false;
	for (size_t i = 0; i < s->count; i++)
		s->order[g->items[g->of[i]].first++] = (uint32_t)i;
	return true;
}

/* By its values, each of which is compared once. */
static bool group_rows(struct row_store *s, bool is_text)
{
	struct groups g = { .is_text = is_text };
	bool ok;

	g.of = calloc(s->count + 1, sizeof(*g.of));
	s->order = calloc(s->count + 1, sizeof(*s->order));
	ok = g.of && s->order && order_rows(s, &g);
	free(g.of);
	free(g.items);
	free(s->chains);
	s->chains = NULL;
	return ok;
}

/* Stores --------------------------------------------------------------------------------------- */

static bool choose_columns(struct row_store *s, size_t count, uint64_t used, int key)
{
	s->place = calloc(count + 1, sizeof(*s->place));
	s->kept = calloc(count + 1, sizeof(*s->kept));
	s->key = SIZE_MAX;
	for (size_t i = 0; s->place && s->kept && i < count; i++) {
		if (!(used >> (i < 63 ? i : 63) & 1) && (int)i != key)
			continue;
		if ((int)i == key)
			s->key = s->width;
		s->kept[s->width] = i;
		s->place[i] = (uint16_t)++s->width;
	}
	return s->place && s->kept;
}

struct row_store *row_store_new(struct jfrec_rows *rows, size_t count, const bool *is_text,
				uint64_t used, int key, int group, struct sql_texts *texts,
				struct jfrec_error *err)
{
	struct row_store *s = calloc(1, sizeof(*s));
	int by = key >= 0 ? key : group;
	int got = s && choose_columns(s, count, used, by) ? 1 : jfrec_fail_memory(err);

	if (got > 0)
		s->texts = texts;
	if (got > 0 && by >= 0)
		s->key_is_text = is_text[by];
	while (got > 0 && (got = jfrec_rows_next(rows, err)) > 0) {
		if (!keep_row(s, rows, is_text))
			got = jfrec_fail_memory(err);
	}
	if (got == 0 && !(key < 0 && group >= 0 ? group_rows(s, s->key_is_text) : make_chains(s)))
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
	free(s->place);
	free(s->kept);
	free(s->rows);
	free(s->values);
	free(s->chains);
	free(s->order);
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

/* The row at hand. */
static size_t row_at(const struct row_store *s, const struct row_pick *p)
{
	return s->order ? s->order[p->row - 1] : p->row - 1;
}

struct jfrec_table_value row_store_value(const struct row_store *s, const struct row_pick *p,
					 size_t column)
{
	if (!s->place[column])
		return (struct jfrec_table_value){ .is_null = true };
	return s->values[row_at(s, p) * s->width + s->place[column] - 1];
}

const char *row_store_recording(const struct row_store *s, const struct row_pick *p)
{
	return s->rows[row_at(s, p)].recording;
}

size_t row_store_number(const struct row_store *s, const struct row_pick *p)
{
	return row_at(s, p) + 1;
}
