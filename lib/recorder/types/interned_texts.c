/* SPDX-License-Identifier: MIT */
/*
 * interned_texts.c - texts that many events contain, each kept once
 *
 * A hash table without locks: the text is written first, then its place is put into a free slot.
 * Two threads with the same text meet in one slot, and the later one takes what is there; the place
 * that it has prepared stays unused.
 */
#include "recorder/types/interned_texts.h"

#include <string.h>

#include "recorder/ground/memory.h"
#include "recorder/jfrec-recorder.h"


static _Atomic uint32_t *slot(uint32_t i)
{
	return (_Atomic uint32_t *)memory_at(region->slots_at) + i % TEXT_SLOTS;
}

static struct text *text_at(uint32_t place)
{
	return memory_at(region->texts_at + (uint64_t)(place - 1) * 8);
}

static uint32_t hash_of(const char *bytes, size_t len)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
	return hash;
}

static bool is_same(uint32_t place, uint32_t hash, const char *bytes, size_t len)
{
	const struct text *t = text_at(place);

	return t->hash == hash && t->size == len && !memcmp(t->bytes, bytes, len);
}

/* Its place, from 1, or 0: the table is full. */
static uint32_t store(uint32_t hash, const char *bytes, size_t len)
{
	uint32_t size = (uint32_t)(sizeof(struct text) + len + 7) & ~7u;
	uint32_t used = atomic_load_explicit(&region->texts_used, memory_order_relaxed);
	struct text *t;

	do {
		if (size > atomic_load_explicit(&region->text_limit, memory_order_relaxed) - used)
			return 0;
	} while (!atomic_compare_exchange_weak(&region->texts_used, &used, used + size));
	t = text_at(used / 8 + 1);
	t->hash = hash;
	t->size = (uint32_t)len;
	memcpy(t->bytes, bytes, len);
	return used / 8 + 1;
}

uint64_t jfrec_event_intern(const char *text)
{
	size_t len = text ? strnlen(text, MOST_TEXT + 1) : 0;
	uint32_t hash, place = 0, found;

	if (!text || !region || !memory_is_whole())
		return 0;
	if (len > MOST_TEXT)
		for (len = MOST_TEXT; len && ((unsigned char)text[len] & 0xc0) == 0x80;)
			len--;
	hash = hash_of(text, len);
	for (uint32_t i = 0; i < TEXT_SLOTS; i++) {
		found = atomic_load_explicit(slot(hash + i), memory_order_acquire);
		if (!found) {
			if (!place)
				place = store(hash, text, len);
			if (!place)
				return 0;
			if (atomic_compare_exchange_strong(slot(hash + i), &found, place)) {
				atomic_fetch_add(&region->texts_count, 1);
				return place;
			}
		}
		if (is_same(found, hash, text, len))
			return found;
	}
	return 0;
}

static void encode_one(struct bytes *b, uint32_t place)
{
	const struct text *t = text_at(place);

	bytes_varint(b, place);
	bytes_byte(b, t->size ? 3 : 1);
	if (!t->size)
		return;
	bytes_varint(b, t->size);
	bytes_add(b, t->bytes, t->size);
}

uint32_t interned_texts_encode(struct bytes *b, uint64_t written[TEXT_SLOTS / 64], uint32_t *seen)
{
	uint32_t now = atomic_load(&region->texts_count), count = 0;

	if (now == *seen)
		return 0;
	*seen = now;
	for (uint32_t i = 0; i < TEXT_SLOTS; i++) {
		uint32_t place = atomic_load_explicit(slot(i), memory_order_acquire);

		if (!place || written[i / 64] >> i % 64 & 1)
			continue;
		written[i / 64] |= 1ull << i % 64;
		encode_one(b, place);
		count++;
	}
	return count;
}

/* The key may be anything: the program may have written over it. */
bool interned_texts_get(uint64_t key, char *to, size_t size)
{
	uint32_t used = region ? atomic_load(&region->texts_used) : 0;
	const struct text *t;
	size_t len;

	if (!key || key > used / 8)
		return false;
	t = text_at((uint32_t)key);
	len = t->size < size ? t->size : size - 1;
	if ((key - 1) * 8 + sizeof(*t) + len > used)
		return false;
	memcpy(to, t->bytes, len);
	to[len] = '\0';
	return true;
}
