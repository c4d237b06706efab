/* SPDX-License-Identifier: MIT */
/*
 * coarsen.c - fewer samples, as jfrconv's --grain makes them
 */
#include "stacks/coarsen.h"

#include <stdlib.h>

#include "format/clock.h"

#define FIRST_SIZE 1024

/* Open addressing, as jfrconv has it: a row's number + 1, or 0. */
struct table {
	struct coarse_row *rows;
	uint32_t *places;
	uint32_t size, used;
};

/* Java's integers wrap. */
static uint32_t hash(const struct coarse_row *r)
{
	return (uint32_t)r->leaf * 127 + (uint32_t)r->stack + (r->is_outside ? 17 : 0) +
	       (uint32_t)r->thread * 31;
}

static bool is_same(const struct coarse_row *a, const struct coarse_row *b)
{
	return a->stack == b->stack && a->thread == b->thread && a->leaf == b->leaf &&
	       a->is_outside == b->is_outside;
}

static uint32_t *place_of(const struct table *t, const struct coarse_row *r)
{
	uint32_t i = hash(r) & (t->size - 1);

	while (t->places[i] && !is_same(&t->rows[t->places[i] - 1], r))
		i = (i + 1) & (t->size - 1);
	return &t->places[i];
}

/* Twice the size; what was in it is put in again, in the order of the smaller table. */
static int grow(struct table *t)
{
	struct table to = { t->rows, calloc((size_t)t->size * 2, sizeof(*to.places)), t->size * 2,
			    t->used };

	if (!to.places)
		return -1;
	for (uint32_t i = 0; i < t->size; i++) {
		if (t->places[i])
			*place_of(&to, &t->rows[t->places[i] - 1]) = t->places[i];
	}
	free(t->places);
	*t = to;
	return 0;
}

static int put(struct table *t, uint32_t number)
{
	struct coarse_row *r = &t->rows[number];
	uint32_t *place = place_of(t, r);

	if (*place) {
		weight_add(&t->rows[*place - 1].weight, r->weight);
		r->weight = (struct weight){ 0 };
		return 0;
	}
	*place = number + 1;
	return ++t->used * 2 > t->size ? grow(t) : 0;
}

/* Divide and round down; what is cut off adds up to whole ones. */
static void divide(struct coarse_row *r, double grain, double *cut)
{
	double part = (double)r->weight.samples / grain;
	int64_t whole = double_to_long(part);

	*cut += part - (double)whole;
	if (*cut >= 1) {
		*cut -= 1;
		whole++;
	}
	part = (double)whole / (double)r->weight.samples;
	r->weight.value = double_to_long((double)r->weight.value * part);
	r->weight.samples = (uint64_t)whole;
}

int coarsen(struct coarse_row *rows, size_t count, double grain)
{
	struct table t = { rows, calloc(FIRST_SIZE, sizeof(*t.places)), FIRST_SIZE, 0 };
	int ret = t.places && count < UINT32_MAX / 4 ? 0 : -1;
	double cut = 0;

	for (uint32_t i = 0; i < count && ret == 0; i++)
		ret = put(&t, i);
	for (uint32_t i = 0; i < t.size && ret == 0; i++) {
		if (t.places[i])
			divide(&rows[t.places[i] - 1], grain, &cut);
	}
	free(t.places);
	return ret;
}
