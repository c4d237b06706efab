/* SPDX-License-Identifier: MIT */
/*
 * batch.c - rows as columns: what Parquet files and Arrow arrays are made from
 */
#include "tables/batch.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/huge.h"

/* A multiple of 64: most types have a few events only. */
#define FIRST_ROWS 64
#define MANY_ROWS  4096

/* A power of two. */
#define FIRST_SLOTS 16

/*
 * Shorter ones are compared with one that came before them, which is faster than to look them up.
 */
#define SHORT_TEXT 64

int batch_init(struct batch *b, size_t column_count, size_t most, struct jfrec_error *err)
{
	*b = (struct batch){ .column_count = column_count, .most = most };
	b->columns = calloc(column_count + 1, sizeof(*b->columns));
	return b->columns ? 0 : jfrec_fail_memory(err);
}

static void forget_texts(struct batch_column *c)
{
	free(c->texts.slots);
	buffer_fini(&c->texts.bytes);
	free(c->texts.ends);
	c->texts = (struct text_dictionary){ 0 };
}

static void column_fini(struct batch_column *c)
{
	free(c->words);
	free(c->present);
	forget_texts(c);
	*c = (struct batch_column){ 0 };
}

void batch_restart(struct batch *b)
{
	for (size_t i = 0; i < b->column_count; i++) {
		forget_texts(&b->columns[i]);
		b->columns[i].nulls = 0;
		if (b->room)
			memset(b->columns[i].present, 0, b->room / 8);
	}
	if (b->touched < b->rows)
		b->touched = b->rows;
	b->rows = b->text_size = 0;
}

/* As many texts can be added as there were. */
static void empty_texts(struct text_dictionary *d)
{
	if (d->slots)
		memset(d->slots, 0, ((size_t)d->mask + 1) * sizeof(*d->slots));
	memset(d->recent, 0, sizeof(d->recent));
	buffer_clear(&d->bytes);
	d->count = 0;
}

void batch_empty(struct batch *b)
{
	for (size_t i = 0; i < b->column_count; i++) {
		empty_texts(&b->columns[i].texts);
		b->columns[i].nulls = 0;
		if (b->room)
			memset(b->columns[i].present, 0, b->room / 8);
	}
	b->rows = b->touched = b->text_size = 0;
}

void batch_clear(struct batch *b)
{
	for (size_t i = 0; b->columns && i < b->column_count; i++)
		column_fini(&b->columns[i]);
	b->rows = b->room = b->touched = b->text_size = 0;
}

void batch_fini(struct batch *b)
{
	batch_clear(b);
	free(b->columns);
	*b = (struct batch){ 0 };
}

static bool grow_column(struct batch_column *c, size_t before, size_t room)
{
	uint64_t *words = reallocarray(c->words, room, sizeof(*words)), *present;

	if (!words)
		return false;
	c->words = words;
	huge_pages(words, room * sizeof(*words));
	present = reallocarray(c->present, room / 64, sizeof(*present));
	if (!present)
		return false;
	memset(present + before / 64, 0, (room - before) / 8);
	c->present = present;
	return true;
}

/* What has many rows is given room for all of them at once, and moved no more. */
static size_t next_room(const struct batch *b)
{
	size_t all = (b->most + 63) / 64 * 64;

	if (!b->room)
		return FIRST_ROWS;
	if (b->room >= MANY_ROWS && b->room < all)
		return all;
	return b->room * 2;
}

bool batch_grow(struct batch *b)
{
	size_t room = next_room(b);

	for (size_t i = 0; i < b->column_count; i++) {
		if (!grow_column(&b->columns[i], b->room, room)) {
			b->out_of_memory = true;
			return false;
		}
	}
	b->room = room;
	return true;
}

void batch_count_nulls(struct batch *b)
{
	for (size_t i = 0; i < b->column_count; i++) {
		size_t there = 0;

		for (size_t k = 0; k < (b->rows + 63) / 64; k++)
			there += (size_t)__builtin_popcountll(b->columns[i].present[k]);
		b->columns[i].nulls = b->rows - there;
	}
}

