/* SPDX-License-Identifier: MIT */
/*
 * arrow_array.c - the rows of a batch in Arrow's C data interface
 *
 * The batch has a word for each value, Arrow as few bytes as its type needs: numbers are moved
 * together where they are. The bits that tell which rows have values are the same in both.
 */
#include <stdlib.h>
#include <string.h>

#include "export/arrow.h"

/* Validity, offsets or values, and bytes. */
#define BUFFERS_MOST 3

/* What an array owns. */
struct owned {
	const void *buffers[BUFFERS_MOST];
};

static void release(struct ArrowArray *a)
{
	struct owned *o = a->private_data;

	for (int64_t i = 0; i < a->n_children; i++) {
		struct ArrowArray *child = a->children[i];

		if (child && child->release)
			child->release(child);
		free(child);
	}
	if (a->dictionary && a->dictionary->release)
		a->dictionary->release(a->dictionary);
	for (size_t i = 0; o && i < BUFFERS_MOST; i++)
		free((void *)o->buffers[i]);
	free(o);
	free(a->dictionary);
	free(a->children);
	a->release = NULL;
}

static bool begin(struct ArrowArray *a, size_t length, size_t nulls, int64_t buffers)
{
	struct owned *o = calloc(1, sizeof(*o));

	*a = (struct ArrowArray){
		.length = (int64_t)length,
		.null_count = (int64_t)nulls,
		.n_buffers = buffers,
		.buffers = o ? o->buffers : NULL,
		.release = release,
		.private_data = o,
	};
	return o != NULL;
}

/* Numbers -------------------------------------------------------------------------------------- */

static size_t size_of(enum jfrec_table_kind kind)
{
	switch (kind) {
	case JFREC_TABLE_INT8:
	case JFREC_TABLE_UINT8:
		return 1;
	case JFREC_TABLE_INT16:
	case JFREC_TABLE_UINT16:
		return 2;
	case JFREC_TABLE_INT32:
	case JFREC_TABLE_UINT32:
	case JFREC_TABLE_FLOAT32:
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
			 enum jfrec_table_kind kind)
{
	clear_nulls(c, rows);
	if (kind == JFREC_TABLE_BOOLEAN)
		pack_bits(c->words, rows);
	else
		pack_bytes(c->words, rows, size_of(kind));
	a->buffers[1] = c->words;
	c->words = NULL;
}

/* Texts ---------------------------------------------------------------------------------------- */

/* The texts of a dictionary, whose bytes are taken over. */
static bool give_dictionary(struct ArrowArray *a, struct text_dictionary *d)
{
	int32_t *offsets = calloc((size_t)d->count + 1, sizeof(*offsets));

	if (!begin(a, d->count, 0, 3) || !offsets) {
		free(offsets);
		return false;
	}
	for (uint32_t i = 0; i < d->count; i++)
		offsets[i + 1] = (int32_t)d->ends[i];
	a->buffers[1] = offsets;
	a->buffers[2] = d->bytes.data;
	d->bytes = (struct buffer){ 0 };
	return true;
}

static size_t bytes_of(const struct batch_column *c, size_t rows)
{
	size_t sum = 0;

	for (size_t i = 0; i < rows; i++) {
		if (batch_has(c, i))
			sum += text_dictionary_get(&c->texts, c->words[i]).len;
	}
	return sum;
}

/* The text of each row. */
static bool give_texts(struct ArrowArray *a, const struct batch_column *c, size_t rows)
{
	int32_t *offsets = calloc(rows + 1, sizeof(*offsets));
	char *bytes = malloc(bytes_of(c, rows) + 1);

	a->buffers[1] = offsets;
	a->buffers[2] = bytes;
	for (size_t i = 0; offsets && bytes && i < rows; i++) {
		struct batch_text text = { NULL, 0 };

		if (batch_has(c, i))
			text = text_dictionary_get(&c->texts, c->words[i]);
		if (text.len)
			memcpy(bytes + offsets[i], text.s, text.len);
		offsets[i + 1] = offsets[i] + (int32_t)text.len;
	}
	return offsets && bytes;
}

/* Columns -------------------------------------------------------------------------------------- */

static bool make_column(struct ArrowArray *a, const struct arrow_column *column,
			struct batch_column *c, size_t rows)
{
	bool has_texts = column->kind >= JFREC_TABLE_TEXT && !arrow_has_dictionary(column);

	if (!begin(a, rows, c->nulls, has_texts ? 3 : 2))
		return false;
	if (has_texts) {
		if (!give_texts(a, c, rows))
			return false;
	} else if (arrow_has_dictionary(column)) {
		a->dictionary = calloc(1, sizeof(*a->dictionary));
		if (!a->dictionary || !give_dictionary(a->dictionary, &c->texts))
			return false;
		give_numbers(a, c, rows, JFREC_TABLE_INT32);
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
	bool is_good = begin(a, b->rows, 0, 1);

	a->children = calloc(b->column_count + 1, sizeof(struct ArrowArray *));
	is_good = is_good && a->children;
	for (size_t i = 0; is_good && i < b->column_count; i++) {
		a->children[i] = calloc(1, sizeof(*a));
		a->n_children++;
		is_good = a->children[i] &&
			  make_column(a->children[i], &columns[i], &b->columns[i], b->rows);
	}
	if (!is_good)
		release(a);
	return is_good;
}
