/* SPDX-License-Identifier: MIT */
/*
 * digest.c - 128-bit hashes of bytes, and a hash map keyed by them
 */
#include "base/digest.h"

#include <stdlib.h>
#include <string.h>

#include "base/huge.h"

/* Both halves of the product: every bit of the factors moves all of them. */
static uint64_t fold(uint64_t x, uint64_t y)
{
	unsigned __int128 product = (unsigned __int128)x * y;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

void digest_word(struct digest *d, uint64_t word)
{
	d->a = fold(d->a ^ word, 0xa0761d6478bd642fu) + 0xe7037ed1a0b428dbu;
	d->b = fold(d->b + word, 0x8ebc6af09c88c6e3u) ^ (d->b >> 29) ^ 0x589965cc75374cc3u;
}

void digest_bytes(struct digest *d, const void *bytes, size_t len)
{
	const char *at = bytes;
	size_t left = len;
	uint64_t word;

	for (; left >= sizeof(word); left -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		digest_word(d, word);
	}
	word = 0;
	if (left)
		memcpy(&word, at, left);
	digest_word(d, word);
	digest_word(d, len);
}

static struct digest_slot *find(const struct digest_map *m, struct digest d)
{
	size_t i = (size_t)(d.a ^ d.b >> 32) & m->mask;

	while (m->slots[i].value && (m->slots[i].digest.a != d.a || m->slots[i].digest.b != d.b))
		i = (i + 1) & m->mask;
	return &m->slots[i];
}

static bool grow(struct digest_map *m)
{
	size_t size = m->slots ? (m->mask + 1) * 2 : 64;
	struct digest_map bigger = { .count = m->count, .mask = size - 1 };

	bigger.slots = calloc(size, sizeof(*bigger.slots));
	if (!bigger.slots)
		return false;
	huge_pages(bigger.slots, size * sizeof(*bigger.slots));
	for (size_t i = 0; m->slots && i <= m->mask; i++) {
		if (m->slots[i].value)
			*find(&bigger, m->slots[i].digest) = m->slots[i];
	}
	free(m->slots);
	*m = bigger;
	return true;
}

uint64_t *digest_map_put(struct digest_map *m, struct digest d)
{
	struct digest_slot *slot;

	if ((!m->slots || m->count > m->mask / 2) && !grow(m))
		return NULL;
	slot = find(m, d);
	if (!slot->value) {
		slot->digest = d;
		m->count++;
	}
	return &slot->value;
}

uint64_t digest_map_get(const struct digest_map *m, struct digest d)
{
	return m->slots ? find(m, d)->value : 0;
}

void digest_map_clear(struct digest_map *m)
{
	if (m->slots)
		memset(m->slots, 0, (m->mask + 1) * sizeof(*m->slots));
	m->count = 0;
}

void digest_map_fini(struct digest_map *m)
{
	free(m->slots);
	*m = (struct digest_map){ 0 };
}
