/* SPDX-License-Identifier: MIT */
/*
 * sort.c - a stable radix sort of events by time
 *
 * Threads hand over their events in the order of time, so what comes is nearly in order.  Then it
 * is cheapest to begin with the highest bits, by which few items move far: each goes to one of
 * about as many buckets as there are items, and the few of a bucket are sorted by insertion.
 */
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11
#define DIGITS	   (1u << DIGIT_BITS)

/* Fewer are sorted by insertion. */
#define MOST_INSERTED 64

/* What there is to sort. */
struct extent {
	int64_t least;
	unsigned key_bits, value_bits;
};

int sort_grow(struct sort_list *l)
{
	size_t room = l->room ? l->room * 2 : 1024;
	struct sort_item *items = reallocarray(l->items, room, sizeof(*items));

	if (!items)
		return -1;
	l->items = items;
	l->room = room;
	return 0;
}

void sort_fini(struct sort_list *l)
{
	free(l->items);
	*l = (struct sort_list){ 0 };
}

static uint64_t unsigned_key(int64_t key, int64_t least)
{
	return (uint64_t)key - (uint64_t)least;
}

static unsigned bits_of(uint64_t v)
{
	return v ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

/* Where the items of each digit go: after those of all lower ones. */
static void counts_to_starts(uint32_t *counts, size_t n)
{
	uint32_t sum = 0;

	for (size_t d = 0; d < n; d++) {
		uint32_t count = counts[d];

		counts[d] = sum;
		sum += count;
	}
}

/* Items of a key and a place ------------------------------------------------------------------- */

/* One pass of a radix sort, which is stable: by the digit at `shift`. */
static void sort_by_digit(const struct sort_item *from, struct sort_item *to, size_t n,
			  int64_t least, unsigned shift)
{
	uint32_t starts[DIGITS] = { 0 };

	for (size_t i = 0; i < n; i++)
		starts[unsigned_key(from[i].key, least) >> shift & (DIGITS - 1)]++;
	counts_to_starts(starts, DIGITS);
	for (size_t i = 0; i < n; i++)
		to[starts[unsigned_key(from[i].key, least) >> shift & (DIGITS - 1)]++] = from[i];
}

static void insertion_sort(struct sort_item *items, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct sort_item item = items[i];
		size_t k = i;

		for (; k && items[k - 1].key > item.key; k--)
			items[k] = items[k - 1];
		items[k] = item;
	}
}

static int sort_large(struct sort_list *l, const struct extent *x)
{
	struct sort_item *from = l->items, *to = malloc(l->count * sizeof(*to));

	if (!to)
		return -1;
	for (unsigned shift = 0; shift < x->key_bits; shift += DIGIT_BITS) {
		struct sort_item *sorted = to;

		sort_by_digit(from, to, l->count, x->least, shift);
		to = from;
		from = sorted;
	}
	l->items = from;
	l->room = l->count;
	free(to);
	return 0;
}

/* Both in one word: the key, and the place in the lower bits ----------------------------------- */

static void sort_words_by_digit(const uint64_t *from, uint64_t *to, size_t n, unsigned shift)
{
	uint32_t starts[DIGITS] = { 0 };

	for (size_t i = 0; i < n; i++)
		starts[from[i] >> shift & (DIGITS - 1)]++;
	counts_to_starts(starts, DIGITS);
	for (size_t i = 0; i < n; i++)
		to[starts[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

static void insert_words(uint64_t *words, size_t n, unsigned value_bits)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t word = words[i], key = word >> value_bits;
		size_t k = i;

		for (; k && words[k - 1] >> value_bits > key; k--)
			words[k] = words[k - 1];
		words[k] = word;
	}
}

/* Sort a bucket by so many bits; there is as much room at `spare`. */
static void sort_bucket(uint64_t *words, uint64_t *spare, size_t n, unsigned value_bits,
			unsigned bits)
{
	if (n <= MOST_INSERTED) {
		insert_words(words, n, value_bits);
		return;
	}
	for (unsigned bit = 0; bit < bits; bit += DIGIT_BITS) {
		sort_words_by_digit(words, spare, n, value_bits + bit);
		memcpy(words, spare, n * sizeof(*words));
	}
}

/*
 * The words lie in place of the items: in the first half, then in the second.  Neither packing nor
 * unpacking writes over what it has yet to read.
 */
static int sort_packed(struct sort_list *l, const struct extent *x)
{
	uint64_t *words = (uint64_t *)l->items, *sorted = words + l->count;
	unsigned bucket_bits = bits_of(l->count) - 1;
	unsigned rest = x->key_bits > bucket_bits ? x->key_bits - bucket_bits : 0;
	unsigned shift = rest + x->value_bits;
	size_t buckets = (size_t)1 << (x->key_bits - rest);
	uint32_t *ends = calloc(buckets, sizeof(*ends)), start = 0;

	if (!ends)
		return -1;
	for (size_t i = 0; i < l->count; i++) {
		struct sort_item item = l->items[i];

		words[i] = unsigned_key(item.key, x->least) << x->value_bits | item.value;
		ends[words[i] >> shift]++;
	}
	counts_to_starts(ends, buckets);
	for (size_t i = 0; i < l->count; i++)
		sorted[ends[words[i] >> shift]++] = words[i];
	for (size_t b = 0; rest && b < buckets; start = ends[b++])
		sort_bucket(sorted + start, words + start, ends[b] - start, x->value_bits, rest);
	free(ends);
	for (size_t i = 0; i < l->count; i++) {
		uint64_t word = sorted[i];

		l->items[i].key = (int64_t)((word >> x->value_bits) + (uint64_t)x->least);
		l->items[i].value = word & ((UINT64_C(1) << x->value_bits) - 1);
	}
	return 0;
}

/* ---------------------------------------------------------------------------------------------- */

static struct extent extent_of(const struct sort_list *l)
{
	int64_t least = INT64_MAX, most = INT64_MIN;
	uint64_t values = 0;

	for (size_t i = 0; i < l->count; i++) {
		int64_t key = l->items[i].key;

		least = key < least ? key : least;
		most = key > most ? key : most;
		values |= l->items[i].value;
	}
	return (struct extent){ least, bits_of(unsigned_key(most, least)), bits_of(values) };
}

int sort_items(struct sort_list *l)
{
	struct extent x;

	if (l->count > UINT32_MAX)
		return -1;
	if (l->count <= MOST_INSERTED) {
		insertion_sort(l->items, l->count);
		return 0;
	}
	x = extent_of(l);
	if (!x.key_bits)
		return 0;
	return x.key_bits + x.value_bits > 64 ? sort_large(l, &x) : sort_packed(l, &x);
}
