/* SPDX-License-Identifier: MIT */
/* test_timetext.c - times and durations as Java prints them; the texts are those of JDK 25 */
#include "base/timetext.h"

#include "test.h"

static char buf[TIMETEXT_MAX];

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

#define US INT64_C(1000)
#define MS INT64_C(1000000)
#define S  INT64_C(1000000000)
#define M  (60 * S)
#define H  (60 * M)
#define D  (24 * H)

static const struct {
	const char *name;
	int64_t v, ns_seconds, ns_nanos, ms_seconds, ms_nanos;
} splits[] = {
	{"split_zero", 0, 0, 0, 0, 0},
	{"split_one", 1, 0, 1, 0, 1 * MS},
	{"split_minus_one", -1, -1, 999999999, -1, 999 * MS},
	{"split_whole_second", S, 1, 0, 1000000, 0},
	{"split_whole_negative_second", -S, -1, 0, -1000000, 0},
	{"split_largest", INT64_MAX, 9223372036, 854775807, 9223372036854775, 807 * MS},
	{"split_smallest", INT64_MIN, -9223372037, 145224192, -9223372036854776, 192 * MS},
};

static const struct {
	const char *name;
	struct timespan t;
	int32_t offset_s;
	const char *text;
} iso_times[] = {
	{"iso_nine_decimals",
	 {1795168314, 170093773},
	 19800,
	 "2026-11-20T15:21:54.170093773+05:30"},
	{"iso_six_decimals", {1795168314, 170093000}, 0, "2026-11-20T09:51:54.170093Z"},
	{"iso_three_decimals", {1795168314, 170000000}, 0, "2026-11-20T09:51:54.170Z"},
	{"iso_one_nanosecond", {0, 1}, 0, "1970-01-01T00:00:00.000000001Z"},
	{"iso_no_decimals", {1795168314, 0}, 0, "2026-11-20T09:51:54Z"},
	{"iso_no_seconds", {0, 0}, 19800, "1970-01-01T05:30+05:30"},
	{"iso_seconds_of_the_zone_alone", {0, 0}, 19815, "1970-01-01T05:30:15+05:30:15"},
	{"iso_zone_west", {0, 0}, -3600, "1969-12-31T23:00-01:00"},
	{"iso_zone_west_with_seconds", {0, 0}, -39601, "1969-12-31T12:59:59-11:00:01"},
	{"iso_zone_of_one_second", {0, 0}, 1, "1970-01-01T00:00:01+00:00:01"},
	{"iso_zone_of_minus_one_second", {0, 0}, -1, "1969-12-31T23:59:59-00:00:01"},
	{"iso_before_1970", {-1, 999999999}, 0, "1969-12-31T23:59:59.999999999Z"},
	{"iso_leap_day", {951782400, 0}, 0, "2000-02-29T00:00Z"},
	{"iso_1900_had_no_leap_day", {-2203891200, 0}, 0, "1900-03-01T00:00Z"},
	{"iso_before_1_march_1900", {-2203891201, 0}, 0, "1900-02-28T23:59:59Z"},
	{"iso_2100_has_no_leap_day", {4107542400, 0}, 0, "2100-03-01T00:00Z"},
	{"iso_last_day_of_a_leap_year", {978307199, 0}, 0, "2000-12-31T23:59:59Z"},
	{"iso_last_day_of_400_years", {951868799, 0}, 0, "2000-02-29T23:59:59Z"},
	{"iso_year_9999", {253402300799, 0}, 0, "9999-12-31T23:59:59Z"},
	{"iso_year_10000_has_a_plus", {253402300800, 0}, 0, "+10000-01-01T00:00Z"},
	{"iso_year_999", {-30610224001, 0}, 0, "0999-12-31T23:59:59Z"},
	{"iso_year_0", {-62167219200, 0}, 0, "0000-01-01T00:00Z"},
	{"iso_year_minus_1", {-62167219201, 0}, 0, "-0001-12-31T23:59:59Z"},
	{"iso_last_millisecond",
	 {9223372036854775, 807000000},
	 0,
	 "+292278994-08-17T07:12:55.807Z"},
	{"iso_first_millisecond",
	 {-9223372036854776, 193000000},
	 0,
	 "-292275055-05-16T16:47:04.193Z"},
	{"iso_smallest_of_java", {-31557014135661600, 0}, 64800, "-999999999-01-01T00:00+18:00"},
};

