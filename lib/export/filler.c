/* SPDX-License-Identifier: MIT */
/*
 * filler.c - put rows of a table into a batch
 */
#include "export/filler.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "export/rows.h"

/*
 * Texts with lower numbers have a place in an array: most constants that rows have do.  So many for
 * each row, and no more than LOW_MOST: a few events cannot ask for much memory.
 */
#define LOW_MOST    65536u
#define LOW_LEAST   64u
#define LOW_PER_ROW 4u

static void forget_numbers(struct filler *f)
{
	for (size_t i = 0; f->numbers && i < f->batch.column_count; i++) {
		struct text_numbers *n = &f->numbers[i];

		idmap_fini(&n->map);
		if (n->low)
			memset(n->low, 0, n->low_room * sizeof(*n->low));
	}
}

static void free_numbers(struct filler *f)
{
	for (size_t i = 0; f->numbers && i < f->batch.column_count; i++) {
		idmap_fini(&f->numbers[i].map);
		free(f->numbers[i].low);
	}
	free(f->numbers);
}

int filler_init(struct filler *f, const struct filler_source *sources, size_t count, size_t rows,
		struct jfrec_error *err)
{
	*f = (struct filler){ .sources = sources };
	f->numbers = calloc(count + 1, sizeof(*f->numbers));
	return f->numbers ? batch_init(&f->batch, count, rows, err) : jfrec_fail_memory(err);
}

void filler_fini(struct filler *f)
{
	free_numbers(f);
	batch_fini(&f->batch);
	*f = (struct filler){ 0 };
}

void filler_clear(struct filler *f)
{
	batch_clear(&f->batch);
	forget_numbers(f);
}

void filler_restart(struct filler *f)
{
	batch_restart(&f->batch);
	forget_numbers(f);
}

static bool widen_low(struct text_numbers *n, uint32_t number)
{
	uint32_t room = n->low_room ? n->low_room : LOW_LEAST, *low;

	while (room <= number)
		room *= 2;
	low = reallocarray(n->low, room, sizeof(*low));
	if (!low)
		return false;
	memset(low + n->low_room, 0, (room - n->low_room) * sizeof(*low));
	n->low = low;
	n->low_room = room;
	return true;
}

/* The number in the batch of the text with that number in the chunk, or UINT32_MAX. */
static uint32_t known_number(const struct text_numbers *n, uint32_t number)
{
	if (number < n->low_room && n->low[number])
		return n->low[number] - 1;
	return idmap_get(&n->map, number);
}

static bool know_number(struct text_numbers *n, uint32_t number, uint32_t in_batch, size_t rows)
{
	if (number >= LOW_MOST || (number >= n->low_room && number / LOW_PER_ROW > rows + LOW_LEAST))
		return idmap_put(&n->map, number, in_batch) != NULL;
	if (number >= n->low_room && !widen_low(n, number))
		return false;
	n->low[number] = in_batch + 1;
	return true;
}

/* UINT32_MAX: memory is gone. */
static uint32_t text_number(struct filler *f, size_t column, uint32_t number, const char *s,
			    size_t len)
{
	struct text_numbers *n = &f->numbers[column];
	uint32_t found;

	if (number == JFREC_TABLE_NO_NUMBER)
		return batch_text_number(&f->batch, column, s, len);
	found = known_number(n, number);
	if (found != UINT32_MAX)
		return found;
	found = batch_text_number(&f->batch, column, s, len);
	if (found == UINT32_MAX || !know_number(n, number, found, f->batch.rows))
		return UINT32_MAX;
	return found;
}

static bool set_text(struct filler *f, size_t column, uint32_t number, const char *s, size_t len)
{
	uint32_t n = text_number(f, column, number, s, len);

	if (n != UINT32_MAX)
		batch_set(&f->batch, column, n);
	return n != UINT32_MAX;
}

static bool is_fraction(enum jfrec_table_kind kind)
{
	return kind == JFREC_TABLE_FLOAT32 || kind == JFREC_TABLE_FLOAT64;
}

/* A constant's number is that of its text, too. */
static bool set_value(struct filler *f, size_t column, const struct jfrec_table_value *v,
		      uint32_t number)
{
	uint64_t word = (uint64_t)v->i;
	float narrow;

	switch (f->sources[column].kind) {
	case JFREC_TABLE_FLOAT32:
		narrow = (float)v->d;
		word = 0;
		memcpy(&word, &narrow, sizeof(narrow));
		break;
	case JFREC_TABLE_FLOAT64:
		memcpy(&word, &v->d, sizeof(word));
		break;
	default:
		if (f->sources[column].kind >= JFREC_TABLE_TEXT)
			return set_text(f, column, number, v->text, v->len);
	}
	batch_set(&f->batch, column, word);
	return true;
}

/* The value of a constant, which often was met before.  *is_done: there is nothing left to do. */
static bool add_constant(struct filler *f, size_t column, struct values *values,
			 const struct value_getter *g, uint64_t key, bool *is_done)
{
	uint32_t entry = values_entry(values, g->memo->type, key), in_batch;
	const struct jfrec_table_value *kept;

	*is_done = false;
	if (entry == POOL_NONE)
		return true;
	if (kind_is_text(f->sources[column].kind)) {
		in_batch = known_number(&f->numbers[column], entry);
		*is_done = in_batch != UINT32_MAX;
		if (*is_done)
			batch_set(&f->batch, column, in_batch);
		return true;
	}
	kept = values_kept(values, g, entry);
	*is_done = kept != NULL;
	if (!kept || kept->is_null)
		return true;
	if (is_fraction(f->sources[column].kind))
		return set_value(f, column, kept, entry);
	batch_set(&f->batch, column, (uint64_t)kept->i);
	return true;
}

/* The value of one column of the row. */
static bool add_value(struct filler *f, size_t column, struct values *values,
		      const struct value_getter *g)
{
	enum jfrec_table_kind kind = f->sources[column].kind;
	struct jfrec_table_value v;
	bool is_done;
	uint64_t key;
	int64_t n;

	if (g->way == BY_WORD) {
		batch_set(&f->batch, column, values->render.slots[g->slot]);
		return true;
	}
	if (g->way == BY_NUMBER && !is_fraction(kind) && !kind_is_text(kind)) {
		if (values_number(values, g, &n))
			batch_set(&f->batch, column, (uint64_t)n);
		return true;
	}
	if (values_key(values, g, &key)) {
		bool is_good = add_constant(f, column, values, g, key, &is_done);

		if (is_done || !is_good)
			return is_good;
	}
	values_get(values, g, &v);
	return v.is_null || set_value(f, column, &v, v.number);
}

bool filler_add(struct filler *f, struct jfrec_rows *rows)
{
	const struct value_getters *getters = rows_getters(rows);
	struct values *values = rows_values(rows);

	if (f->chunk != jfrec_rows_chunk(rows) || f->getters != getters) {
		forget_numbers(f);
		f->chunk = jfrec_rows_chunk(rows);
		f->getters = getters;
	}
	if (!batch_reserve_row(&f->batch))
		return false;
	for (size_t i = 0; i < f->batch.column_count; i++) {
		const struct filler_source *s = &f->sources[i];
		bool is_good;

		if (s->label)
			is_good = set_text(f, i, 0, s->label->value, strlen(s->label->value));
		else
			is_good = add_value(f, i, values, &getters->items[s->column]);
		if (!is_good)
			return false;
	}
	batch_end_row(&f->batch);
	return true;
}
