/* SPDX-License-Identifier: MIT */
/*
 * paths.c - the stacks of one chunk, as paths that share their beginnings
 */
#include "stacks/paths.h"

#include <stdlib.h>

#include "base/array.h"

static uint64_t key_of(uint32_t from, uint32_t frame)
{
	return (uint64_t)from << 32 | frame;
}

static uint32_t add_step(struct paths *p, uint32_t from, uint32_t frame)
{
	struct path_step step = { .parent = from, .frame = frame,
				  .level = p->list[from].level + 1 };

	return array_push(p->list, p->count, p->room, step) ? p->count - 1 : PATH_NONE;
}

/* Of a step that has a child, another one. */
static uint32_t find_sibling(struct paths *p, uint32_t from, uint32_t frame)
{
	uint32_t only = p->list[from].latest, *place;

	if (!p->list[from].is_fork) {
		if (!idmap_put(&p->forks, key_of(from, p->list[only].frame), only))
			return PATH_NONE;
		p->list[from].is_fork = true;
	}
	place = idmap_put(&p->forks, key_of(from, frame), p->count);
	if (!place)
		return PATH_NONE;
	/* Without memory the place has a number beyond the list, which is of no use then. */
	return *place < p->count ? *place : add_step(p, from, frame);
}

uint32_t paths_step(struct paths *p, uint32_t from, uint32_t frame)
{
	uint32_t step;

	if (!p->count && !array_push(p->list, p->count, p->room, (struct path_step){ 0 }))
		return PATH_NONE;
	/* Most stacks begin as the one before does, and most steps have one child. */
	step = p->list[from].latest;
	if (step && p->list[step].frame == frame)
		return step;
	step = step ? find_sibling(p, from, frame) : add_step(p, from, frame);
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
	idmap_fini(&p->forks);
	*p = (struct paths){ 0 };
}
