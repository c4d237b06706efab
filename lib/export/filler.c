/* SPDX-License-Identifier: MIT */
/*
 * filler.c - put rows of a table into a batch
 */
#include "export/filler.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static void forget_numbers(struct filler *f)
{
	for (size_t i = 0; f->numbers && i < f->batch.column_count; i++) {
		idmap_fini(&f->numbers[i].map);
		f->numbers[i].last = JFREC_TABLE_NO_NUMBER;
	}
}

int filler_init(struct filler *f, const struct filler_source *sources, size_t count,
		struct jfrec_error *err)
{
	*f = (struct filler){ .sources = sources };
	f->numbers = calloc(count + 1, sizeof(*f->numbers));
	return f->numbers ? batch_init(&f->batch, count, err) : jfrec_fail_memory(err);
}

void filler_fini(struct filler *f)
{
	forget_numbers(f);
	free(f->numbers);
	batch_fini(&f->batch);
	*f = (struct filler){ 0 };
}

void filler_clear(struct filler *f)
{
	batch_clear(&f->batch);
	forget_numbers(f);
}

/* UINT32_MAX: memory is gone. */
static uint32_t text_number(struct filler *f, size_t column, uint32_t number, const char *s,
			    size_t len)
{
	struct text_numbers *n = &f->numbers[column];
	uint32_t found;

	if (number == JFREC_TABLE_NO_NUMBER)
		return batch_text_number(&f->batch, column, s, len);
	if (n->last == number)
		return n->last_number;
	found = idmap_get(&n->map, number);
	if (found == IDMAP_NONE) {
		found = batch_text_number(&f->batch, column, s, len);
		if (found == UINT32_MAX || !idmap_put(&n->map, number, found))
			return UINT32_MAX;
	}
	n->last = number;
	n->last_number = found;
	return found;
}

static bool set_text(struct filler *f, size_t column, uint32_t number, const char *s, size_t len)
{
	uint32_t n = text_number(f, column, number, s, len);

	if (n != UINT32_MAX)
		batch_set(&f->batch, column, n);
	return n != UINT32_MAX;
}

static bool set_value(struct filler *f, size_t column, const struct jfrec_table_value *v)
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
			return set_text(f, column, v->number, v->text, v->len);
	}
	batch_set(&f->batch, column, word);
	return true;
}

bool filler_add(struct filler *f, struct jfrec_rows *rows)
{
	struct jfrec_table_value v;

	if (f->chunk != jfrec_rows_chunk(rows)) {
		forget_numbers(f);
		f->chunk = jfrec_rows_chunk(rows);
	}
	if (!batch_reserve_row(&f->batch))
		return false;
	for (size_t i = 0; i < f->batch.column_count; i++) {
		const struct filler_source *s = &f->sources[i];
		bool is_good;

		if (s->label) {
			is_good = set_text(f, i, 0, s->label->value, strlen(s->label->value));
		} else {
			jfrec_rows_value(rows, s->column, &v);
			is_good = v.is_null || set_value(f, i, &v);
		}
		if (!is_good)
			return false;
	}
	batch_end_row(&f->batch);
	return true;
}
