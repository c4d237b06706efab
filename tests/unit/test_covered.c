/* SPDX-License-Identifier: MIT */
/* test_covered.c - the time that spans cover */

#include "base/covered.h"
#include "test.h"

static const struct {
	const char *name;
	struct covered_span spans[3];
	int64_t ns;
} rows[] = {
	{ "nothing", { { 0, 0 } }, 0 },
	{ "one", { { 5, 15 } }, 10 },
	{ "one_that_ends_before_it_starts", { { 15, 5 } }, 0 },
	{ "a_gap_does_not_count", { { 0, 10 }, { 90, 100 } }, 20 },
	{ "what_overlaps_counts_once", { { 0, 10 }, { 5, 15 } }, 15 },
	{ "what_lies_within_another", { { 0, 100 }, { 5, 15 }, { 50, 120 } }, 120 },
	{ "the_later_first", { { 90, 100 }, { 0, 10 } }, 20 },
	{ "before_1970", { { -20, -10 }, { -15, 5 } }, 25 },
	{ "all_of_time", { { INT64_MIN, INT64_MAX } }, INT64_MAX },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct covered c = { 0 };

		test_begin(rows[i].name);
		for (size_t k = 0; k < 3; k++)
			CHECK(covered_add(&c, rows[i].spans[k].start_ns, rows[i].spans[k].end_ns));
		CHECK_INT(covered_ns(&c), rows[i].ns);
		covered_fini(&c);
	}
	return test_end();
}
