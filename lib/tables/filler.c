/* SPDX-License-Identifier: MIT */
/*
 * filler.c - put rows of a table into a batch
 */
#include "tables/filler.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/*
 * Constants with lower entries have a place in an array: most that rows have do.  So many for each
 * row, and no more than LOW_MOST: a few events cannot ask for much memory.
 */
#define LOW_MOST    65536u
#define LOW_LEAST   64u
#define LOW_PER_ROW 4u

/* Rows of a block have so many words in their slots: types with hundreds of fields have fewer. */
#define BLOCK_WORDS 2048u

int filler_init(struct filler *f, const struct filler_source *sources, size_t count, size_t rows,
		struct jfrec_error *err)
{
	*f = (struct filler){ .sources = sources };
	f->groups = calloc(count + 1, sizeof(*f->groups));
	return f->groups ? batch_init(&f->batch, count, rows, err) : jfrec_fail_memory(err);
}

/* Constants that were met ---------------------------------------------------------------------- */

static void forget_met(struct filler *f)
{
	for (size_t i = 0; i < f->group_count; i++) {
		struct met_rows *m = &f->groups[i].met;

		idmap_fini(&m->map);
		if (m->low)
			memset(m->low, 0, m->low_room * sizeof(*m->low));
	}
}

/* Take it off the list of those that wait, and its rows with it. */
static void forget_waiting(struct filler *f)
{
	struct filler **at = f->values ? &f->values->waiting : NULL;

	while (at && *at && *at != f)
		at = &(*at)->next;
	if (at && *at)
		*at = f->next;
	f->values = NULL;
	f->next = NULL;
	f->waiting = 0;
}

void filler_fini(struct filler *f)
{
	forget_waiting(f);
	free(f->slots);
	for (size_t i = 0; f->groups && i < f->batch.column_count; i++) {
		idmap_fini(&f->groups[i].met.map);
		free(f->groups[i].met.low);
	}
	free(f->groups);
	batch_fini(&f->batch);
	*f = (struct filler){ 0 };
}

void filler_clear(struct filler *f)
{
	forget_waiting(f);
	batch_clear(&f->batch);
	forget_met(f);
}

void filler_restart(struct filler *f)
{
	forget_waiting(f);
	batch_restart(&f->batch);
	forget_met(f);
}

bool filler_give(struct filler *f, struct batch *b)
{
	*b = f->batch;
	forget_met(f);
	return batch_init(&f->batch, b->column_count, b->most, NULL) == 0;
}

static bool widen_low(struct met_rows *m, uint32_t entry)
{
	uint32_t room = m->low_room ? m->low_room : LOW_LEAST, *low;

	while (room <= entry)
		room *= 2;
	low = reallocarray(m->low, room, sizeof(*low));
	if (!low)
		return false;
	memset(low + m->low_room, 0, (room - m->low_room) * sizeof(*low));
	m->low = low;
	m->low_room = room;
	return true;
}

/* Where the row in which that constant was met is kept, + 1; 0 there: not yet.  NULL: no memory. */
static uint32_t *met_place(struct met_rows *m, uint32_t entry, size_t rows)
{
	if (entry < m->low_room)
		return &m->low[entry];
	if (entry >= LOW_MOST || entry / LOW_PER_ROW > rows + LOW_LEAST)
		return idmap_put(&m->map, entry, 0);
	return widen_low(m, entry) ? &m->low[entry] : NULL;
}

/* Groups --------------------------------------------------------------------------------------- */

static const struct value_getter *getter_of(const struct filler *f, size_t column)
{
	const struct filler_source *s = &f->sources[column];

	return s->label ? NULL : &f->getters->items[s->column];
}

static bool is_of_group(const struct filler_group *group, const struct value_getter *g)
{
	const struct value_getter *first = group->getter;

	return g && first && g->way == BY_CONSTANT && first->way == BY_CONSTANT &&
	       g->slot == first->slot && g->memo->type == first->memo->type;
}

/* Columns that have no value in this chunk are in no group. */
static void make_groups(struct filler *f)
{
	struct filler_group *group = NULL;

	forget_met(f);
	f->group_count = 0;
	for (size_t i = 0; i < f->batch.column_count; i++) {
		const struct value_getter *g = getter_of(f, i);

		if (g && g->way == BY_NOTHING) {
			group = NULL;
		} else if (group && is_of_group(group, g)) {
			group->count++;
		} else {
			group = &f->groups[f->group_count++];
			group->first = i;
			group->count = 1;
			group->getter = g;
		}
	}
}

/* Values --------------------------------------------------------------------------------------- */

/* A group of columns in the rows that wait. */
struct block {
	struct filler *f;
	struct values *values;
	struct filler_group *group;
	struct batch_column *column; /* the first */
	const uint64_t *slots;	     /* of the group, in the first row */
	size_t first, count, steps;
};

