/* SPDX-License-Identifier: MIT */
/*
 * arrow_frames.c - lists of frames in Arrow's C data interface
 *
 *	list<struct<method: dictionary of texts, line: int32, bci: int32, type: the same>>
 */
#include <stdlib.h>

#include "tables/arrow.h"
#include "tables/frame_lists.h"

/* The numbers of all frames of all rows, one list after the other. */
struct all_frames {
	struct frame_lists lists;
	uint32_t *numbers;
	size_t count;
};

static size_t count_frames(const struct frame_lists *f, const struct batch_column *c, size_t rows)
{
	size_t sum = 0, count;

	for (size_t i = 0; i < rows; i++) {
		if (!batch_has(c, i))
			continue;
		frame_list_of(f, c->words[i], &count);
		sum += count;
	}
	return sum;
}

/* Where each row's frames end; NULL: memory is gone. */
static int32_t *list_frames(struct all_frames *a, const struct batch_column *c, size_t rows)
{
	size_t most = count_frames(&a->lists, c, rows), count;
	int32_t *offsets = most <= INT32_MAX ? calloc(rows + 1, sizeof(*offsets)) : NULL;

	a->numbers = reallocarray(NULL, most + 1, sizeof(*a->numbers));
	if (!offsets || !a->numbers) {
		free(offsets);
		return NULL;
	}
	for (size_t i = 0; i < rows; i++) {
		const uint32_t *from;

		if (batch_has(c, i)) {
			from = frame_list_of(&a->lists, c->words[i], &count);
			for (size_t k = 0; k < count; k++)
				a->numbers[a->count++] = from[k];
		}
		offsets[i + 1] = (int32_t)a->count;
	}
	return offsets;
}

/* Which frames have that part.  NULL: memory is gone. */
static uint64_t *present_of(const struct all_frames *a, const struct batch_column *part)
{
	uint64_t *present = calloc(a->count / 64 + 1, sizeof(*present));

	for (size_t i = 0; present && i < a->count; i++)
		present[i / 64] |= (uint64_t)batch_has(part, a->numbers[i]) << (i & 63);
	return present;
}

static size_t nulls_of(const struct all_frames *a, const struct batch_column *part)
{
	size_t nulls = 0;

	for (size_t i = 0; part->nulls && i < a->count; i++)
		nulls += !batch_has(part, a->numbers[i]);
	return nulls;
}

static bool make_part(struct ArrowArray *to, struct all_frames *a, enum frame_part p)
{
	struct batch_column *part = &a->lists.different.columns[p];
	size_t nulls = nulls_of(a, part);
	int32_t *values = calloc(a->count + 1, sizeof(*values));

	if (!values || !arrow_array_begin(to, a->count, nulls, 2)) {
		free(values);
		return false;
	}
	to->buffers[1] = values;
	for (size_t i = 0; i < a->count; i++) {
		if (batch_has(part, a->numbers[i]))
			values[i] = (int32_t)part->words[a->numbers[i]];
	}
	if (nulls && !(to->buffers[0] = present_of(a, part)))
		return false;
	return !frame_part_is_text(p) || arrow_array_give_texts(to, &part->texts);
}

static bool make_lists(struct ArrowArray *to, struct all_frames *a, const struct batch_column *c,
		       size_t rows)
{
	struct ArrowArray *frame;

	to->buffers[1] = list_frames(a, c, rows);
	if (!to->buffers[1] || !arrow_array_add_children(to, 1))
		return false;
	frame = to->children[0];
	if (!arrow_array_begin(frame, a->count, 0, 1) ||
	    !arrow_array_add_children(frame, FRAME_PARTS))
		return false;
	for (unsigned p = 0; p < FRAME_PARTS; p++) {
		if (!make_part(frame->children[p], a, (enum frame_part)p))
			return false;
	}
	return true;
}

bool arrow_array_give_frames(struct ArrowArray *a, const struct batch_column *c, size_t rows)
{
	struct all_frames all = { .count = 0 };
	bool is_good = frame_lists_init(&all.lists, &c->texts) && make_lists(a, &all, c, rows);

	frame_lists_fini(&all.lists);
	free(all.numbers);
	return is_good;
}
