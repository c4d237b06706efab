/* SPDX-License-Identifier: MIT */
/*
 * cell.c - one cell of a table as lines of equal width
 *
 * Widths are UTF-16 units, as Java counts them.
 */
#include "query/cell.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void cell_fini(struct cell_lines *l)
{
	buffer_fini(&l->bytes);
	free(l->ends);
	*l = (struct cell_lines){ 0 };
}

struct text cell_line(const struct cell_lines *l, uint32_t i)
{
	uint32_t from = i ? l->ends[i - 1] : 0;

	return text_of((const char *)l->bytes.data + from, l->ends[i] - from);
}

static bool end_line(struct cell_lines *l)
{
	if (l->bytes.failed)
		return false;
	return array_push(l->ends, l->count, l->room, (uint32_t)l->bytes.len);
}

static void put_blanks(struct buffer *b, uint32_t n)
{
	uint8_t *at = buffer_room(b, n);

	if (at) {
		memset(at, ' ', n);
		b->len += n;
	}
}

static void put_units(struct buffer *b, const struct text *t, uint32_t from, uint32_t to)
{
	uint8_t *at = buffer_room(b, (size_t)(to - from) * 3 + 4);

	if (at)
		b->len = (size_t)(text_put_units((char *)at, t, from, to) - (char *)b->data);
}

/* Break a text into lines of the width, the last one padded. */
static bool break_text(struct cell_lines *l, const struct cell_shape *s, const struct text *t)
{
	uint32_t at = 0, lines = 0;

	do {
		uint32_t to = t->units - at > s->width ? at + s->width : t->units;

		put_units(&l->bytes, t, at, to);
		put_blanks(&l->bytes, s->width - (to - at));
		if (!end_line(l))
			return false;
		at = to;
	} while (at < t->units && ++lines < s->height);
	return true;
}

static bool pad_text(struct cell_lines *l, const struct cell_shape *s, const struct text *t)
{
	if (!s->is_left)
		put_blanks(&l->bytes, s->width - t->units);
	buffer_put(&l->bytes, t->s, t->len);
	if (s->is_left)
		put_blanks(&l->bytes, s->width - t->units);
	return end_line(l);
}

/* What does not fit has three dots at its end or beginning. */
static bool cut_text(struct cell_lines *l, const struct cell_shape *s, const struct text *t,
		     uint32_t size)
{
	struct buffer b = { 0 };
	struct text cut;
	bool ok;

	if (size < 3) {
		cut = size == 2 ? text_of(".", 1) : text_of("..", 2);
		return break_text(l, s, &cut);
	}
	if (s->truncates_beginning) {
		buffer_put(&b, "...", 3);
		put_units(&b, t, t->units - (size - 3), t->units);
	} else {
		put_units(&b, t, 0, size - 3);
		buffer_put(&b, "...", 3);
	}
	cut = text_of((const char *)b.data, b.len);
	ok = !b.failed && break_text(l, s, &cut);
	buffer_fini(&b);
	return ok;
}

bool cell_add_text(struct cell_lines *l, const struct cell_shape *s, const struct text *t)
{
	uint64_t size = (uint64_t)s->width * s->height;

	if (t->units > size)
		return cut_text(l, s, t, (uint32_t)size);
	return t->units < s->width ? pad_text(l, s, t) : break_text(l, s, t);
}

bool cell_add_rule(struct cell_lines *l, uint32_t width)
{
	uint8_t *at = buffer_room(&l->bytes, width);

	if (!at)
		return false;
	memset(at, '-', width);
	l->bytes.len += width;
	return end_line(l);
}

static int compare_lines(const void *x, const void *y)
{
	return text_compare(x, y);
}

bool cell_sort(struct cell_lines *l)
{
	struct text *lines = malloc((l->count + (size_t)1) * sizeof(*lines));
	struct cell_lines sorted = { 0 };
	bool ok = lines != NULL;

	for (uint32_t i = 0; ok && i < l->count; i++)
		lines[i] = cell_line(l, i);
	if (ok)
		qsort(lines, l->count, sizeof(*lines), compare_lines);
	for (uint32_t i = 0; ok && i < l->count; i++) {
		buffer_put(&sorted.bytes, lines[i].s, lines[i].len);
		ok = end_line(&sorted);
	}
	free(lines);
	cell_fini(l);
	*l = sorted;
	return ok;
}
