/* SPDX-License-Identifier: MIT */
/* test_array.c - arrays that grow */
#include "base/array.h"

#include <stdlib.h>

#include "test.h"

static void test_items(void)
{
	struct pair {
		size_t a, b;
	} *pairs = NULL;
	size_t count = 0, room = 0;
	bool whole = true;

	test_begin("items_stay_where_they_were_put");
	for (size_t i = 0; i < 1000; i++)
		whole &= array_push(pairs, count, room, (struct pair){ i, i * 3 });
	CHECK_INT((int64_t)count, 1000);
	CHECK_INT((int64_t)room, 1024);
	for (size_t i = 0; i < count; i++)
		whole &= pairs[i].a == i && pairs[i].b == i * 3;
	CHECK(whole);
	free(pairs);
}

static void test_reserve(void)
{
	char *items = NULL;
	uint32_t count = 0, room = 0;

	test_begin("reserving_adds_nothing");
	CHECK(array_reserve(items, count, room));
	CHECK(items && room > 0);
	CHECK_INT(count, 0);
	free(items);
}

static void test_count_of_eight_bits(void)
{
	char *items = NULL;
	uint8_t count = 0, room = 0;
	unsigned pushed = 0;

	test_begin("a_count_that_would_overflow_is_refused");
	while (pushed < 1000 && array_push(items, count, room, 'x'))
		pushed++;
	CHECK_INT(pushed, 255);
	CHECK_INT(count, 255);
	CHECK_INT(room, 255);
	CHECK(items[254] == 'x');
	free(items);
}

static void test_size_overflow(void)
{
	struct large {
		char bytes[4096];
	} *items = NULL;
	size_t count = SIZE_MAX / 4096 + 1, room = count;

	test_begin("a_size_that_would_overflow_is_refused");
	CHECK(!array_reserve(items, count, room));
	CHECK(!items);
	CHECK(room == SIZE_MAX / 4096 + 1);
	count = room = SIZE_MAX;
	CHECK(!array_reserve(items, count, room));
	CHECK(room == SIZE_MAX);
}

int main(void)
{
	test_items();
	test_reserve();
	test_count_of_eight_bits();
	test_size_overflow();
	return test_end();
}
