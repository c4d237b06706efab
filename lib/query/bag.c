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

/* Double.compare() */
static int by_double(const void *x, const void *y)
{
	double a = ((const union word *)x)->d, b = ((const union word *)y)->d;

	if (a < b || a > b)
		return a < b ? -1 : 1;
	if (isnan(a) || isnan(b))
		return !!isnan(a) - !!isnan(b);
	return !!signbit(b) - !!signbit(a);
}

static int by_long(const void *x, const void *y)
{
	int64_t a = ((const union word *)x)->i, b = ((const union word *)y)->i;

	return (a > b) - (a < b);
}

static int compare(const struct bag *b, const union word *x, const union word *y)
{
	return b->is_ns ? by_long(x, y) : by_double(x, y);
}

static void swap(union word *x, union word *y)
{
	union word w = *x;

	*x = *y;
	*y = w;
}

/* The middle one of the first, the middle and the last goes to the front. */
static void choose_pivot(const struct bag *b, union word *words, size_t count)
{
	union word *first = words, *middle = words + count / 2, *last = words + count - 1;

	if (compare(b, middle, first) < 0)
		swap(middle, first);
	if (compare(b, last, middle) < 0)
		swap(last, middle);
	if (compare(b, middle, first) < 0)
		swap(middle, first);
	swap(first, middle);
}

/* Those less than the first to the front of it; returns where it then is. */
static size_t part(const struct bag *b, union word *words, size_t count)
{
	size_t low = 0, high = count;

	for (;;) {
		do
			low++;
		while (low < count && compare(b, &words[low], &words[0]) < 0);
		do
			high--;
		while (compare(b, &words[high], &words[0]) > 0);
		if (low >= high)
			break;
		swap(&words[low], &words[high]);
	}
	swap(&words[0], &words[high]);
	return high;
}

/* Fewer are sorted, and so are those that would be parted too often. */
#define FEW_WORDS  16
#define MOST_PARTS 64

/* Order them so that word number k is as if all were sorted: none before it is greater. */
static void order(const struct bag *b, union word *words, size_t count, size_t k)
{
	unsigned parts = 0;

	while (count > FEW_WORDS && parts++ < MOST_PARTS) {
		size_t at;

		choose_pivot(b, words, count);
		at = part(b, words, count);
		if (at == k)
			return;
		if (k < at) {
			count = at;
		} else {
			words += at + 1;
			count -= at + 1;
			k -= at + 1;
		}
	}
	qsort(words, count, sizeof(*words), b->is_ns ? by_long : by_double);
}

/* Words number k - 1 and k, as if all were sorted; those that are not there stay as they are. */
static bool pick(const struct bag *b, size_t k, union word of[2])
{
	union word *words = malloc((b->count + 1) * sizeof(*words));
	size_t count = 0;

	if (!words)
		return false;
	for (const struct word_block *block = b->first; block; block = block->next) {
		memcpy(words + count, block->words, block->count * sizeof(*words));
		count += block->count;
	}
	if (k < count) {
		order(b, words, count, k);
		of[1] = words[k];
	}
	if (k) {
		order(b, words, k < count ? k : count, k - 1);
		of[0] = words[k - 1];
	}
	free(words);
	return true;
}

static double number(const struct bag *b, const union word *w)
{
	return b->is_ns ? (double)w->i : w->d;
}

static struct value result(const struct bag *b, double d)
{
	return b->is_ns ? value_of_span(timespan_from_ns(double_to_long(d))) : value_of_double(d);
}

/* One of the values itself: a long may be more than a double holds. */
static struct value exactly(const struct bag *b, const union word *w)
{
	return b->is_ns ? value_of_span(timespan_from_ns(w->i)) : value_of_double(w->d);
}

struct value bag_median(const struct bag *b)
{
	union word of[2];

	if (!b || !b->count || !pick(b, b->count / 2, of))
		return value_null();
	if (b->count % 2)
		return exactly(b, &of[1]);
	return result(b, (number(b, &of[0]) + number(b, &of[1])) / 2);
}

struct value bag_percentile(const struct bag *b, double p)
{
	union word of[2];
	double x, low, high;
	size_t i;

	if (!b || !b->count)
		return value_null();
	if (b->count == 1)
		return exactly(b, &b->first->words[0]);
	x = (double)(b->count + 1) * p;
	i = (size_t)x;
	if (i > b->count)
		i = b->count;
	if (!pick(b, i, of))
		return value_null();
	if (i == 0)
		return exactly(b, &of[1]);
	if (i >= b->count)
		return exactly(b, &of[0]);
	low = number(b, &of[0]);
	high = number(b, &of[1]);
	return result(b, low + (x - (double)i) * (high - low));
}

struct value bag_deviation(const struct bag *b)
{
	double sum = 0, squares = 0, mean;

	if (!b || !b->count)
		return value_null();
	for (const struct word_block *block = b->first; block; block = block->next) {
		for (uint32_t i = 0; i < block->count; i++)
			sum += number(b, &block->words[i]);
	}
	mean = sum / (double)b->count;
	for (const struct word_block *block = b->first; block; block = block->next) {
		for (uint32_t i = 0; i < block->count; i++) {
			double d = number(b, &block->words[i]) - mean;

			squares += d * d;
		}
	}
	return result(b, sqrt(squares / (double)b->count));
}