static const struct {
	const char *name;
	struct timespan t;
	int32_t offset_s;
	unsigned decimals;
	const char *text;
} print_times[] = {
	{"print_milliseconds", {1795168314, 170093773}, 19800, 3, "15:21:54.170 (2026-11-20)"},
	{"print_truncates", {1795168314, 170999999}, 0, 3, "09:51:54.170 (2026-11-20)"},
	{"print_exact", {1795168314, 170093773}, 0, 9, "09:51:54.170093773 (2026-11-20)"},
	{"print_shows_zero_seconds", {0, 0}, 0, 3, "00:00:00.000 (1970-01-01)"},
	{"print_day_of_the_zone", {0, 0}, -3600, 3, "23:00:00.000 (1969-12-31)"},
	{"print_year_1", {-62135596800, 0}, 0, 3, "00:00:00.000 (0001-01-01)"},
	{"print_year_0_is_1_of_the_era_before",
	 {-62135596801, 0},
	 0,
	 3,
	 "23:59:59.000 (0001-12-31)"},
	{"print_year_0_of_the_zone", {-62135596800, 0}, -1, 3, "23:59:59.000 (0001-12-31)"},
	{"print_year_1_of_the_zone", {-62135596801, 0}, 1, 3, "00:00:00.000 (0001-01-01)"},
	{"print_year_minus_1", {-62167219201, 0}, 0, 3, "23:59:59.000 (0002-12-31)"},
	{"print_last_millisecond",
	 {9223372036854775, 807000000},
	 0,
	 3,
	 "07:12:55.807 (+292278994-08-17)"},
	{"print_first_millisecond",
	 {-9223372036854776, 193000000},
	 0,
	 3,
	 "16:47:04.193 (+292275056-05-16)"},
};

static const struct {
	const char *name;
	struct timespan d;
	const char *text;
} iso_spans[] = {
	{"span_zero", {0, 0}, "PT0S"},
	{"span_fraction_alone", {0, 2422}, "PT0.000002422S"},
	{"span_fraction_without_zeros", {1, 500000000}, "PT1.5S"},
	{"span_minutes_and_seconds", {1023, 0}, "PT17M3S"},
	{"span_minutes_alone", {120, 0}, "PT2M"},
	{"span_minutes_and_fraction", {60, 1}, "PT1M0.000000001S"},
	{"span_hours_alone", {3600, 0}, "PT1H"},
	{"span_hours_and_seconds", {3601, 0}, "PT1H1S"},
	{"span_hours_are_the_largest", {123456, 789012345}, "PT34H17M36.789012345S"},
	{"span_negative_fraction", {-1, 998500000}, "PT-0.0015S"},
	{"span_negative_seconds", {-3, 0}, "PT-3S"},
	{"span_negative_components", {-2147484, 352000000}, "PT-596H-31M-23.648S"},
	{"span_minus_a_minute_and_a_bit", {-61, 999999999}, "PT-1M-0.000000001S"},
	{"span_largest", {INT64_MAX, 999999999}, "PT2562047788015215H30M7.999999999S"},
	{"span_smallest", {INT64_MIN, 0}, "PT-2562047788015215H-30M-8S"},
};