static uint64_t slot_at(const struct block *k, size_t i)
{
	return k->slots[i * k->steps];
}

static bool set_text(struct filler *f, size_t column, size_t row, const char *s, size_t len)
{
	uint32_t n = batch_text_number(&f->batch, column, s, len);

	if (n != UINT32_MAX)
		batch_column_set(&f->batch.columns[column], row, n);
	return n != UINT32_MAX;
}

static bool set_value(struct filler *f, size_t column, size_t row,
		      const struct jfrec_table_value *v)
{
	uint64_t word = (uint64_t)v->i;
	float narrow;

	if (v->is_null)
		return true;
	switch (f->sources[column].kind) {
	case JFREC_KIND_FLOAT32:
		narrow = (float)v->d;
		word = 0;
		memcpy(&word, &narrow, sizeof(narrow));
		break;
	case JFREC_KIND_FLOAT64:
		memcpy(&word, &v->d, sizeof(word));
		break;
	default:
		if (kind_is_text(f->sources[column].kind))
			return set_text(f, column, row, v->text, v->len);
	}
	batch_column_set(&f->batch.columns[column], row, word);
	return true;
}

/* What values_get() has for the columns, once the row is the one at hand again. */
static bool add_any(struct block *k, size_t i)
{
	struct render *r = &k->values->render;
	struct filler *f = k->f;
	struct jfrec_table_value v;

	memcpy(r->slots, f->slots + i * k->steps, k->steps * sizeof(*f->slots));
	/* Those of constants come after them. */
	r->slot_count = k->steps;
	for (size_t c = k->group->first; c < k->group->first + k->group->count; c++) {
		values_get(k->values, getter_of(f, c), &v);
		if (!set_value(f, c, k->first + i, &v))
			return false;
	}
	return true;
}

static bool add_each(struct block *k)
{
	for (size_t i = 0; i < k->count; i++) {
		if (!add_any(k, i))
			return false;
	}
	return true;
}

static bool add_words(struct block *k)
{
	uint64_t *to = k->column->words + k->first;

	for (size_t i = 0; i < k->count; i++)
		to[i] = slot_at(k, i);
	batch_column_fill(k->column, k->first, k->count);
	return true;
}

static bool add_ticks(struct block *k)
{
	int64_t n;

	for (size_t i = 0; i < k->count; i++) {
		if (values_ticks(k->values, k->group->getter, slot_at(k, i), &n))
			batch_column_set(k->column, k->first + i, (uint64_t)n);
	}
	return true;
}

static bool add_numbers(struct block *k)
{
	struct jfrec_table_value v = { .is_null = true };

	for (size_t i = 0; i < k->count; i++) {
		values_number(k->values, k->group->getter, slot_at(k, i), &v);
		set_value(k->f, k->group->first, k->first + i, &v);
	}
	return true;
}

/* Constants ------------------------------------------------------------------------------------ */

/* No row: the constant is not there. */
#define NO_ROW UINT32_MAX

/* The row that has the values of row i already, or itself; *from gets it. */
static bool add_constant(struct block *k, size_t i, uint64_t key, uint32_t *from)
{
	uint32_t entry = values_entry(k->values, k->group->getter->memo->type, key), *place;
	size_t row = k->first + i;

	*from = NO_ROW;
	if (entry == POOL_NONE)
		return true;
	place = met_place(&k->group->met, entry, row);
	if (!place || (!*place && !add_any(k, i)))
		return false;
	*from = *place ? *place - 1 : (uint32_t)row;
	/* The last row, not the first one: it is near. */
	*place = (uint32_t)row + 1;
	return true;
}

/* The values that other rows have, or none where these have none. */
static void copy_rows(struct block *k, const uint32_t *from)
{
	struct batch_column *end = k->column + k->group->count;

	for (struct batch_column *c = k->column; c < end; c++) {
		for (size_t i = 0, to = k->first; i < k->count; i++, to++) {
			if (from[i] == NO_ROW)
				continue;
			c->words[to] = c->words[from[i]];
			c->present[to / 64] |= (uint64_t)batch_has(c, from[i]) << (to & 63);
		}
	}
}

static bool add_constants(struct block *k)
{
	uint32_t from[FILLER_BLOCK_ROWS];

	for (size_t i = 0; i < k->count; i++) {
		if (i && slot_at(k, i) == slot_at(k, i - 1))
			from[i] = from[i - 1];
		else if (!add_constant(k, i, slot_at(k, i), &from[i]))
			return false;
	}
	copy_rows(k, from);
	return true;
}

/* Texts ---------------------------------------------------------------------------------------- */

