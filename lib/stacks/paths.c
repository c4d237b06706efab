/* SPDX-License-Identifier: MIT */
/*
 * paths.c - the stacks of one chunk, as paths that share their beginnings
 */
#include "stacks/paths.h"

#include <stdlib.h>

#include "base/array.h"

static uint32_t find_step(struct paths *p, uint32_t from, uint32_t frame)
{
	uint32_t *place = idmap_put(&p->children, (uint64_t)from << 32 | frame, p->count);
	struct path_step step = { .parent = from, .frame = frame };

	if (!place)
		return PATH_NONE;
	if (*place < p->count)
		return *place;
	step.level = p->list[from].level + 1;
	return array_push(p->list, p->count, p->room, step) ? p->count - 1 : PATH_NONE;
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
	idmap_fini(&p->children);
	*p = (struct paths){ 0 };
}
