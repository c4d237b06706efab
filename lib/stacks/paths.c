/* SPDX-License-Identifier: MIT */
/*
 * paths.c - the stacks of one chunk, as paths that share their beginnings
 */
#include "stacks/paths.h"

#include <stdlib.h>

#include "base/array.h"

/* Where in the table the step is, or would be. */
static uint32_t *place_of(const struct paths *p, uint32_t from, uint32_t frame)
{
	uint64_t hash = ((uint64_t)from << 32 | frame) * 0x9e3779b97f4a7c15u;
	uint32_t i = (uint32_t)(hash >> 32) & p->table_mask;

	while (p->table[i] &&
	       (p->list[p->table[i]].parent != from || p->list[p->table[i]].frame != frame))
		i = (i + 1) & p->table_mask;
	return &p->table[i];
}

/* At most half of the table is full. */
static bool has_room(struct paths *p)
{
	uint32_t size = p->table ? (p->table_mask + 1) * 2 : 1024;
	uint32_t *table;

	if (p->table && p->count <= p->table_mask / 2)
		return true;
	table = size ? calloc(size, sizeof(*table)) : NULL;
	if (!table)
		return false;
	free(p->table);
	p->table = table;
	p->table_mask = size - 1;
	for (uint32_t i = 1; i < p->count; i++)
		*place_of(p, p->list[i].parent, p->list[i].frame) = i;
	return true;
}

static uint32_t find_step(struct paths *p, uint32_t from, uint32_t frame)
{
	struct path_step step = { .parent = from, .frame = frame,
				  .level = p->list[from].level + 1 };
	uint32_t *place = has_room(p) ? place_of(p, from, frame) : NULL;

	if (!place)
		return PATH_NONE;
	if (*place)
		return *place;
	if (!array_push(p->list, p->count, p->room, step))
		return PATH_NONE;
	return *place = p->count - 1;
}

uint32_t paths_step(struct paths *p, uint32_t from, uint32_t frame)
{
	uint32_t step;

	if (!p->count && !array_push(p->list, p->count, p->room, (struct path_step){ 0 }))
		return PATH_NONE;
	/* Most stacks begin as the one before does. */
	step = p->list[from].latest;
	if (step && p->list[step].frame == frame)
		return step;
	step = find_step(p, from, frame);
	if (step != PATH_NONE)
		p->list[from].latest = step;
	return step;
}

uint32_t paths_frames(const struct paths *p, uint32_t end, uint32_t *frames)
{
	uint32_t count = p->count ? p->list[end].level : 0;

	for (uint32_t i = count; i > 0; end = p->list[end].parent)
		frames[--i] = p->list[end].frame;
	return count;
}

void paths_fini(struct paths *p)
{
	free(p->list);
	free(p->table);
	*p = (struct paths){ 0 };
}
