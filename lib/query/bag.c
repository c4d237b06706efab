/* SPDX-License-Identifier: MIT */
/*
 * bag.c - values that are kept to the end
 */
#include "query/bag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "query/list.h"

static struct bag *made(struct bag **b, struct arena *a)
{
	if (!*b)
		*b = arena_zalloc(a, 1, sizeof(**b));
	return *b;
}

#define FIRST_WORDS 4u
#define MOST_WORDS  2048u

/* The last block with room for one more.  NULL: no memory. */
static struct word_block *block_with_room(struct bag *b, struct arena *a)
{
	struct word_block *last = b->last, *more;
	uint32_t room = !last ? FIRST_WORDS : last->room < MOST_WORDS ? last->room * 2 : MOST_WORDS;

	if (last && last->count < last->room)
		return last;
	more = arena_alloc(a, sizeof(*more) + room * sizeof(*more->words));
	if (!more)
		return NULL;
	*more = (struct word_block){ .room = room };
	if (last)
		last->next = more;
	else
		b->first = more;
	b->last = more;
	return more;
}

static bool add_word(struct bag *b, union word w, struct arena *a)
{
	struct word_block *block = b ? block_with_room(b, a) : NULL;

	if (!block)
		return false;
	block->words[block->count++] = w;
	b->count++;
	return true;
}

bool bag_add_double(struct bag **b, double d, struct arena *a)
{
	return add_word(made(b, a), (union word){ .d = d }, a);
}

bool bag_add_ns(struct bag **b, int64_t ns, struct arena *a)
{
	if (!add_word(made(b, a), (union word){ .i = ns }, a))
		return false;
	(*b)->is_ns = true;
	return true;
}

bool bag_add_words(struct bag **b, const struct bag *from, struct arena *a)
{
	struct bag *to = made(b, a);

	if (!to)
		return false;
	for (const struct word_block *block = from->first; block; block = block->next) {
		for (uint32_t done = 0, n; done < block->count; done += n) {
			struct word_block *at = block_with_room(to, a);

			if (!at)
				return false;
			n = at->room - at->count;
			if (n > block->count - done)
				n = block->count - done;
			memcpy(at->words + at->count, block->words + done, n * sizeof(*at->words));
			at->count += n;
			to->count += n;
		}
	}
	to->is_ns |= from->is_ns;
	return true;
}

bool bag_add_value(struct bag **b, const struct value *v, struct arena *a)
{
	struct bag *bag = made(b, a);
	struct value *values = bag ? list_more(a, bag->values, bag->count, sizeof(*values)) : NULL;

	if (!values)
		return false;
	bag->values = values;
	values[bag->count++] = *v;
	return true;
}

static bool grow_index(struct bag *b, struct arena *a)
{
	uint32_t size = b->index_size ? b->index_size * 2 : 16, i;
	uint32_t *index = arena_zalloc(a, size, sizeof(*index));

	if (!index)
		return false;
	for (size_t n = 0; n < b->count; n++) {
		i = (uint32_t)value_spread(&b->values[n]) & (size - 1);
		while (index[i])
			i = (i + 1) & (size - 1);
		index[i] = (uint32_t)n + 1;
	}
	b->index = index;
	b->index_size = size;
	return true;
}

bool bag_add_once(struct bag **b, const struct value *v, struct arena *a)
{
	struct bag *bag = made(b, a);
	uint32_t i;

	if (!bag || (bag->count * 2 >= bag->index_size && !grow_index(bag, a)))
		return false;
	i = (uint32_t)value_spread(v) & (bag->index_size - 1);
	for (; bag->index[i]; i = (i + 1) & (bag->index_size - 1)) {
		if (value_is_same(&bag->values[bag->index[i] - 1], v))
			return true;
	}
	bag->index[i] = (uint32_t)bag->count + 1;
	return bag_add_value(b, v, a);
}

/* Statistics ----------------------------------------------------------------------------------- */

/*
 * Words as keys that are ordered as unsigned numbers: longs with the sign turned, doubles as
 * Double.compare() has them.
 */
#define SIGN (UINT64_C(1) << 63)

static uint64_t key_of(const struct bag *b, union word w)
{
	if (b->is_ns)
		return (uint64_t)w.i ^ SIGN;
	if (isnan(w.d))
		return UINT64_MAX;
	return (uint64_t)w.i & SIGN ? ~(uint64_t)w.i : (uint64_t)w.i | SIGN;
}

static union word word_of(const struct bag *b, uint64_t key)
{
	if (b->is_ns)
		return (union word){ .i = (int64_t)(key ^ SIGN) };
	if (key == UINT64_MAX)
		return (union word){ .d = NAN };
	return (union word){ .i = (int64_t)(key & SIGN ? key ^ SIGN : ~key) };
}

/* Keys whose upper bits are known, by how many lower ones are not. */
struct range {
	uint64_t from;
	unsigned bits;
	size_t count;
};

#define DIGIT	 11
#define FEW_KEYS 64

