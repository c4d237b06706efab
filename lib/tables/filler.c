/* SPDX-License-Identifier: MIT */
/*
 * filler.c - put rows of a table into a batch
 */
#include "tables/filler.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tables/rows.h"

/*
 * Constants with lower entries have a place in an array: most that rows have do.  So many for each
 * row, and no more than LOW_MOST: a few events cannot ask for much memory.
 */
#define LOW_MOST    65536u
#define LOW_LEAST   64u
#define LOW_PER_ROW 4u

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

void filler_fini(struct filler *f)
{
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
	batch_clear(&f->batch);
	forget_met(f);
}

void filler_restart(struct filler *f)
{
	batch_restart(&f->batch);
	forget_met(f);
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

static bool set_text(struct filler *f, size_t column, const char *s, size_t len)
{
	uint32_t n = batch_text_number(&f->batch, column, s, len);

	if (n != UINT32_MAX)
		batch_set(&f->batch, column, n);
	return n != UINT32_MAX;
}

static bool set_value(struct filler *f, size_t column, const struct jfrec_table_value *v)
{
	uint64_t word = (uint64_t)v->i;
	float narrow;

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
			return set_text(f, column, v->text, v->len);
	}
	batch_set(&f->batch, column, word);
	return true;
}

/* What values_get() has for the columns. */
static bool add_any(struct filler *f, const struct filler_group *group, struct values *values)
{
	struct jfrec_table_value v;

	for (size_t i = 0; i < group->count; i++) {
		values_get(values, getter_of(f, group->first + i), &v);
		if (!v.is_null && !set_value(f, group->first + i, &v))
			return false;
	}
	return true;
}

static bool add_constant(struct filler *f, struct filler_group *group, struct values *values,
			 uint64_t key)
{
	uint32_t entry = values_entry(values, group->getter->memo->type, key), *place;
	struct batch *b = &f->batch;

	if (entry == POOL_NONE)
		return true;
	place = met_place(&group->met, entry, b->rows);
	if (!place || (!*place && !add_any(f, group, values)))
		return false;
	if (*place)
		batch_copy(b, group->first, group->count, *place - 1);
	/* The last row, not the first one: it is near. */
	*place = (uint32_t)b->rows + 1;
	return true;
}

static bool add_string(struct filler *f, struct filler_group *group, struct values *values)
{
	struct batch_text text;
	uint64_t key;

	if (values_plain(values, group->getter, &text.s, &text.len))
		return set_text(f, group->first, text.s, text.len);
	if (values_string_key(values, group->getter, &key))
		return add_constant(f, group, values, key);
	return add_any(f, group, values);
}

static bool add_label(struct filler *f, const struct filler_group *group)
{
	const char *value = f->sources[group->first].label->value;

	return set_text(f, group->first, value, strlen(value));
}

static inline bool add_group(struct filler *f, struct filler_group *group, struct values *values)
{
	const struct value_getter *g = group->getter;
	int64_t n;

	if (!g)
		return add_label(f, group);
	switch (g->way) {
	case BY_WORD:
		batch_set(&f->batch, group->first, values->render.slots[g->slot]);
		return true;
	case BY_TIME:
	case BY_SPAN:
		if (values_ticks(values, g, &n))
			batch_set(&f->batch, group->first, (uint64_t)n);
		return true;
	case BY_STRING:
		return add_string(f, group, values);
	case BY_CONSTANT:
		return add_constant(f, group, values, values->render.slots[g->slot]);
	default:
		return add_any(f, group, values);
	}
}

bool filler_add(struct filler *f, struct jfrec_rows *rows)
{
	const struct value_getters *getters = rows_getters(rows);
	struct values *values = rows_values(rows);

	if (f->chunk != jfrec_rows_chunk(rows) || f->getters != getters) {
		f->chunk = jfrec_rows_chunk(rows);
		f->getters = getters;
		make_groups(f);
	}
	if (!batch_reserve_row(&f->batch))
		return false;
	for (size_t i = 0; i < f->group_count; i++) {
		if (!add_group(f, &f->groups[i], values))
			return false;
	}
	batch_end_row(&f->batch);
	return true;
}