static const struct {
	const char *name;
	int64_t ns;
	const char *text;
} print_spans[] = {
	{"print_zero", 0, "0 s"},
	{"print_1_ns", 1, "0.000001 ms"},
	{"print_999_ns_is_not_rounded", 999, "0.000999 ms"},
	{"print_1_us", 1 * US, "0.00100 ms"},
	{"print_9_994_us", 9994, "0.00999 ms"},
	{"print_9_995_us_rounds_up", 9995, "0.0100 ms"},
	{"print_9_999_us", 9999, "0.0100 ms"},
	{"print_99_95_us", 99950, "0.100 ms"},
	{"print_999_5_us", 999500, "1.00 ms"},
	{"print_999_499_us", 999499, "0.999 ms"},
	{"print_1_234_ms", 1234 * US, "1.23 ms"},
	{"print_1_235_ms_rounds_up", 1235 * US, "1.24 ms"},
	{"print_12_35_ms", 12350 * US, "12.4 ms"},
	{"print_100_ms", 100 * MS, "100 ms"},
	{"print_999_499_ms", 999499 * US, "999 ms"},
	{"print_999_5_ms_is_a_second", 999500 * US, "1.00 s"},
	{"print_1_234_s", 1234 * MS, "1.23 s"},
	{"print_12_3_s", 12300 * MS, "12.3 s"},
	{"print_12_35_s", 12350 * MS, "12.4 s"},
	{"print_1_9949_s", 1994900 * US, "1.99 s"},
	{"print_below_a_millisecond_is_dropped_first", 1994999999, "1.99 s"},
	{"print_1_995_s", 1995 * MS, "2.00 s"},
	{"print_9_995_s_has_a_digit_less", 9995 * MS, "10.0 s"},
	{"print_59_949_s", 59949 * MS, "59.9 s"},
	{"print_59_95_s_is_a_minute", 59950 * MS, "1 m 0 s"},
	{"print_1_minute", M, "1 m 0 s"},
	{"print_half_a_second_rounds_up", M + 500 * MS, "1 m 1 s"},
	{"print_below_half_a_second_rounds_down", M + 500 * MS - 1, "1 m 0 s"},
	{"print_17_minutes", 17 * M + 3 * S, "17 m 3 s"},
	{"print_below_an_hour", H - 500 * MS - 1, "59 m 59 s"},
	{"print_rounded_to_an_hour", H - 500 * MS, "1 h 0 m"},
	{"print_half_a_minute_rounds_up", H + 30 * S, "1 h 1 m"},
	{"print_below_half_a_minute_rounds_down", H + 30 * S - 1, "1 h 0 m"},
	{"print_below_a_day", 23 * H + 59 * M, "23 h 59 m"},
	{"print_rounded_to_a_day", D - 30 * S, "1 d 0 h"},
	{"print_half_an_hour_rounds_up", D + 30 * M, "1 d 1 h"},
	{"print_below_half_an_hour_rounds_down", D + 30 * M - 1, "1 d 0 h"},
	{"print_days", 12427 * D + 14 * H, "12427 d 14 h"},
	{"print_negative_us", -1500, "-0.00150 ms"},
	{"print_negative_rounds_as_positive", -1235 * US, "-1.24 ms"},
	{"print_negative_carry", -59950 * MS, "-1 m 0 s"},
	{"print_minus_1_ns", -1, "-0.000001 ms"},
	{"print_largest", INT64_MAX, "106752 d 0 h"},
};

static const struct {
	const char *name;
	int64_t ns;
	const char *text;
} exact_spans[] = {
	{"exact_zero", 0, "0.000000000 s"},
	{"exact_1_ns", 1, "0.000000001 s"},
	{"exact_1_23_ms", 1230 * US, "0.001230000 s"},
	{"exact_negative", -1 * MS, "-0.001000000 s"},
	{"exact_hours_are_seconds", 2 * H + 1, "7200.000000001 s"},
	{"exact_beyond_the_digits_of_a_double", INT64_MAX, "9223372036.854776000 s"},
};

