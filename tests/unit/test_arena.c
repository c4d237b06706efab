/* SPDX-License-Identifier: MIT */
/* test_arena.c - many small objects of one lifetime */
#include "base/arena.h"

#include "test.h"

static bool is_aligned(const void *p)
{
	return (uintptr_t)p % 16 == 0;
}

static void test_sizes(void)
{
	static const size_t sizes[] = { 1, 15, 16, 17, 4095, 4097, 16384, 100000, 1 << 20, 3 << 20, 5 };
	struct arena a = { 0 };
	char *objects[sizeof(sizes) / sizeof(*sizes)];
	bool whole = true;

	test_begin("objects_of_all_sizes_keep_their_bytes");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		objects[i] = arena_alloc(&a, sizes[i]);
		CHECK(objects[i] && is_aligned(objects[i]));
		memset(objects[i], (int)i, sizes[i]);
	}
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		for (size_t k = 0; k < sizes[i]; k++)
			whole &= objects[i][k] == (char)i;
	}
	CHECK(whole);
	arena_fini(&a);
	CHECK_INT((int64_t)a.total, 0);
}

static void test_overflow(void)
{
	struct arena a = { 0 };

	test_begin("sizes_that_overflow_are_refused");
	CHECK(!arena_alloc(&a, SIZE_MAX));
	CHECK(!arena_alloc(&a, SIZE_MAX - 15));
	CHECK(!arena_zalloc(&a, SIZE_MAX / 2, 3));
	CHECK(!arena_zalloc(&a, UINT64_C(1) << 33, UINT64_C(1) << 33));
	arena_fini(&a);
}

static void test_zalloc(void)
{
	struct arena a = { 0 };
	char *p;
	bool zero = true;

	test_begin("zalloc_is_zero_after_clear");
	memset(arena_alloc(&a, 1000), 0xff, 1000);
	arena_clear(&a);
	p = arena_zalloc(&a, 10, 100);
	for (int i = 0; i < 1000; i++)
		zero &= p[i] == 0;
	CHECK(zero);
	arena_fini(&a);
}

static void test_strndup(void)
{
	struct arena a = { 0 };

	test_begin("strndup_ends_in_nul");
	CHECK(strcmp(arena_strndup(&a, "abc", 2), "ab") == 0);
	CHECK(strcmp(arena_strndup(&a, NULL, 0), "") == 0);
	arena_fini(&a);
}

static void fill(struct arena *a, size_t size)
{
	for (size_t n = 0; n < size; n += 1000)
		memset(arena_alloc(a, 1000), 1, 1000);
}

/* What is cleared and filled again takes no more than the first time. */
static void test_reuse(void)
{
	struct arena a = { 0 };
	size_t total;

	test_begin("clear_keeps_one_block");
	fill(&a, 200000);
	total = a.total;
	arena_clear(&a);
	CHECK(a.total > 0 && a.total < total);
	arena_clear(&a);
	arena_fini(&a);

	test_begin("recycle_gives_the_memory_again");
	for (int i = 0; i < 5; i++) {
		fill(&a, 10000000);
		arena_recycle(&a);
		CHECK_INT((int64_t)a.total, 0);
	}
	arena_fini(&a);
	arena_clear(&a);
	arena_fini(&a);
}

int main(void)
{
	test_sizes();
	test_overflow();
	test_zalloc();
	test_strndup();
	test_reuse();
	return test_end();
}
