/* SPDX-License-Identifier: MIT */
/* test_sort.c - events by time, whatever times there are */
#include "base/sort.h"

#include "test.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* Times as they come: the i-th of n. */
typedef int64_t time_fn(uint64_t i, uint64_t n);

static uint64_t random_bits(uint64_t i)
{
	i = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
	i = (i ^ i >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	return i ^ i >> 27;
}

static int64_t ascending(uint64_t i, uint64_t n)
{
	(void)n;
	return (int64_t)(1000000000000 + i * 12345);
}

static int64_t descending(uint64_t i, uint64_t n)
{
	return ascending(n - i, n);
}

static int64_t of_threads(uint64_t i, uint64_t n)
{
	(void)n;
	return (int64_t)(i / 1000 * 1000000 + i % 1000 / 10 * 100 + i % 10);
}

static int64_t all_equal(uint64_t i, uint64_t n)
{
	(void)i;
	(void)n;
	return -5;
}

static int64_t few_values(uint64_t i, uint64_t n)
{
	(void)n;
	return (int64_t)(random_bits(i) % 3);
}

static int64_t burst(uint64_t i, uint64_t n)
{
	return i == n / 2 ? INT64_C(1) << 40 : (int64_t)(random_bits(i) % 100000);
}

static int64_t first_and_last(uint64_t i, uint64_t n)
{
	(void)n;
	return random_bits(i) & 1 ? INT64_MIN : INT64_MAX;
}

static int64_t any_number(uint64_t i, uint64_t n)
{
	(void)n;
	return (int64_t)random_bits(i);
}

static const struct {
	const char *name;
	time_fn *time;
} rows[] = {
	{ "ascending", ascending },	{ "descending", descending }, { "of_threads", of_threads },
	{ "all_equal", all_equal },	{ "few_values", few_values }, { "burst", burst },
	{ "first_and_last", first_and_last },
	{ "any_number", any_number },
};

/* Out of order, or out of the order in which equal ones came, are so many. */
static unsigned misplaced(time_fn *time, uint64_t n, uint64_t factor)
{
	struct sort_list l = { 0 };
	unsigned wrong = 0;

	for (uint64_t i = 0; i < n; i++)
		wrong += sort_add(&l, time(i, n), i * factor) < 0;
	wrong += sort_items(&l) < 0;
	for (uint64_t k = 0; k < n; k++) {
		const struct sort_item *at = &l.items[k];

		wrong += time(at->value / factor, n) != at->key;
		if (k && at[-1].key >= at->key)
			wrong += at[-1].key > at->key || at[-1].value >= at->value;
	}
	sort_fini(&l);
	return wrong;
}

int main(void)
{
	static const uint64_t counts[] = { 0, 1, 2, 64, 65, 1000, 5000 };

	for (size_t i = 0; i < COUNT(rows); i++) {
		test_begin(rows[i].name);
		for (size_t k = 0; k < COUNT(counts); k++) {
			CHECK_INT(misplaced(rows[i].time, counts[k], 1), 0);
			/* Together with such places no time fits into one word. */
			CHECK_INT(misplaced(rows[i].time, counts[k], UINT64_C(1) << 48), 0);
		}
	}
	return test_end();
}