/* *size gets the bytes that it has in the event, if that is where it is and if it is plain. */
static bool add_string(struct block *k, size_t i, size_t *size)
{
	uint64_t slot = slot_at(k, i), key;
	const char *text;
	uint32_t from;
	size_t len;

	*size = 0;
	if (values_plain(k->values, slot, &text, &len)) {
		*size = (size_t)(text + len - (const char *)slot_bytes(slot));
		return set_text(k->f, k->group->first, k->first + i, text, len);
	}
	if (!values_string_key(k->values, slot, &key))
		return add_any(k, i);
	if (!add_constant(k, i, key, &from))
		return false;
	if (from != NO_ROW && batch_has(k->column, from))
		batch_column_set(k->column, k->first + i, k->column->words[from]);
	return true;
}

/* Is it the same as that of the row before, whose `size` bytes are plain? */
static bool comes_again(const struct block *k, size_t i, size_t size)
{
	const uint8_t *s = slot_bytes(slot_at(k, i));

	return size && size <= (size_t)(k->values->render.current->chunk->end - s) &&
	       memcmp(s, slot_bytes(slot_at(k, i - 1)), size) == 0;
}

/* Many events in a row have the same text. */
static bool add_strings(struct block *k)
{
	size_t size = 0;

	for (size_t i = 0; i < k->count; i++) {
		size_t row = k->first + i;

		if (comes_again(k, i, size))
			batch_column_set(k->column, row, k->column->words[row - 1]);
		else if (!add_string(k, i, &size))
			return false;
	}
	return true;
}

static bool add_label(struct block *k)
{
	const char *value = k->f->sources[k->group->first].label->value;

	for (size_t i = 0; i < k->count; i++) {
		if (!set_text(k->f, k->group->first, k->first + i, value, strlen(value)))
			return false;
	}
	return true;
}

/* Blocks --------------------------------------------------------------------------------------- */

static bool add_group(struct block *k)
{
	if (!k->group->getter)
		return add_label(k);
	switch (k->group->getter->way) {
	case BY_WORD:
		return add_words(k);
	case BY_TIME:
	case BY_SPAN:
		return add_ticks(k);
	case BY_NUMBER:
		return add_numbers(k);
	case BY_STRING:
		return add_strings(k);
	case BY_CONSTANT:
		return add_constants(k);
	default:
		return add_each(k);
	}
}

bool filler_settle(struct filler *f)
{
	struct block k = {
		.f = f,
		.values = f->values,
		.first = f->batch.rows,
		.count = f->waiting,
		.steps = f->steps,
	};
	bool ok = !k.count || batch_reserve(&f->batch, k.count);

	for (size_t i = 0; k.count && ok && i < f->group_count; i++) {
		k.group = &f->groups[i];
		k.column = &f->batch.columns[k.group->first];
		k.slots = f->slots + (k.group->getter ? k.group->getter->slot : 0);
		ok = add_group(&k);
	}
	if (ok)
		f->batch.rows += k.count;
	f->waiting = 0;
	return ok;
}

bool fillers_settle(struct values *v)
{
	bool ok = true;

	while (v->waiting) {
		ok = filler_settle(v->waiting) && ok;
		forget_waiting(v->waiting);
	}
	return ok;
}

void fillers_forget(struct values *v)
{
	while (v->waiting)
		forget_waiting(v->waiting);
}

/* Rows of another chunk, or of another type, have other groups. */
static bool begin_type(struct filler *f, struct values *values, const struct value_getters *getters)
{
	size_t room = BLOCK_WORDS / (getters->steps + 1) + 1;

	if (!filler_settle(f))
		return false;
	f->chunk = values->chunk_number;
	f->getters = getters;
	make_groups(f);
	f->steps = getters->steps;
	f->block_rows = room < FILLER_BLOCK_ROWS ? (unsigned)room : FILLER_BLOCK_ROWS;
	if (f->block_rows * f->steps < f->slot_room)
		return true;
	free(f->slots);
	f->slot_room = f->block_rows * f->steps + 1;
	f->slots = reallocarray(NULL, f->slot_room, sizeof(*f->slots));
	if (!f->slots)
		f->slot_room = 0;
	return f->slots != NULL;
}

bool filler_add(struct filler *f, struct values *values, const struct value_getters *getters)
{
	if ((f->chunk != values->chunk_number || f->getters != getters) &&
	    !begin_type(f, values, getters))
		return false;
	if (!f->values) {
		f->values = values;
		f->next = values->waiting;
		values->waiting = f;
	}
	memcpy(f->slots + (size_t)f->waiting++ * f->steps, values->render.slots,
	       f->steps * sizeof(*f->slots));
	if (f->waiting < f->block_rows && !filler_is_long(values))
		return true;
	return filler_settle(f);
}