static void test_splits(void)
{
	for (size_t i = 0; i < COUNT(splits); i++) {
		struct timespan ns = timespan_from_ns(splits[i].v);
		struct timespan ms = timespan_from_ms(splits[i].v);

		test_begin(splits[i].name);
		CHECK_INT(ns.seconds, splits[i].ns_seconds);
		CHECK_INT(ns.nanos, splits[i].ns_nanos);
		CHECK_INT(ms.seconds, splits[i].ms_seconds);
		CHECK_INT(ms.nanos, splits[i].ms_nanos);
	}
}

static void test_times(void)
{
	/* One memo for all, so that each row has to replace what the last one left. */
	struct second_text memo = {0};

	for (size_t i = 0; i < COUNT(iso_times); i++) {
		char *end = put_iso_time(buf, &memo, iso_times[i].t, iso_times[i].offset_s);

		test_begin(iso_times[i].name);
		CHECK_TEXT(buf, end - buf, iso_times[i].text);
	}
	for (size_t i = 0; i < COUNT(print_times); i++) {
		char *end = put_print_time(buf, &memo, print_times[i].t, print_times[i].offset_s,
					   print_times[i].decimals);

		test_begin(print_times[i].name);
		CHECK_TEXT(buf, end - buf, print_times[i].text);
	}
}

static void test_memo(void)
{
	struct second_text memo = {0};
	char *end;

	test_begin("memo_of_second_zero_is_not_taken_for_valid");
	end = put_print_time(buf, &memo, (struct timespan){0, 0}, 0, 3);
	CHECK_TEXT(buf, end - buf, "00:00:00.000 (1970-01-01)");

	test_begin("memo_same_second_other_nanoseconds");
	end = put_iso_time(buf, &memo, (struct timespan){0, 5}, 0);
	CHECK_TEXT(buf, end - buf, "1970-01-01T00:00:00.000000005Z");

	test_begin("memo_same_second_other_zone");
	end = put_iso_time(buf, &memo, (struct timespan){0, 0}, 3600);
	CHECK_TEXT(buf, end - buf, "1970-01-01T01:00+01:00");

	test_begin("any_second_fits");
	end = put_iso_time(buf, &memo, (struct timespan){INT64_MIN, 1}, -64799);
	CHECK(end - buf <= TIMETEXT_MAX);
	end = put_iso_time(buf, &memo, (struct timespan){INT64_MAX, 1}, 64799);
	CHECK(end - buf <= TIMETEXT_MAX);
	end = put_print_time(buf, &memo, (struct timespan){INT64_MIN, 1}, -64799, 9);
	CHECK(end - buf <= TIMETEXT_MAX);
}

static void test_spans(void)
{
	for (size_t i = 0; i < COUNT(iso_spans); i++) {
		test_begin(iso_spans[i].name);
		CHECK_TEXT(buf, put_iso_span(buf, iso_spans[i].d) - buf, iso_spans[i].text);
	}
	for (size_t i = 0; i < COUNT(print_spans); i++) {
		char *end = put_print_span(buf, timespan_from_ns(print_spans[i].ns));

		test_begin(print_spans[i].name);
		CHECK_TEXT(buf, end - buf, print_spans[i].text);
	}
	test_begin("print_beyond_64_bits_of_ns");
	CHECK_TEXT(buf, put_print_span(buf, timespan_from_ms(INT64_MIN + 1)) - buf,
		   "-106751991167 d 7 h");
	for (size_t i = 0; i < COUNT(exact_spans); i++) {
		char *end = put_exact_span(buf, timespan_from_ns(exact_spans[i].ns));

		test_begin(exact_spans[i].name);
		CHECK_TEXT(buf, end - buf, exact_spans[i].text);
	}
	test_begin("any_length_fits");
	CHECK(put_print_span(buf, (struct timespan){INT64_MIN, 0}) - buf <= TIMETEXT_MAX);
	CHECK(put_exact_span(buf, (struct timespan){INT64_MIN, 1}) - buf <= TIMETEXT_MAX);
}

int main(void)
{
	test_splits();
	test_times();
	test_memo();
	test_spans();
	return test_end();
}
