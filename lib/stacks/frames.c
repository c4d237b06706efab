/* SPDX-License-Identifier: MIT */
/*
 * frames.c - the frames of all stacks, each kept once
 */
#include "stacks/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

uint32_t frames_put(struct frames *f, struct frame frame)
{
	struct digest digest = DIGEST_INIT;
	uint64_t *place;

	digest_word(&digest, (uint64_t)frame.name << 32 | frame.kind);
	digest_word(&digest, (uint64_t)frame.line << 32 | frame.bci);
	place = digest_map_put(&f->by_content, digest);
	if (!place)
		return FRAME_NONE;
	if (*place)
		return (uint32_t)(*place - 1);
	*place = (uint64_t)FRAME_NONE + 1;
	if (!array_reserve(f->list, f->count, f->room))
		return FRAME_NONE;
	f->list[f->count] = frame;
	*place = ++f->count;
	return f->count - 1;
}

void frames_fini(struct frames *f)
{
	free(f->list);
	digest_map_fini(&f->by_content);
	*f = (struct frames){ 0 };
}

void *frames_stretch(const struct frames *f, void *array, uint32_t *count, size_t size, int fill)
{
	char *more;

	if (*count >= f->room)
		return array;
	more = reallocarray(array, f->room, size);
	if (!more)
		return NULL;
	memset(more + *count * size, fill, (f->room - *count) * size);
	*count = f->room;
	return more;
}
