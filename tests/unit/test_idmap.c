/* SPDX-License-Identifier: MIT */
/* test_idmap.c - from 64-bit ids of any density to small numbers */
#include "base/idmap.h"

#include "test.h"

static const struct {
	const char *name;
	uint64_t first, step;
} rows[] = {
	{ "dense_from_zero", 0, 1 },
	{ "dense_from_the_end", UINT64_MAX, (uint64_t)-1 },
	{ "low_bits_zero", 0, UINT64_C(1) << 16 },
	{ "only_high_bits", UINT64_C(1) << 63, UINT64_C(1) << 40 },
	{ "near_the_golden_ratio", 0, 0x9e3779b97f4a7c15u },
};

#define COUNT 100000u

static void check(uint64_t first, uint64_t step)
{
	struct idmap m = { 0 };
	bool all = true;

	CHECK(idmap_get(&m, first) == IDMAP_NONE);
	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t *at = idmap_put(&m, first + i * step, i);

		all &= at && *at == i;
	}
	for (uint32_t i = 0; i < COUNT; i++)
		all &= idmap_get(&m, first + i * step) == i;
	CHECK(all);
	CHECK_INT(m.count, COUNT);
	CHECK(idmap_get(&m, first + COUNT * step) == IDMAP_NONE);
	idmap_fini(&m);
	CHECK(!m.slots);
}

static void test_second_put(void)
{
	struct idmap m = { 0 };

	test_begin("second_put_keeps_the_first_value");
	CHECK_INT(*idmap_put(&m, 7, 1), 1);
	CHECK_INT(*idmap_put(&m, 7, 2), 1);
	*idmap_put(&m, 7, 3) = 4;
	CHECK_INT(idmap_get(&m, 7), 4);
	CHECK_INT(m.count, 1);
	idmap_fini(&m);
}

/* No place moves while so many ids are put, and those before are still there. */
static void test_reserve(void)
{
	const struct idmap_slot *slots;
	struct idmap m = { 0 };

	test_begin("reserved_room_is_enough");
	CHECK_INT(*idmap_put(&m, 7, 1), 1);
	CHECK(idmap_reserve(&m, 1000));
	slots = m.slots;
	for (uint32_t i = 0; i < 999; i++)
		CHECK_INT(*idmap_put(&m, 1000 + i, i), i);
	CHECK(m.slots == slots);
	CHECK_INT(idmap_get(&m, 7), 1);
	CHECK(idmap_reserve(&m, 10) && m.slots == slots);
	idmap_fini(&m);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		test_begin(rows[i].name);
		check(rows[i].first, rows[i].step);
	}
	test_second_put();
	test_reserve();
	return test_end();
}
