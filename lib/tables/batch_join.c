/* SPDX-License-Identifier: MIT */
/*
 * batch_join.c - add rows of one batch to others with the same columns
 */
#include "tables/batch_join.h"

#include <stdlib.h>
#include <string.h>

static bool begin_column(struct joined_column *c, size_t texts)
{
	if (texts > c->room) {
		free(c->texts);
		c->texts = reallocarray(NULL, texts, sizeof(*c->texts));
		c->room = c->texts ? texts : 0;
	}
	if (c->room && texts)
		memset(c->texts, 0, texts * sizeof(*c->texts));
	return c->room >= texts;
}

bool batch_join_from(struct batch_join *j, const struct batch *from)
{
	if (!j->columns) {
		j->columns = calloc(from->column_count + 1, sizeof(*j->columns));
		j->column_count = from->column_count;
	}
	if (!j->columns)
		return false;
	j->from = from;
	j->to = NULL;
	j->turn = 0;
	for (size_t i = 0; i < from->column_count; i++) {
		if (!begin_column(&j->columns[i], from->columns[i].texts.count))
			return false;
	}
	return true;
}

void batch_join_fini(struct batch_join *j)
{
	for (size_t i = 0; j->columns && i < j->column_count; i++)
		free(j->columns[i].texts);
	free(j->columns);
	*j = (struct batch_join){ 0 };
}

void batch_join_to(struct batch_join *j, const struct batch *to, uint64_t group)
{
	/* Fewer turns than rows: they cannot be too many. */
	if (j->to != to || j->group != group)
		j->turn++;
	j->to = to;
	j->group = group;
}

/* One whose number there is not known.  False: memory is gone. */
static bool find_text(struct batch_join *j, size_t from_column, uint64_t text, struct batch *to,
		      size_t to_column)
{
	struct batch_text s = text_dictionary_get(&j->from->columns[from_column].texts, text);
	uint32_t number = batch_text_number(to, to_column, s.s, s.len);

	j->columns[from_column].texts[text] = (struct joined_text){ j->turn, number };
	return number != UINT32_MAX;
}

static bool add_texts(struct batch_join *j, size_t from_column, struct batch *to, size_t to_column,
		      size_t first, size_t count)
{
	const struct batch_column *from = &j->from->columns[from_column];
	const struct joined_text *texts = j->columns[from_column].texts;
	uint64_t *words = to->columns[to_column].words + to->rows;
	uint32_t turn = j->turn;

	for (size_t i = 0; i < count; i++) {
		uint64_t text = from->words[first + i];

		if (from->nulls && !batch_has(from, first + i))
			continue;
		if (texts[text].turn != turn && !find_text(j, from_column, text, to, to_column))
			return false;
		words[i] = texts[text].number;
	}
	return true;
}

/* Up to 64 bits from a place on. */
static uint64_t bits_at(const uint64_t *bits, size_t at, size_t count)
{
	uint64_t low = bits[at / 64] >> (at & 63), high = 0;

	if ((at & 63) + count > 64)
		high = bits[at / 64 + 1] << (64 - (at & 63));
	return (low | high) & (~UINT64_C(0) >> (64 - count));
}

static void add_present(const struct batch_column *from, size_t first, struct batch_column *to,
			size_t at, size_t count)
{
	if (!from->nulls) {
		batch_column_fill(to, at, count);
		return;
	}
	for (size_t n; count; first += n, at += n, count -= n) {
		n = count < 64 - (at & 63) ? count : 64 - (at & 63);
		to->present[at / 64] |= bits_at(from->present, first, n) << (at & 63);
	}
}

bool batch_join_add(struct batch_join *j, size_t from_column, bool is_text, struct batch *to,
		    size_t to_column, size_t first, size_t count)
{
	const struct batch_column *from = &j->from->columns[from_column];
	struct batch_column *column = &to->columns[to_column];

	if (from->nulls == j->from->rows)
		return true;
	add_present(from, first, column, to->rows, count);
	if (is_text)
		return add_texts(j, from_column, to, to_column, first, count);
	memcpy(column->words + to->rows, from->words + first, count * sizeof(*from->words));
	return true;
}
