/* SPDX-License-Identifier: MIT */
/*
 * sqlite_rows.c - rows of a table that are read repeatedly, in memory
 *
 * Rows are a batch: a word for each value, and texts once each.  Rows with the same hash of their
 * key are a chain.  Rows that are to be grouped are put into the order of their groups, of which
 * there are few: faster than to sort them.
 */
#include "sql/sqlite_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/digest.h"
#include "base/error.h"
#include "tables/filler.h"
#include "tables/rows.h"

/* A column that is kept. */
struct kept_column {
	enum jfrec_kind kind;
	const char **texts; /* by their number in the batch, as SQLite is given them */
};

/* Where the rows of a recording begin. */
struct kept_recording {
	size_t first;
	const char *name;
};

/* The rows that have the same values in the columns that they are in the order of. */
struct row_group {
	const struct row_store *store;
	size_t row; /* one of them */
	uint32_t count, first; /* the first place in row_store.order */
};

struct row_store {
	struct sql_texts *texts;
	struct filler filler;
	struct filler_source *sources; /* of its columns */
	struct kept_column *columns;   /* the same */
	uint16_t *place;	       /* of each column of the table, + 1; 0: it is not kept */
	size_t width;		       /* columns that are kept */
	size_t key;		       /* its place; SIZE_MAX: none */
	struct row_order groups;       /* the places of its columns */
	size_t count;		       /* of rows */
	uint64_t chunk;		       /* of the row before */
	struct kept_recording *recordings;
	size_t recording_count, recording_room;
	uint32_t *chains; /* by hash: a row + 1; or, while rows are grouped, a group + 1 */
	uint32_t *next;	  /* by row: the next of its chain, + 1; 0: it is the last */
	uint32_t mask;
	uint32_t *order; /* rows by their group, or NULL */
};

/* Values --------------------------------------------------------------------------------------- */

static struct jfrec_table_value value_at(const struct row_store *s, size_t place, size_t row)
{
	const struct batch_column *c = &s->filler.batch.columns[place];
	struct jfrec_table_value v = { .is_null = !batch_has(c, row),
				       .number = JFREC_TABLE_NO_NUMBER };
	float narrow;

	if (v.is_null)
		return v;
	if (kind_is_text(s->columns[place].kind)) {
		v.text = s->columns[place].texts[c->words[row]];
		v.len = (uint32_t)text_dictionary_get(&c->texts, c->words[row]).len;
	} else if (s->columns[place].kind == JFREC_KIND_FLOAT32) {
		memcpy(&narrow, &c->words[row], sizeof(narrow));
		v.d = (double)narrow;
	} else {
		memcpy(&v.i, &c->words[row], sizeof(v.i)); /* or .d, in the same place */
	}
	return v;
}

/* SQLite may hold on to texts when the store is gone. */
static bool keep_texts(struct row_store *s, size_t place)
{
	const struct text_dictionary *d = &s->filler.batch.columns[place].texts;
	const char **texts = calloc((size_t)d->count + 1, sizeof(*texts));

	s->columns[place].texts = texts;
	for (uint32_t i = 0; texts && i < d->count; i++) {
		struct batch_text text = text_dictionary_get(d, i);

		texts[i] = sql_texts_keep(s->texts, text.s, text.len);
		if (!texts[i])
			return false;
	}
	return texts != NULL;
}

/* It changes with the chunk, if at all. */
static bool keep_recording(struct row_store *s, const struct jfrec_rows *rows)
{
	const char *name = jfrec_rows_recording(rows);
	struct kept_recording new = { s->count, sql_texts_keep(s->texts, name, strlen(name) + 1) };

	s->chunk = jfrec_rows_chunk(rows);
	return new.name && array_push(s->recordings, s->recording_count, s->recording_room, new);
}

static bool keep_row(struct row_store *s, struct jfrec_rows *rows)
{
	if (s->count == UINT32_MAX - 1 ||
	    ((!s->count || s->chunk != jfrec_rows_chunk(rows)) && !keep_recording(s, rows)) ||
	    !rows_fill(rows, &s->filler))
		return false;
	s->count++;
	return true;
}

/* Chains --------------------------------------------------------------------------------------- */

