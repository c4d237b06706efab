/* SPDX-License-Identifier: MIT */
/* test_clock.c - from ticks to nanoseconds, with the rounding of the JDK */
#include "format/clock.h"

#include "test.h"

#define SECOND INT64_C(1000000000)

static const struct {
	const char *name;
	struct chunk_header header;
	int64_t ticks, time_ns, span_ns;
} rows[] = {
	{ "ticks_are_nanoseconds",
	  { .start_ns = 5000, .start_ticks = 100, .ticks_per_second = SECOND }, 150, 5050, 150 },
	{ "ticks_of_a_real_processor",
	  { .start_ns = 7, .start_ticks = 0, .ticks_per_second = 2799998858 }, 123455789, 44091378, 44091371 },
	{ "before_the_chunk",
	  { .start_ns = 5000, .start_ticks = 100, .ticks_per_second = SECOND }, 40, 4940, 40 },
	{ "truncated_to_zero_from_above",
	  { .ticks_per_second = 2 * SECOND }, 3, 1, 1 },
	{ "truncated_to_zero_from_below",
	  { .ticks_per_second = 2 * SECOND }, -3, -1, -1 },
	{ "frequency_zero_is_nanoseconds",
	  { .start_ns = 5000, .start_ticks = 100, .ticks_per_second = 0 }, 150, 5050, 150 },
	{ "frequency_negative_is_nanoseconds",
	  { .start_ns = 5000, .start_ticks = 100, .ticks_per_second = -1 }, 150, 5050, 150 },
	{ "one_tick_per_second_saturates",
	  { .ticks_per_second = 1 }, INT64_MAX, INT64_MAX, INT64_MAX },
	{ "one_tick_per_second_saturates_below",
	  { .ticks_per_second = 1 }, INT64_MIN, INT64_MIN, INT64_MIN },
	{ "sum_wraps_as_in_java",
	  { .start_ns = INT64_MAX, .ticks_per_second = SECOND }, 1, INT64_MIN, 1 },
	{ "difference_wraps_as_in_java",
	  { .start_ticks = INT64_MIN, .ticks_per_second = SECOND }, INT64_MAX, -1, INT64_MAX },
};

static const struct {
	const char *name;
	struct chunk_header first, next;
	bool agree;
} pairs[] = {
#define CLOCK(ns, ticks, rate, duration) \
	{ .start_ns = (ns), .start_ticks = (ticks), .ticks_per_second = (rate), .duration_ns = (duration) }
	{ "agrees_with_itself", CLOCK(0, 0, SECOND, SECOND), CLOCK(0, 0, SECOND, SECOND), true },
	{ "agrees_a_minute_later",
	  CLOCK(0, 0, SECOND, SECOND), CLOCK(60 * SECOND, 60 * SECOND, SECOND, SECOND), true },
	{ "agrees_within_a_second",
	  CLOCK(0, 0, SECOND, SECOND), CLOCK(61 * SECOND, 60 * SECOND, SECOND, SECOND), true },
	{ "differs_by_more_than_a_second",
	  CLOCK(0, 0, SECOND, SECOND), CLOCK(61 * SECOND + 1000, 60 * SECOND, SECOND, SECOND), false },
	{ "differs_in_rate", CLOCK(0, 0, SECOND, SECOND), CLOCK(0, 0, 3 * SECOND, 10 * SECOND), false },
	{ "rate_shows_at_the_end_only",
	  CLOCK(0, 0, SECOND, 0), CLOCK(0, 0, SECOND + SECOND / 10, 3600 * SECOND), false },
	{ "other_machine", CLOCK(0, 0, SECOND, SECOND), CLOCK(0, 4711 * SECOND, SECOND, SECOND), false },
	{ "edges_do_not_trap",
	  CLOCK(INT64_MIN, INT64_MAX, 1, INT64_MAX), CLOCK(INT64_MAX, INT64_MIN, 1, INT64_MIN), false },
};

static const struct {
	const char *name;
	double d;
	int64_t v;
} casts[] = {
	{ "cast_truncates", -1.9, -1 },
	{ "cast_not_a_number", __builtin_nan(""), 0 },
	{ "cast_infinity", __builtin_inf(), INT64_MAX },
	{ "cast_negative_infinity", -__builtin_inf(), INT64_MIN },
	{ "cast_2_63", 0x1p63, INT64_MAX },
	{ "cast_below_2_63", 0x1.fffffffffffffp62, INT64_MAX - 1023 },
	{ "cast_minus_2_63", -0x1p63, INT64_MIN },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct clock c = clock_of(&rows[i].header);

		test_begin(rows[i].name);
		CHECK_INT(clock_time_ns(&c, rows[i].ticks), rows[i].time_ns);
		CHECK_INT(clock_span_ns(&c, rows[i].ticks), rows[i].span_ns);
	}
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		struct clock c = clock_of(&pairs[i].first);

		test_begin(pairs[i].name);
		CHECK_INT(clock_agrees(&c, &pairs[i].next), pairs[i].agree);
	}
	for (size_t i = 0; i < sizeof(casts) / sizeof(*casts); i++) {
		test_begin(casts[i].name);
		CHECK_INT(double_to_long(casts[i].d), casts[i].v);
	}
	return test_end();
}
