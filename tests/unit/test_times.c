/* SPDX-License-Identifier: MIT */
/* test_times.c - when stacks were seen, in little memory */
#include "stacks/times.h"

#include "test.h"

#define MS INT64_C(1000000)

struct seen {
	int64_t weight, first_ns, last_ns;
	uint32_t count;
};

static int see(void *ctx, int64_t at_ns, uint32_t id, int64_t weight)
{
	struct seen *s = ctx;

	if (!s->count++ || at_ns < s->first_ns)
		s->first_ns = at_ns;
	if (s->count == 1 || at_ns > s->last_ns)
		s->last_ns = at_ns;
	s->weight += weight * (id % 3 + 1);
	return 0;
}

static int stop(void *ctx, int64_t at_ns, uint32_t id, int64_t weight)
{
	(void)ctx, (void)at_ns, (void)id, (void)weight;
	return 7;
}

static void test_one_span_is_added_up(void)
{
	struct times t = { 0 };
	struct seen s = { 0 };

	CHECK(times_add(&t, 25 * MS, 3, 5) == 0);
	CHECK(times_add(&t, 3 * MS, 1, 10) == 0); /* not in the order of time */
	CHECK(times_add(&t, 21 * MS, 3, 7) == 0);
	CHECK(times_add(&t, 21 * MS, 3, 0) == 0); /* weighs nothing */
	CHECK(times_add(&t, 21 * MS, 3, -1) == 0);
	CHECK(times_add(&t, INT64_MAX, 3, 1) == 0); /* a damaged recording's */
	CHECK(times_add(&t, INT64_MIN, 3, 1) == 0);
	CHECK(times_each(&t, see, &s) == 0);
	CHECK_INT(s.count, 2);
	CHECK_INT(s.weight, 12 * 1 + 10 * 2);
	CHECK_INT(s.first_ns, 0);
	CHECK_INT(s.last_ns, 20 * MS);
	CHECK_INT(times_each(&t, stop, NULL), 7);
	times_fini(&t);
}

/* Longer spans from the start are what short ones add up to. */
static void test_no_more_spans_than_wanted(void)
{
	struct times t = { .most_spans = 200 };
	struct seen s = { 0 };

	for (int64_t i = 0; i < 500000; i++)
		CHECK(times_add(&t, i * 20 * MS, 1, 20) == 0);
	CHECK(times_each(&t, see, &s) == 0);
	CHECK_INT(times_width_ns(t.width), 60000 * MS); /* 10,000 s */
	CHECK_INT(s.weight, INT64_C(500000) * 20 * 2);
	CHECK(t.packed.len < 4000);
	CHECK(s.last_ns - s.first_ns < 200 * 60000 * MS);
	times_fini(&t);
}

static void test_times_before_1970(void)
{
	struct times t = { 0 };
	struct seen s = { 0 };

	CHECK(times_add(&t, -1, 0, 1) == 0);
	CHECK(times_add(&t, INT64_MIN / 2 + 1, 0, 1) == 0);
	CHECK(times_add(&t, INT64_MAX / 2, 0, 1) == 0);
	CHECK(times_each(&t, see, &s) == 0);
	CHECK_INT(s.count, 3);
	CHECK(s.first_ns <= INT64_MIN / 2 + 1 && s.last_ns <= INT64_MAX / 2);
	times_fini(&t);
}

static void test_widths_divide_each_other(void)
{
	for (unsigned i = 1; times_width_ns(i); i++)
		CHECK_INT(times_width_ns(i) % times_width_ns(i - 1), 0);
}

/* Spans grow where the entries take too much room, and no weight is lost. */
static void test_memory_is_bounded(void)
{
	struct times t = { 0 };
	struct seen s = { 0 };
	uint64_t random = 1;
	int64_t weight = 0;
	bool all = true;

	for (uint32_t i = 0; i < 5500000; i++) {
		uint32_t id;

		random = random * 6364136223846793005u + 1442695040888963407u;
		id = (uint32_t)(random >> 33) % 5000;
		all &= times_add(&t, (int64_t)(i / 3) * 10 * MS, id, 1 + (random & 0x7ffffffff)) == 0;
		weight += (int64_t)(1 + (random & 0x7ffffffff)) * (id % 3 + 1);
		all &= t.packed.len <= TIMES_MAX + (1u << 21);
	}
	CHECK(all);
	CHECK(t.width > 0);
	CHECK(times_each(&t, see, &s) == 0);
	CHECK_INT(s.weight, weight);
	times_fini(&t);
}

int main(void)
{
	test_begin("one_span_is_added_up");
	test_one_span_is_added_up();
	test_begin("no_more_spans_than_wanted");
	test_no_more_spans_than_wanted();
	test_begin("times_before_1970");
	test_times_before_1970();
	test_begin("widths_divide_each_other");
	test_widths_divide_each_other();
	test_begin("memory_is_bounded");
	test_memory_is_bounded();
	return test_end();
}
