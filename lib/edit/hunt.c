/* SPDX-License-Identifier: MIT */
/*
 * hunt.c - a set of texts, and where any of them is in some bytes
 */
#include "edit/hunt.h"

#include <stdlib.h>
#include <string.h>

/* Texts that are longer are hunted by so much of them, and all together may not be more. */
#define MAX_TEXT  (64u << 10)
#define MAX_TOTAL (256u << 20)
#define MAX_COUNT (4u << 20)

#define START_BITS 18

static uint32_t start_of(const uint8_t *bytes)
{
	uint32_t four;

	memcpy(&four, bytes, sizeof(four));
	return (four * 0x9e3779b1u) >> (32 - START_BITS);
}

/* Adding --------------------------------------------------------------------------------------- */

static bool has_room(struct hunt *h)
{
	size_t room = h->room ? (size_t)h->room * 2 : 64;
	struct hunt_text *texts;

	if (h->count < h->room)
		return true;
	texts = room <= MAX_COUNT ? reallocarray(h->texts, room, sizeof(*texts)) : NULL;
	if (!texts)
		return false;
	h->texts = texts;
	h->room = (uint32_t)room;
	return true;
}

/* Not in the middle of a character. */
static size_t cut(const uint8_t *text, size_t len)
{
	if (len <= MAX_TEXT)
		return len;
	for (len = MAX_TEXT; (text[len] & 0xc0) == 0x80 && len > HUNT_MIN;)
		len--;
	return len;
}

void hunt_add(struct hunt *h, const void *text, size_t len)
{
	struct digest d = DIGEST_INIT;
	uint64_t *known;
	const char *copy;

	if (len < HUNT_MIN || h->failed)
		return;
	len = cut(text, len);
	digest_bytes(&d, text, len);
	known = digest_map_put(&h->known, d);
	if (known && *known)
		return;
	copy = known && h->arena.total < MAX_TOTAL && has_room(h)
		       ? arena_strndup(&h->arena, text, len)
		       : NULL;
	if (!copy) {
		h->failed = true;
		return;
	}
	*known = 1;
	h->texts[h->count++] = (struct hunt_text){ .bytes = (const uint8_t *)copy, .len = len };
}

static int by_bytes(const void *a, const void *b)
{
	const struct hunt_text *x = a, *y = b;
	int order = memcmp(x->bytes, y->bytes, x->len < y->len ? x->len : y->len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

static bool begins(const struct hunt_text *t, const uint8_t *bytes, size_t len)
{
	return t->len <= len && memcmp(t->bytes, bytes, t->len) == 0;
}

/* What a sorted text begins with is the one before, or what that one begins with, and so on. */
static void link_prefixes(struct hunt *h)
{
	for (uint32_t i = 0; i < h->count; i++) {
		struct hunt_text *t = &h->texts[i];
		uint32_t k = i ? i - 1 : HUNT_NONE;

		while (k != HUNT_NONE && !begins(&h->texts[k], t->bytes, t->len))
			k = h->texts[k].prefix;
		t->prefix = k;
	}
}

int hunt_ready(struct hunt *h)
{
	if (!h->starts)
		h->starts = malloc((1u << START_BITS) / 8);
	if (h->failed || !h->starts)
		return -1;
	memset(h->starts, 0, (1u << START_BITS) / 8);
	if (h->count)
		qsort(h->texts, h->count, sizeof(*h->texts), by_bytes);
	for (uint32_t i = 0; i < h->count; i++) {
		uint32_t start = start_of(h->texts[i].bytes);

		h->starts[start / 8] |= (uint8_t)(1u << start % 8);
	}
	link_prefixes(h);
	return 0;
}

/* Finding -------------------------------------------------------------------------------------- */

static bool can_start(const struct hunt *h, const uint8_t *bytes)
{
	uint32_t start = start_of(bytes);

	return h->starts[start / 8] >> start % 8 & 1;
}

/* The last text that is not behind the bytes in the order of texts, or HUNT_NONE. */
static uint32_t last_not_behind(const struct hunt *h, const uint8_t *bytes, size_t len)
{
	struct hunt_text wanted = { .bytes = bytes, .len = len };
	uint32_t low = 0, high = h->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (by_bytes(&h->texts[middle], &wanted) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : HUNT_NONE;
}

/* All texts that the bytes begin with are prefixes of that one, or it is one itself. */
static uint32_t longest_at(const struct hunt *h, const uint8_t *bytes, size_t len)
{
	uint32_t i;

	if (len < HUNT_MIN || !can_start(h, bytes))
		return HUNT_NONE;
	i = last_not_behind(h, bytes, len);
	while (i != HUNT_NONE && !begins(&h->texts[i], bytes, len))
		i = h->texts[i].prefix;
	return i;
}

const struct hunt_text *hunt_find(const struct hunt *h, const uint8_t *bytes, size_t len,
				  size_t *at)
{
	for (size_t i = 0; h->count && i + HUNT_MIN <= len; i++) {
		uint32_t k = longest_at(h, bytes + i, len - i);

		if (k != HUNT_NONE) {
			*at = i;
			return &h->texts[k];
		}
	}
	return NULL;
}

int hunt_forget(struct hunt *h, const uint8_t *bytes, size_t len)
{
	uint32_t n = 0;

	for (size_t i = 0; h->count && i + HUNT_MIN <= len; i++) {
		uint32_t k = longest_at(h, bytes + i, len - i);

		for (; k != HUNT_NONE; k = h->texts[k].prefix)
			h->texts[k].common = true;
	}
	for (uint32_t i = 0; i < h->count; i++) {
		if (!h->texts[i].common)
			h->texts[n++] = h->texts[i];
	}
	h->count = n;
	return hunt_ready(h);
}

void hunt_fini(struct hunt *h)
{
	digest_map_fini(&h->known);
	arena_fini(&h->arena);
	free(h->texts);
	free(h->starts);
	*h = (struct hunt){ 0 };
}
