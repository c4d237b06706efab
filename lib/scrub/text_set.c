/* SPDX-License-Identifier: MIT */
/*
 * text_set.c - search bytes for any text of a set
 */
#include "scrub/text_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Texts that are longer are hunted by so much of them, and all together may not be more. */
#define MAX_TEXT  (16u << 20)
#define MAX_TOTAL (256u << 20)
#define MAX_COUNT (4u << 20)

/* The bitmap has some bits for each text, and is never larger than a cache. */
#define MIN_START_BITS 18
#define MAX_START_BITS 24

static uint32_t start_of(const struct text_set *h, const uint8_t *bytes)
{
	uint32_t four;

	memcpy(&four, bytes, sizeof(four));
	return (four * 0x9e3779b1u) >> (32 - h->start_bits);
}

/* Adding --------------------------------------------------------------------------------------- */

static bool has_room(struct text_set *h)
{
	return h->count < MAX_COUNT && array_reserve(h->texts, h->count, h->room);
}

/* Not in the middle of a character. */
static size_t cut(const uint8_t *text, size_t len)
{
	if (len <= MAX_TEXT)
		return len;
	for (len = MAX_TEXT; (text[len] & 0xc0) == 0x80 && len > TEXT_SET_MIN;)
		len--;
	return len;
}

void text_set_add(struct text_set *h, const void *text, size_t len)
{
	struct digest d = DIGEST_INIT;
	uint64_t *known;
	const char *copy;

	if (len < TEXT_SET_MIN || h->failed)
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
	h->texts[h->count++] = (struct text_set_text){ .bytes = (const uint8_t *)copy, .len = len };
}