static bool is_within(const struct range *r, uint64_t key)
{
	return r->bits == 64 || (key ^ r->from) >> r->bits == 0;
}

/* The range of all. */
static struct range find_range(const struct bag *b)
{
	uint64_t least = UINT64_MAX, most = 0;
	struct range r = { .count = b->count };

	for (const struct word_block *block = b->first; block; block = block->next) {
		for (uint32_t i = 0; i < block->count; i++) {
			uint64_t key = key_of(b, block->words[i]);

			least = key < least ? key : least;
			most = key > most ? key : most;
		}
	}
	r.bits = least == most ? 0 : 64 - (unsigned)__builtin_clzll(least ^ most);
	r.from = r.bits == 64 ? 0 : least >> r.bits << r.bits;
	return r;
}

/* The part of a range that has its key number k, which becomes the number in that part. */
static struct range narrow(const struct bag *b, const struct range *r, size_t *k)
{
	unsigned rest = r->bits > DIGIT ? r->bits - DIGIT : 0;
	uint32_t counts[1 << DIGIT] = { 0 };
	size_t digit = 0;

	for (const struct word_block *block = b->first; block; block = block->next) {
		for (uint32_t i = 0; i < block->count; i++) {
			uint64_t key = key_of(b, block->words[i]);

			if (is_within(r, key))
				counts[(key - r->from) >> rest]++;
		}
	}
	for (; *k >= counts[digit]; digit++)
		*k -= counts[digit];
	return (struct range){ r->from + ((uint64_t)digit << rest), rest, counts[digit] };
}

static int by_key(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return (a > b) - (a < b);
}

/* Key number k of a range with few keys. */
static uint64_t pick_of_few(const struct bag *b, const struct range *r, size_t k)
{
	uint64_t keys[FEW_KEYS];
	size_t count = 0;

	for (const struct word_block *block = b->first; block; block = block->next) {
		for (uint32_t i = 0; i < block->count; i++) {
			uint64_t key = key_of(b, block->words[i]);

			if (is_within(r, key))
				keys[count++] = key;
		}
	}
	qsort(keys, count, sizeof(*keys), by_key);
	return keys[k];
}

/* Word number k, as if all were sorted: they are counted, not moved. */
static union word pick(const struct bag *b, size_t k)
{
	struct range r = find_range(b);

	while (r.bits && r.count > FEW_KEYS)
		r = narrow(b, &r, &k);
	return word_of(b, r.bits ? pick_of_few(b, &r, k) : r.from);
}

/* The word that comes after the one that is number k. */
static union word pick_next(const struct bag *b, size_t k, union word w)
{
	uint64_t key = key_of(b, w), next = UINT64_MAX;
	size_t until = 0;

	for (const struct word_block *block = b->first; block; block = block->next) {
		for (uint32_t i = 0; i < block->count; i++) {
			uint64_t other = key_of(b, block->words[i]);

			until += other <= key;
			if (other > key && other < next)
				next = other;
		}
	}
	return until > k + 1 ? w : word_of(b, next);
}

static double number(const struct bag *b, union word w)
{
	return b->is_ns ? (double)w.i : w.d;
}

static struct value result(const struct bag *b, double d)
{
	return b->is_ns ? value_of_span(timespan_from_ns(double_to_long(d))) : value_of_double(d);
}

/* One of the values itself: a long may be more than a double holds. */
static struct value exactly(const struct bag *b, union word w)
{
	return b->is_ns ? value_of_span(timespan_from_ns(w.i)) : value_of_double(w.d);
}

struct value bag_median(const struct bag *b)
{
	size_t k = b ? b->count / 2 : 0;
	union word low;

	if (!b || !b->count)
		return value_null();
	if (b->count % 2)
		return exactly(b, pick(b, k));
	low = pick(b, k - 1);
	return result(b, (number(b, low) + number(b, pick_next(b, k - 1, low))) / 2);
}

struct value bag_percentile(const struct bag *b, double p)
{
	union word w;
	double x, low, high;
	size_t i;

	if (!b || !b->count)
		return value_null();
	x = (double)(b->count + 1) * p;
	i = (size_t)x;
	if (i == 0)
		return exactly(b, pick(b, 0));
	if (i >= b->count)
		return exactly(b, pick(b, b->count - 1));
	w = pick(b, i - 1);
	low = number(b, w);
	high = number(b, pick_next(b, i - 1, w));
	return result(b, low + (x - (double)i) * (high - low));
}

struct value bag_deviation(const struct bag *b)
{
	double sum = 0, squares = 0, mean;

	if (!b || !b->count)
		return value_null();
	for (const struct word_block *block = b->first; block; block = block->next) {
		for (uint32_t i = 0; i < block->count; i++)
			sum += number(b, block->words[i]);
	}
	mean = sum / (double)b->count;
	for (const struct word_block *block = b->first; block; block = block->next) {
		for (uint32_t i = 0; i < block->count; i++) {
			double d = number(b, block->words[i]) - mean;

			squares += d * d;
		}
	}
	return result(b, sqrt(squares / (double)b->count));
}