static uint32_t hash_int(const struct row_store *s, int64_t i)
{
	return (uint32_t)(((uint64_t)i * 0x9e3779b97f4a7c15u) >> 32) & s->mask;
}

static uint32_t hash_text(const struct row_store *s, const char *text, size_t len)
{
	struct digest d = DIGEST_INIT;

	digest_bytes(&d, text, len);
	return (uint32_t)d.a & s->mask;
}

static uint32_t hash_value(const struct row_store *s, const struct jfrec_table_value *v)
{
	return kind_is_text(s->columns[s->key].kind) ? hash_text(s, v->text, v->len)
						     : hash_int(s, v->i);
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
	s->next = calloc(s->count + 1, sizeof(*s->next));
	if (!s->chains || !s->next)
		return false;
	/* From the last on, so that a chain has the order of the rows. */
	for (size_t i = s->count; i-- > 0;) {
		struct jfrec_table_value v = value_at(s, s->key, i);
		uint32_t hash;

		if (v.is_null)
			continue;
		hash = hash_value(s, &v);
		s->next[i] = s->chains[hash];
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
};

static const struct batch_column *group_column(const struct row_store *s, unsigned i)
{
	return &s->filler.batch.columns[s->groups.columns[i]];
}

static uint32_t group_hash(const struct row_store *s, size_t row)
{
	uint64_t words = 0;

	for (unsigned i = 0; i < s->groups.count; i++) {
		const struct batch_column *c = group_column(s, i);

		words = words * 0x85ebca6bu + (batch_has(c, row) ? c->words[row] : 0);
	}
	return hash_int(s, (int64_t)words);
}

static bool is_same_group(const struct row_store *s, size_t a, size_t b)
{
	for (unsigned i = 0; i < s->groups.count; i++) {
		const struct batch_column *c = group_column(s, i);

		if (batch_has(c, a) != batch_has(c, b) ||
		    (batch_has(c, a) && c->words[a] != c->words[b]))
			return false;
	}
	return true;
}

static bool widen_chains(struct row_store *s, const struct groups *g)
{
	size_t size = s->chains ? 2 * ((size_t)s->mask + 1) : 256;

	free(s->chains);
	s->chains = calloc(size, sizeof(*s->chains));
	s->mask = (uint32_t)(size - 1);
	for (size_t i = 0; s->chains && i < g->count; i++) {
		uint32_t at = group_hash(s, g->items[i].row);

		while (s->chains[at])
			at = (at + 1) & s->mask;
		s->chains[at] = (uint32_t)i + 1;
	}
	return s->chains != NULL;
}

/* The number of the group that a row belongs to; SIZE_MAX: no memory. */
static size_t group_of(struct row_store *s, struct groups *g, size_t row)
{
	uint32_t at;

	if ((!s->chains || g->count > s->mask / 2) && !widen_chains(s, g))
		return SIZE_MAX;
	for (at = group_hash(s, row); s->chains[at]; at = (at + 1) & s->mask) {
		if (is_same_group(s, g->items[s->chains[at] - 1].row, row))
			return s->chains[at] - 1;
	}
	if (!array_push(g->items, g->count, g->room,
			((struct row_group){ .store = s, .row = row })))
		return SIZE_MAX;
	s->chains[at] = (uint32_t)g->count;
	return g->count - 1;
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

static int compare_groups(const void *a, const void *b)
{
	const struct row_group *x = *(struct row_group *const *)a;
	const struct row_group *y = *(struct row_group *const *)b;
	const struct row_store *s = x->store;

	for (unsigned i = 0; i < s->groups.count; i++) {
		size_t place = s->groups.columns[i];
		struct jfrec_table_value v = value_at(s, place, x->row);
		struct jfrec_table_value w = value_at(s, place, y->row);
		int order = compare_values(&v, &w, kind_is_text(s->columns[place].kind));

		if (order)
			return s->groups.descends[i] ? -order : order;
	}
	return 0;
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
	qsort(sorted, g->count, sizeof(*sorted), compare_groups);
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
		size_t group = group_of(s, g, i);

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

/* Those of a group are put together without comparing them: only groups are sorted. */
static bool group_rows(struct row_store *s)
{
	struct groups g = { 0 };
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

/* Where that column is in an order, or NULL. */
static size_t *find_ordered(struct row_order *o, size_t column)
{
	for (unsigned i = 0; i < o->count; i++) {
		if (o->columns[i] == column)
			return &o->columns[i];
	}
	return NULL;
}

static bool choose_columns(struct row_store *s, const struct jfrec_tables *t, size_t table,
			   uint64_t used, int key, struct row_order groups)
{
	size_t count = jfrec_tables_get(t, table)->column_count;

	s->place = calloc(count + 1, sizeof(*s->place));
	s->sources = calloc(count + 1, sizeof(*s->sources));
	s->columns = calloc(count + 1, sizeof(*s->columns));
	s->key = SIZE_MAX;
	s->groups = groups;
	for (size_t i = 0; s->place && s->sources && s->columns && i < count; i++) {
		enum jfrec_kind kind = jfrec_tables_column_get(t, table, i)->kind;
		size_t *ordered = find_ordered(&groups, i);

		if (!(used >> (i < 63 ? i : 63) & 1) && (int)i != key && !ordered)
			continue;
		if ((int)i == key)
			s->key = s->width;
		if (ordered)
			s->groups.columns[ordered - groups.columns] = s->width;
		s->sources[s->width] = (struct filler_source){ .column = i, .kind = kind };
		s->columns[s->width].kind = kind;
		s->place[i] = (uint16_t)++s->width;
	}
	return s->place && s->sources && s->columns;
}

static int keep_rows(struct row_store *s, struct jfrec_rows *rows, struct jfrec_error *err)
{
	int got;

	while ((got = jfrec_rows_next(rows, err)) > 0) {
		if (!keep_row(s, rows))
			return jfrec_fail_memory(err);
	}
	for (size_t i = 0; got == 0 && i < s->width; i++) {
		if (kind_is_text(s->columns[i].kind) && !keep_texts(s, i))
			return jfrec_fail_memory(err);
	}
	return got;
}

struct row_store *row_store_new(struct jfrec_rows *rows, const struct jfrec_tables *t, size_t table,
				uint64_t used, int key, const struct row_order *groups,
				struct sql_texts *texts, struct jfrec_error *err)
{
	struct row_store *s = calloc(1, sizeof(*s));

	if (!s || !choose_columns(s, t, table, used, key, *groups)) {
		jfrec_fail_memory(err);
		goto fail;
	}
	s->texts = texts;
	if (filler_init(&s->filler, s->sources, s->width, 0, err) < 0 ||
	    keep_rows(s, rows, err) < 0)
		goto fail;
	if (groups->count ? group_rows(s) : make_chains(s))
		return s;
	jfrec_fail_memory(err);
fail:
	row_store_free(s);
	return NULL;
}

void row_store_free(struct row_store *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->columns && i < s->width; i++)
		free(s->columns[i].texts);
	filler_fini(&s->filler);
	free(s->columns);
	free(s->sources);
	free(s->place);
	free(s->recordings);
	free(s->next);
	free(s->chains);
	free(s->order);
	free(s);
}

/* A number in a column of texts, and the like, are compared by SQLite's rules, with all rows. */
struct row_pick row_store_pick(const struct row_store *s, sqlite3_value *value)
{
	struct row_pick p = { 0 };
	int type = value && s->chains ? sqlite3_value_type(value) : SQLITE_BLOB;
	bool is_text = s->key != SIZE_MAX && kind_is_text(s->columns[s->key].kind);

	if (type == SQLITE_NULL) {
		p.is_chain = true;
	} else if (type == SQLITE_INTEGER && !is_text) {
		p.is_chain = true;
		p.next = s->chains[hash_int(s, sqlite3_value_int64(value))];
	} else if (type == SQLITE_TEXT && is_text) {
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
	p->next = s->next[p->row - 1];
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
	return value_at(s, s->place[column] - 1, row_at(s, p));
}

const char *row_store_recording(const struct row_store *s, const struct row_pick *p)
{
	size_t row = row_at(s, p), low = 0, high = s->recording_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (s->recordings[middle].first <= row)
			low = middle;
		else
			high = middle;
	}
	return s->recordings[low].name;
}

size_t row_store_number(const struct row_store *s, const struct row_pick *p)
{
	return row_at(s, p) + 1;
}
