/* SPDX-License-Identifier: MIT */
/*
 * arrow_array.c - the rows of a batch in Arrow's C data interface
 *
 * The batch has a word for each value, Arrow as few bytes as its type needs: numbers are moved
 * together where they are. The bits that tell which rows have values are the same in both.
 */
#include <stdlib.h>
#include <string.h>

#include "tables/arrow.h"

/* Numbers -------------------------------------------------------------------------------------- */

static size_t size_of(enum jfrec_kind kind)
{
	switch (kind) {
	case JFREC_KIND_INT8:
	case JFREC_KIND_UINT8:
		return 1;
	case JFREC_KIND_INT16:
	case JFREC_KIND_UINT16:
		return 2;
	case JFREC_KIND_INT32:
	case JFREC_KIND_UINT32:
	case JFREC_KIND_FLOAT32:
		return 4;
	default:
		return 8;
	}
}

/* The lowest bytes of each word one after the other, from the beginning on. */
static void pack_bytes(uint64_t *words, size_t count, size_t size)
{
	char *to = (char *)words;

	for (size_t i = 0; i < count && size < sizeof(*words); i++) {
		uint64_t word = words[i];

		memcpy(to + i * size, &word, size);
	}
}

static void pack_bits(uint64_t *words, size_t count)
{
	uint8_t *to = (uint8_t *)words, byte = 0;

	for (size_t i = 0; i < count; i++) {
		byte |= (uint8_t)((words[i] & 1) << (i & 7));
		if ((i & 7) == 7 || i + 1 == count) {
			to[i / 8] = byte;
			byte = 0;
		}
	}
}

/* Words of rows without a value were never written. */
static void clear_nulls(struct batch_column *c, size_t rows)
{
	for (size_t i = 0; c->nulls && i < rows; i++) {
		if (!batch_has(c, i))
			c->words[i] = 0;
	}
}

static void give_numbers(struct ArrowArray *a, struct batch_column *c, size_t rows,
			 enum jfrec_kind kind)
{
	clear_nulls(c, rows);
	if (kind == JFREC_KIND_BOOL)
		pack_bits(c->words, rows);
	else
		pack_bytes(c->words, rows, size_of(kind));
	a->buffers[1] = c->words;
	c->words = NULL;
}

/* Columns -------------------------------------------------------------------------------------- */

static bool make_column(struct ArrowArray *a, const struct arrow_column *column,
			struct batch_column *c, size_t rows)
{
	if (!arrow_array_begin(a, rows, c->nulls, 2))
		return false;
	if (column->lists_frames) {
		if (!arrow_array_give_frames(a, c, rows))
			return false;
	} else if (arrow_has_dictionary(column)) {
		if (!arrow_array_give_texts(a, &c->texts))
			return false;
		give_numbers(a, c, rows, JFREC_KIND_INT32);
	} else {
		give_numbers(a, c, rows, column->kind);
	}
	if (c->nulls) {
		a->buffers[0] = c->present;
		c->present = NULL;
	}
	return true;
}

bool arrow_array_make(struct ArrowArray *a, const struct arrow_column *columns, struct batch *b)
{
	bool is_good = arrow_array_begin(a, b->rows, 0, 1) &&
		       arrow_array_add_children(a, b->column_count);

	for (size_t i = 0; is_good && i < b->column_count; i++)
		is_good = make_column(a->children[i], &columns[i], &b->columns[i], b->rows);
	if (!is_good)
		a->release(a);
	return is_good;
}
