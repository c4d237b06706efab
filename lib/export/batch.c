/* SPDX-License-Identifier: MIT */
/*
 * batch.c - rows as columns: what Parquet files and Arrow arrays are made from
 */
#include "export/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

/* A multiple of 64: most types have a few events only. */
#define FIRST_ROWS 64

int batch_init(struct batch *b, size_t column_count, struct jfrec_error *err)
{
	*b = (struct batch){ .column_count = column_count };
	b->columns = calloc(column_count + 1, sizeof(*b->columns));
	return b->columns ? 0 : jfrec_fail_memory(err);
}

static void column_fini(struct batch_column *c)
{
	free(c->words);
	free(c->present);
	digest_map_fini(&c->texts.numbers);
	buffer_fini(&c->texts.bytes);
	free(c->texts.ends);
	*c = (struct batch_column){ 0 };
}

void batch_clear(struct batch *b)
{
	for (size_t i = 0; b->columns && i < b->column_count; i++)
		column_fini(&b->columns[i]);
	b->rows = b->room = b->text_size = 0;
}

void batch_fini(struct batch *b)
{
	batch_clear(b);
	free(b->columns);
	*b = (struct batch){ 0 };
}

static bool grow_column(struct batch_column *c, size_t before, size_t room)
{
	uint64_t *words = reallocarray(c->words, room, sizeof(*words)), *present;

	if (!words)
		return false;
	c->words = words;
	present = reallocarray(c->present, room / 64, sizeof(*present));
	if (!present)
		return false;
	memset(present + before / 64, 0, (room - before) / 8);
	c->present = present;
	return true;
}

bool batch_reserve_row(struct batch *b)
{
	size_t room = b->room ? b->room * 2 : FIRST_ROWS;

	if (b->rows < b->room)
		return true;
	for (size_t i = 0; i < b->column_count; i++) {
		if (!grow_column(&b->columns[i], b->room, room)) {
			b->out_of_memory = true;
			return false;
		}
	}
	b->room = room;
	return true;
}

void batch_count_nulls(struct batch *b)
{
	for (size_t i = 0; i < b->column_count; i++) {
		size_t there = 0;

		for (size_t k = 0; k < (b->rows + 63) / 64; k++)
			there += (size_t)__builtin_popcountll(b->columns[i].present[k]);
		b->columns[i].nulls = b->rows - there;
	}
}

/* Its text is the next one.  False: memory is gone. */
static bool add_text(struct text_dictionary *d, const char *s, size_t len)
{
	buffer_put(&d->bytes, s, len);
	return !d->bytes.failed && d->count < UINT32_MAX - 1 &&
	       array_push(d->ends, d->count, d->room, d->bytes.len);
}

uint32_t batch_text_number(struct batch *b, size_t column, const char *s, size_t len)
{
	struct text_dictionary *d = &b->columns[column].texts;
	struct digest digest = DIGEST_INIT;
	uint64_t *number;

	digest_bytes(&digest, s, len);
	number = digest_map_put(&d->numbers, digest);
	if (number && *number)
		return (uint32_t)(*number - 1);
	if (!number || !add_text(d, s, len)) {
		b->out_of_memory = true;
		return UINT32_MAX;
	}
	b->text_size += len + sizeof(*d->ends) + 2 * sizeof(struct digest_slot);
	*number = d->count;
	return d->count - 1;
}
