/* SPDX-License-Identifier: MIT */
/* test_sample_list.c - each sample, in few bytes */
#include "stacks/sample_list.h"

#include "test.h"

static const struct sample all[] = {
	{ 1700000000000000000, { 1, 20000000 }, 7 },
	{ 1700000000020000000, { 1, 20000000 }, 7 },
	{ 1700000000010000000, { 1, 20000000 }, 0 }, /* earlier */
	{ INT64_MAX, { UINT64_MAX, INT64_MIN }, UINT32_MAX - 1 },
	{ INT64_MIN, { 0, INT64_MAX }, 3 },
	{ 0, { 0, 0 }, 3 },
	{ -1, { 2, -5 }, 4 },
};
#define COUNT (sizeof(all) / sizeof(*all))

struct seen {
	size_t count;
	const uint32_t *numbers; /* NULL: places are as they were */
	bool is_same;
};

static int see(void *ctx, const struct sample *s)
{
	struct seen *seen = ctx;
	const struct sample *wanted = &all[seen->count++];
	uint32_t place = seen->numbers ? seen->numbers[wanted->place] : wanted->place;

	seen->is_same &= s->time == wanted->time && s->place == place &&
			 s->weight.samples == wanted->weight.samples &&
			 s->weight.value == wanted->weight.value;
	return 0;
}

static int stop(void *ctx, const struct sample *s)
{
	(void)ctx, (void)s;
	return 7;
}

static void test_samples_come_back(void)
{
	struct sample_list s = { 0 };
	struct seen seen = { .is_same = true };

	CHECK_INT(sample_list_each(&s, stop, NULL), 0);
	for (size_t i = 0; i < COUNT; i++)
		CHECK(sample_list_add(&s, all[i]) == 0);
	CHECK(sample_list_each(&s, see, &seen) == 0);
	CHECK_INT(seen.count, COUNT);
	CHECK(seen.is_same);
	CHECK_INT(sample_list_each(&s, stop, NULL), 7);
	sample_list_fini(&s);
}

static void test_places_change(void)
{
	static const uint32_t numbers[] = { 5, 0, 0, 1, 0, 0, 0, UINT32_MAX - 1 };
	struct sample_list s = { 0 };
	struct seen seen = { .is_same = true, .numbers = numbers };

	for (size_t i = 0; i < 3; i++)
		CHECK(sample_list_add(&s, all[i]) == 0);
	CHECK(sample_list_renumber(&s, numbers) == 0);
	CHECK(sample_list_each(&s, see, &seen) == 0);
	CHECK_INT(seen.count, 3);
	CHECK(seen.is_same);
	sample_list_fini(&s);
}

/* Samples of a profiler: every 20 ms one of some stacks. */
static void test_they_are_small(void)
{
	struct sample_list s = { 0 };

	for (int64_t i = 0; i < 10000; i++)
		CHECK(sample_list_add(&s, (struct sample){ i * 20000000, { 1, 20000000 },
						       (uint32_t)(i * 37 % 5000) }) == 0);
	CHECK(s.packed.len < 70000);
	sample_list_fini(&s);
}

int main(void)
{
	test_begin("samples_come_back");
	test_samples_come_back();
	test_begin("places_change");
	test_places_change();
	test_begin("they_are_small");
	test_they_are_small();
	return test_end();
}
