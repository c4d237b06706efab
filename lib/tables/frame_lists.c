/* SPDX-License-Identifier: MIT */
/*
 * frame_lists.c - the stack traces of a column as lists of frames, each different frame once
 */
#include "tables/frame_lists.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "print/cells.h"

/* After the parts: the texts of whole frames, by which they are found. */
#define WHOLE FRAME_PARTS

const char *frame_part_name(enum frame_part p)
{
	static const char *const names[] = {
		[FRAME_METHOD] = "method",
		[FRAME_LINE] = "line",
		[FRAME_BCI] = "bci",
		[FRAME_TYPE] = "type",
	};

	return names[p];
}

/* A producer may declare anything as a line.  False: it is not a number of 32 bits. */
static bool read_number(const char *s, size_t len, uint64_t *word)
{
	bool is_negative = len && *s == '-';
	int64_t n = 0;

	if (len == is_negative || len > 11)
		return false;
	for (size_t i = is_negative; i < len; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		n = n * 10 + (s[i] - '0');
	}
	n = is_negative ? -n : n;
	*word = (uint64_t)n;
	return n >= INT32_MIN && n <= INT32_MAX;
}

static bool set_part(struct batch *b, enum frame_part p, const char *s, size_t len)
{
	uint64_t word;

	if (len == 1 && *s == *CELL_NULL)
		return true;
	if (frame_part_is_text(p))
		word = batch_text_number(b, p, s, len);
	else if (!read_number(s, len, &word))
		return true;
	batch_set(b, p, word);
	return !b->out_of_memory;
}

/* The frame that the last row is to be. */
static bool add_frame(struct batch *b, const char *s, size_t len)
{
	const char *end = s + len;

	if (!batch_reserve_row(b))
		return false;
	for (unsigned p = 0; p < FRAME_PARTS && s <= end; p++) {
		const char *stop = memchr(s, *CELL_NEXT_PART, (size_t)(end - s));

		if (!stop || p + 1 == FRAME_PARTS)
			stop = end;
		if (!set_part(b, (enum frame_part)p, s, (size_t)(stop - s)))
			return false;
		s = stop + 1;
	}
	batch_end_row(b);
	return true;
}

static bool take_frame(struct frame_lists *f, const char *s, size_t len)
{
	struct batch *b = &f->different;
	uint32_t number = batch_text_number(b, WHOLE, s, len);

	if (number == UINT32_MAX || (number == b->rows && !add_frame(b, s, len)))
		return false;
	return array_push(f->numbers, f->count, f->room, number);
}

static bool take_stack(struct frame_lists *f, struct batch_text text)
{
	const char *end = text.s + text.len, *stop;

	for (const char *s = text.s; s < end; s = stop + 1) {
		stop = memchr(s, *CELL_END_FRAME, (size_t)(end - s));
		if (!stop)
			stop = end;
		if (!take_frame(f, s, (size_t)(stop - s)))
			return false;
	}
	return true;
}

bool frame_lists_init(struct frame_lists *f, const struct text_dictionary *stacks)
{
	*f = (struct frame_lists){ .ends = calloc((size_t)stacks->count + 1, sizeof(*f->ends)) };
	if (!f->ends || batch_init(&f->different, FRAME_PARTS + 1, 0, NULL) < 0)
		return false;
	for (uint32_t i = 0; i < stacks->count; i++) {
		if (!take_stack(f, text_dictionary_get(stacks, i)))
			return false;
		f->ends[i] = f->count;
	}
	batch_count_nulls(&f->different);
	return true;
}

void frame_lists_fini(struct frame_lists *f)
{
	batch_fini(&f->different);
	free(f->numbers);
	free(f->ends);
	*f = (struct frame_lists){ 0 };
}
