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

static union word *add_word(struct bag *b, struct arena *a)
{
	union word *words = b ? list_more(a, b->words, b->count, sizeof(*words)) : NULL;

	if (!words)
		return NULL;
	b->words = words;
	return &words[b->count++];
}

bool bag_add_double(struct bag **b, double d, struct arena *a)
{
	union word *w = add_word(made(b, a), a);

	if (w)
		w->d = d;
	return w != NULL;
}

bool bag_add_ns(struct bag **b, int64_t ns, struct arena *a)
{
	union word *w = add_word(made(b, a), a);

	if (!w)
		return false;
	w->i = ns;
	(*b)->is_ns = true;
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

/* A copy in which numbers k - 1 and k are as if all were sorted; NULL: no memory, or none. */
static const union word *ordered(const struct bag *b, size_t k, struct arena *a)
{
	union word *words = arena_alloc(a, (b->count + 1) * sizeof(*words));

	if (!words)
		return NULL;
	memcpy(words, b->words, b->count * sizeof(*words));
	if (k < b->count)
		order(b, words, b->count, k);
	if (k)
		order(b, words, k < b->count ? k : b->count, k - 1);
	return words;
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

struct value bag_median(const struct bag *b, struct arena *a)
{
	const union word *words = b && b->count ? ordered(b, b->count / 2, a) : NULL, *middle;

	if (!words)
		return value_null();
	middle = &words[b->count / 2];
	if (b->count % 2)
		return exactly(b, middle);
	return result(b, (number(b, &middle[-1]) + number(b, middle)) / 2);
}

struct value bag_percentile(const struct bag *b, double p, struct arena *a)
{
	const union word *words;
	double x, low, high;
	size_t i;

	if (!b || !b->count)
		return value_null();
	if (b->count == 1)
		return exactly(b, &b->words[0]);
	x = (double)(b->count + 1) * p;
	i = (size_t)x;
	if (i > b->count)
		i = b->count;
	words = ordered(b, i, a);
	if (!words)
		return value_null();
	if (i == 0)
		return exactly(b, &words[0]);
	if (i >= b->count)
		return exactly(b, &words[b->count - 1]);
	low = number(b, &words[i - 1]);
	high = number(b, &words[i]);
	return result(b, low + (x - (double)i) * (high - low));
}

struct value bag_deviation(const struct bag *b)
{
	double sum = 0, squares = 0, mean;

	if (!b || !b->count)
		return value_null();
	for (size_t i = 0; i < b->count; i++)
		sum += number(b, &b->words[i]);
	mean = sum / (double)b->count;
	for (size_t i = 0; i < b->count; i++) {
		double d = number(b, &b->words[i]) - mean;

		squares += d * d;
	}
	return result(b, sqrt(squares / (double)b->count));
}