/* Its text is the next one.  False: memory is gone. */
static bool add_text(struct text_dictionary *d, const char *s, size_t len)
{
	buffer_put(&d->bytes, s, len);
	return !d->bytes.failed && d->count < UINT32_MAX - 1 &&
	       array_push(d->ends, d->count, d->room, d->bytes.len);
}

/* Of a text's length and both of its ends: which of the recent ones it would be. */
static uint32_t *recent_place(struct text_dictionary *d, const char *s, size_t len)
{
	uint32_t first = 0, last = 0;

	if (len >= sizeof(first)) {
		memcpy(&first, s, sizeof(first));
		memcpy(&last, s + len - sizeof(last), sizeof(last));
	} else if (len) {
		first = (uint8_t)s[0];
		last = (uint8_t)s[len - 1];
	}
	return &d->recent[((first ^ (uint32_t)len) * 0x9e3779b1u + last * 0x85ebca6bu) >> 28];
}

static void put_slot(struct text_dictionary *d, uint64_t slot)
{
	uint32_t i = (uint32_t)(slot >> 32) & d->mask;

	while (d->slots[i])
		i = (i + 1) & d->mask;
	d->slots[i] = slot;
}

/* Half of the slots are empty at least. */
static bool widen_slots(struct text_dictionary *d)
{
	uint32_t size = d->slots ? (d->mask + 1) * 2 : FIRST_SLOTS;
	uint64_t *before = d->slots;
	uint32_t count = before ? d->mask + 1 : 0;

	if (d->slots && d->count < d->mask / 2)
		return true;
	d->slots = size ? calloc(size, sizeof(*d->slots)) : NULL;
	if (!d->slots) {
		d->slots = before;
		return false;
	}
	d->mask = size - 1;
	for (uint32_t i = 0; i < count; i++) {
		if (before[i])
			put_slot(d, before[i]);
	}
	free(before);
	return true;
}

static bool is_text(const struct text_dictionary *d, uint32_t number, const char *s, size_t len)
{
	struct batch_text text = text_dictionary_get(d, number);

	return text.len == len && memcmp(text.s, s, len) == 0;
}

static uint64_t fold(uint64_t x, uint64_t y)
{
	unsigned __int128 product = (unsigned __int128)x * y;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Stack traces are long: two words at a time.  Texts with one hash are compared. */
static uint32_t hash_text(const char *s, size_t len)
{
	uint64_t hash = len * 0x9e3779b97f4a7c15u, words[2];

	for (; len >= sizeof(words); s += sizeof(words), len -= sizeof(words)) {
		memcpy(words, s, sizeof(words));
		hash = fold(words[0] ^ 0xa0761d6478bd642fu, words[1] ^ hash);
	}
	words[0] = words[1] = 0;
	memcpy(words, s, len);
	hash = fold(words[0] ^ 0xa0761d6478bd642fu, words[1] ^ hash);
	return (uint32_t)(fold(hash, 0xe7037ed1a0b428dbu) >> 32);
}

static uint32_t find_or_add(struct batch *b, struct text_dictionary *d, const char *s, size_t len)
{
	uint32_t hash = hash_text(s, len), i;

	if (!widen_slots(d)) {
		b->out_of_memory = true;
		return UINT32_MAX;
	}
	for (i = hash & d->mask; d->slots[i]; i = (i + 1) & d->mask) {
		uint32_t number = (uint32_t)d->slots[i] - 1;

		if (d->slots[i] >> 32 == hash && is_text(d, number, s, len))
			return number;
	}
	if (!add_text(d, s, len)) {
		b->out_of_memory = true;
		return UINT32_MAX;
	}
	d->slots[i] = (uint64_t)hash << 32 | d->count;
	b->text_size += len + sizeof(*d->ends) + 2 * sizeof(*d->slots);
	return d->count - 1;
}

uint32_t batch_text_number(struct batch *b, size_t column, const char *s, size_t len)
{
	struct text_dictionary *d = &b->columns[column].texts;
	uint32_t *recent, found;

	if (len > SHORT_TEXT)
		return find_or_add(b, d, s, len);
	recent = recent_place(d, s, len);
	if (*recent && is_text(d, *recent - 1, s, len))
		return *recent - 1;
	found = find_or_add(b, d, s, len);
	if (found != UINT32_MAX)
		*recent = found + 1;
	return found;
}