static int by_bytes(const void *a, const void *b)
{
	const struct text_set_text *x = a, *y = b;
	int order = memcmp(x->bytes, y->bytes, x->len < y->len ? x->len : y->len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

static bool begins(const struct text_set_text *t, const uint8_t *bytes, size_t len)
{
	return t->len <= len && memcmp(t->bytes, bytes, t->len) == 0;
}

/* What a sorted text begins with is the one before, or what that one begins with, and so on. */
static void link_prefixes(struct text_set *h)
{
	for (uint32_t i = 0; i < h->count; i++) {
		struct text_set_text *t = &h->texts[i];
		uint32_t k = i ? i - 1 : TEXT_SET_NONE;

		while (k != TEXT_SET_NONE && !begins(&h->texts[k], t->bytes, t->len))
			k = h->texts[k].prefix;
		t->prefix = k;
	}
}

/* How many bytes are equal; the first `known` are. */
static size_t equal_bytes(const struct text_set_text *t, const uint8_t *bytes, size_t len,
			  size_t known)
{
	size_t most = t->len < len ? t->len : len, i = known;

	for (; i + 8 <= most; i += 8) {
		uint64_t x, y;

		memcpy(&x, t->bytes + i, sizeof(x));
		memcpy(&y, bytes + i, sizeof(y));
		if (x != y)
			break;
	}
	while (i < most && t->bytes[i] == bytes[i])
		i++;
	return i;
}

/*
 * The search goes from texts low and high to the one in the middle.  Returns how many
 * bytes are equal in all from low to high.
 */
static uint32_t link_equal(struct text_set *h, uint32_t low, uint32_t high)
{
	uint32_t middle = low + (high - low) / 2, left, right;

	if (high - low == 1)
		return (uint32_t)equal_bytes(&h->texts[low], h->texts[high].bytes,
					     h->texts[high].len, 0);
	left = link_equal(h, low, middle);
	right = link_equal(h, middle, high);
	h->texts[middle].left = left;
	h->texts[middle].right = right;
	return left < right ? left : right;
}

static bool make_starts(struct text_set *h)
{
	unsigned bits = MIN_START_BITS;

	while (bits < MAX_START_BITS && (size_t)h->count * 16 >> bits)
		bits++;
	if (!h->starts || bits != h->start_bits) {
		free(h->starts);
		h->starts = malloc(((size_t)1 << bits) / 8);
		h->start_bits = bits;
	}
	if (!h->starts)
		return false;
	memset(h->starts, 0, ((size_t)1 << bits) / 8);
	for (uint32_t i = 0; i < h->count; i++) {
		uint32_t start = start_of(h, h->texts[i].bytes);

		h->starts[start / 8] |= (uint8_t)(1u << start % 8);
	}
	return true;
}

int text_set_ready(struct text_set *h)
{
	if (h->failed || !make_starts(h))
		return -1;
	if (h->count)
		qsort(h->texts, h->count, sizeof(*h->texts), by_bytes);
	link_prefixes(h);
	if (h->count > 1)
		link_equal(h, 0, h->count - 1);
	return 0;
}

/* Finding -------------------------------------------------------------------------------------- */

static bool can_start(const struct text_set *h, const uint8_t *bytes)
{
	uint32_t start = start_of(h, bytes);

	return h->starts[start / 8] >> start % 8 & 1;
}

/* The place of some bytes among the texts. */
struct text_position {
	uint32_t after;	    /* how many texts are not after the bytes in their order */
	size_t left, right; /* bytes equal in the last of these, and in the next one */
};

/* Is the text after the bytes in the order of texts?  *equal: known to be equal; then, how many. */
static bool is_behind(const struct text_set_text *t, const uint8_t *bytes, size_t len,
		      size_t *equal)
{
	size_t n = *equal = equal_bytes(t, bytes, len, *equal);

	return n < t->len && (n == len || t->bytes[n] > bytes[n]);
}

/* Compare with text t, between two others, unless what these have in common says it all. */
static bool middle_is_behind(const struct text_set_text *t, const uint8_t *bytes, size_t len,
			     const struct text_position *p, size_t *equal)
{
	bool from_left = p->left >= p->right;
	size_t known = from_left ? p->left : p->right, same = from_left ? t->left : t->right;

	*equal = known < same ? known : same;
	if (same > known)
		return !from_left;
	if (same < known)
		return from_left;
	return is_behind(t, bytes, len, equal);
}

static struct text_position find_place(const struct text_set *h, const uint8_t *bytes, size_t len)
{
	struct text_position p = { 0 };
	uint32_t low = 0, high = h->count - 1;

	if (is_behind(&h->texts[0], bytes, len, &p.right))
		return p;
	p.left = p.right;
	p.right = 0;
	if (!is_behind(&h->texts[high], bytes, len, &p.right)) {
		p.left = p.right;
		p.right = 0;
		p.after = h->count;
		return p;
	}
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		size_t equal;

		if (middle_is_behind(&h->texts[middle], bytes, len, &p, &equal)) {
			high = middle;
			p.right = equal;
		} else {
			low = middle;
			p.left = equal;
		}
	}
	p.after = low + 1;
	return p;
}

/* All texts that the bytes begin with are prefixes of the last one before them, or it is one. */
static uint32_t longest_whole(const struct text_set *h, const struct text_position *p)
{
	uint32_t i = p->after ? p->after - 1 : TEXT_SET_NONE;

	while (i != TEXT_SET_NONE && h->texts[i].len > p->left)
		i = h->texts[i].prefix;
	return i;
}

/* The longest text that the bytes begin with, or whose window they do. */
static uint32_t longest_at(const struct text_set *h, const uint8_t *bytes, size_t len,
			   size_t *found)
{
	struct text_position p;
	uint32_t i;

	if (len < TEXT_SET_MIN || !can_start(h, bytes))
		return TEXT_SET_NONE;
	p = find_place(h, bytes, len);
	if (p.left < TEXT_SET_WINDOW && p.right < TEXT_SET_WINDOW) {
		i = longest_whole(h, &p);
		*found = i == TEXT_SET_NONE ? 0 : h->texts[i].len;
		return i;
	}
	*found = p.left > p.right ? p.left : p.right;
	/* Not in the middle of a character. */
	while (*found < len && (bytes[*found] & 0xc0) == 0x80)
		(*found)++;
	return p.left > p.right ? p.after - 1 : p.after;
}

const struct text_set_text *text_set_find(const struct text_set *h, const uint8_t *bytes,
					  size_t len, size_t *at, size_t *found)
{
	for (size_t i = 0; h->count && i + TEXT_SET_MIN <= len; i++) {
		uint32_t k = longest_at(h, bytes + i, len - i, found);

		if (k != TEXT_SET_NONE) {
			*at = i;
			return &h->texts[k];
		}
	}
	return NULL;
}

int text_set_forget(struct text_set *h, const uint8_t *bytes, size_t len)
{
	uint32_t n = 0;

	for (size_t i = 0; h->count && i + TEXT_SET_MIN <= len; i++) {
		size_t window = len - i < TEXT_SET_WINDOW ? len - i : TEXT_SET_WINDOW;
		struct text_position p;
		uint32_t k;

		if (!can_start(h, bytes + i))
			continue;
		p = find_place(h, bytes + i, window);
		k = longest_whole(h, &p);
		for (; k != TEXT_SET_NONE; k = h->texts[k].prefix)
			h->texts[k].common = true;
	}
	for (uint32_t i = 0; i < h->count; i++) {
		if (!h->texts[i].common)
			h->texts[n++] = h->texts[i];
	}
	h->count = n;
	return text_set_ready(h);
}

void text_set_fini(struct text_set *h)
{
	digest_map_fini(&h->known);
	arena_fini(&h->arena);
	free(h->texts);
	free(h->starts);
	*h = (struct text_set){ 0 };
}
