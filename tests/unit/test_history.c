/* SPDX-License-Identifier: MIT */
/* test_history.c - values over time: in pages, in slots that are widened, in any order */
#include "report/history.h"

#include "test.h"

#define SECOND INT64_C(1000000000)
#define START  (INT64_C(1700000000) * SECOND)

static size_t pages_of(const struct history *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->page_count; i++)
		n += s->pages[i] != NULL;
	return n;
}

/* One value a second, and one that is higher. */
static void test_values(void)
{
	struct history s = { 0 };
	struct history_column columns[10];
	struct history_span span = { START, START + 100000 * SECOND, INT64_MIN, INT64_MAX };

	test_begin("values_that_are_far_apart_take_few_pages");
	for (int i = 0; i < 20; i++)
		history_note(&s, START + i * SECOND, i == 7 ? 99 : 1);
	CHECK_INT(s.width, 0);
	CHECK_INT(pages_of(&s), 20);

	test_begin("no_extreme_is_lost_when_slots_are_widened");
	history_note(&s, START + 99999 * SECOND, 5);
	history_note(&s, START, 3); /* late */
	CHECK(s.width > 0 && s.count <= HISTORY_SLOTS);
	CHECK(history_columns(&s, HISTORY_GAUGE, &span, SECOND, columns, 10));
	CHECK(columns[0].high == 99 && columns[0].low == 1);
	CHECK(columns[0].sum == 19 + 99 + 3);
	CHECK(!columns[5].has_value);
	CHECK(columns[9].high == 5);
	history_fini(&s);

	test_begin("values_come_in_any_order");
	for (int i = 5000; i >= 0; i--)
		history_note(&s, START + i * SECOND, i);
	CHECK(history_columns(&s, HISTORY_GAUGE, &span, SECOND, columns, 10));
	CHECK(columns[0].low == 0 && columns[0].high == 5000);
	CHECK(columns[0].sum == 5000.0 * 5001 / 2);
	history_fini(&s);
}

/* What is spread is there again, whatever was widened in between. */
static void test_amounts(void)
{
	struct history s = { 0 };
	struct history_column columns[10];
	struct history_span span = { START, START + 1000 * SECOND, INT64_MIN, INT64_MAX };

	test_begin("an_amount_is_spread_over_all_of_its_time");
	history_spread(&s, START, START + 10 * SECOND, 10);
	history_spread(&s, START + 900 * SECOND, START + 950 * SECOND, 100);
	history_spread(&s, START + 999 * SECOND, START + 999 * SECOND, 7);
	CHECK(s.width > 0);
	CHECK(history_columns(&s, HISTORY_RATE, &span, SECOND, columns, 10));
	CHECK(columns[0].sum > 9.99 && columns[0].sum < 10.01);
	CHECK(columns[5].sum == 0 && columns[5].has_value);
	/* A window of a second may lie in two columns. */
	CHECK(columns[8].sum + columns[9].sum > 106.99);
	CHECK(columns[8].sum + columns[9].sum < 107.01);
	history_fini(&s);
}

int main(void)
{
	test_values();
	test_amounts();
	return test_end();
}
