/* SPDX-License-Identifier: MIT */
/*
 * name_set.c - texts that are each kept once, under small numbers
 */
#include "stacks/name_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

uint32_t name_set_put(struct name_set *n, const char *text, size_t len)
{
	struct digest digest = DIGEST_INIT;
	uint64_t *place;
	char *copy;

	if (len > UINT32_MAX - 1)
		len = UINT32_MAX - 1;
	digest_bytes(&digest, text, len);
	place = digest_map_put(&n->by_text, digest);
	if (!place)
		return NAME_NONE;
	if (*place)
		return (uint32_t)(*place - 1);
	/* A place that is taken must not stay 0, whatever fails now. */
	*place = (uint64_t)NAME_NONE + 1;
	copy = arena_strndup(&n->arena, text, len);
	if (!copy || !array_reserve(n->list, n->count, n->room))
		return NAME_NONE;
	n->list[n->count] = (struct name){ copy, (uint32_t)len };
	*place = ++n->count;
	return n->count - 1;
}

/* Where the character begins that byte `at` is of. */
static size_t whole_characters(const char *text, size_t at)
{
	while (at && ((unsigned char)text[at] & 0xc0) == 0x80)
		at--;
	return at;
}

uint32_t name_set_put_clipped(struct name_set *n, const char *text, size_t len)
{
	char clipped[NAME_MOST + sizeof("...")];
	size_t kept;

	if (len <= NAME_MOST)
		return name_set_put(n, text, len);
	kept = whole_characters(text, NAME_MOST);
	memcpy(clipped, text, kept);
	memcpy(clipped + kept, "...", 3);
	return name_set_put(n, clipped, kept + 3);
}

void name_set_fini(struct name_set *n)
{
	free(n->list);
	digest_map_fini(&n->by_text);
	arena_fini(&n->arena);
	*n = (struct name_set){ 0 };
}
