/* SPDX-License-Identifier: MIT */
/*
 * arrow_parts.c - what arrays of Arrow are made from
 */
#include <stdlib.h>

#include "tables/arrow.h"

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

bool arrow_array_begin(struct ArrowArray *a, size_t length, size_t nulls, int64_t buffers)
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

bool arrow_array_add_children(struct ArrowArray *a, size_t count)
{
	a->children = calloc(count + 1, sizeof(struct ArrowArray *));
	for (size_t i = 0; a->children && i < count; i++) {
		a->children[i] = calloc(1, sizeof(*a));
		a->n_children++;
		if (!a->children[i])
			return false;
	}
	return a->children != NULL;
}

bool arrow_array_give_texts(struct ArrowArray *a, struct text_dictionary *d)
{
	int32_t *offsets = calloc((size_t)d->count + 1, sizeof(*offsets));

	a->dictionary = calloc(1, sizeof(*a->dictionary));
	if (!offsets || !a->dictionary || !arrow_array_begin(a->dictionary, d->count, 0, 3)) {
		free(offsets);
		return false;
	}
	for (uint32_t i = 0; i < d->count; i++)
		offsets[i + 1] = (int32_t)d->ends[i];
	a->dictionary->buffers[1] = offsets;
	a->dictionary->buffers[2] = d->bytes.data;
	d->bytes = (struct buffer){ 0 };
	return true;
}
