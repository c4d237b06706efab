/* SPDX-License-Identifier: MIT */
/* test_human.c - numbers and times for people; tests/cli/human_js.py reads these rows, too */

#include "base/human.h"
#include "test.h"

#define KiB 1024.0
#define MiB (1024 * KiB)
#define GiB (1024 * MiB)

#define CHECK_HUMAN(got, want)                             \
	do {                                               \
		const char *text_ = (got);                 \
		CHECK_TEXT(text_, strlen(text_), (want)); \
	} while (0)

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

typedef const char *text_fn(char *to, double v);

static const struct {
	const char *name;
	text_fn *text;
	double v;
	const char *expected;
} rows[] = {
	{"no_number", human_number, 0, "0"},
	{"three_digits", human_number, 24.94, "24.9"},
	{"zeros_go", human_number, 24, "24"},
	{"a_zero_behind_the_point_goes", human_number, 2.5, "2.5"},
	{"zeros_of_a_whole_number_stay", human_number, 1200, "1200"},
	{"rounding_makes_no_fourth_digit", human_number, 9.996, "10"},
	{"small", human_number, 0.03124, "0.0312"},
	{"smaller", human_number, 0.000031249, "0.0000312"},
	{"negative", human_number, -0.5, "-0.5"},
	{"beyond_exact", human_number, 1e18, "1e+18"},
	{"no_bytes", human_bytes, 0, "0 B"},
	{"bytes", human_bytes, 1000, "1000 B"},
	{"a_kib", human_bytes, KiB, "1 KiB"},
	{"nearly_a_mib", human_bytes, MiB - 1, "1 MiB"},
	{"1000_mib", human_bytes, 1000 * MiB, "1000 MiB"},
	{"gib", human_bytes, 1.25 * GiB, "1.25 GiB"},
	{"tib", human_bytes, 1024 * GiB, "1 TiB"},
	{"less_bytes", human_bytes, -2.5 * MiB, "-2.5 MiB"},
	{"rate", human_rate, 33 * MiB, "33 MiB/s"},
	{"no_time", human_span, 0, "0 ms"},
	{"ns", human_span, 17, "17 ns"},
	{"us", human_span, 3200, "3.2 \u00b5s"},
	{"nearly_a_ms", human_span, 999999, "1 ms"},
	{"ms", human_span, 412e6, "412 ms"},
	{"nearly_a_second", human_span, 999.7e6, "1 s"},
	{"s", human_span, 24.94e9, "24.9 s"},
	{"below_two_minutes", human_span, 119e9, "119 s"},
	{"two_minutes", human_span, 120e9, "2 min"},
	{"minutes", human_span, 1023e9, "17 min 3 s"},
	{"less_minutes", human_span, -1023e9, "-17 min 3 s"},
	{"hours", human_span, 9000e9, "2.5 h"},
	{"share", human_share, 0.0496, "4.96 %"},
	{"all", human_share, 1, "100 %"},
};

static void test_numbers(void)
{
	char text[HUMAN_MAX];

	for (size_t i = 0; i < COUNT(rows); i++) {
		test_begin(rows[i].name);
		CHECK_HUMAN(rows[i].text(text, rows[i].v), rows[i].expected);
	}
}

static void test_counts(void)
{
	char text[HUMAN_MAX], length[2 * HUMAN_MAX];

	test_begin("counts");
	CHECK_HUMAN(human_count(text, 0), "0");
	CHECK_HUMAN(human_count(text, 999), "999");
	CHECK_HUMAN(human_count(text, -1243), "-1,243");
	CHECK_HUMAN(human_count(text, INT64_MIN), "-9,223,372,036,854,775,808");
	test_begin("lengths");
	CHECK_HUMAN(human_length(length, 20300000000, 20300000000), "20.3 s");
	CHECK_HUMAN(human_length(length, 20300000000, 20350000000), "20.3 s");
	CHECK_HUMAN(human_length(length, 105000000000, 9000000000000), "105 s of 2.5 h");
	test_begin("parts");
	CHECK_HUMAN(human_part(text, 1, 8), "12.5 %");
	CHECK_HUMAN(human_part(text, 1, 0), "0.0 %");
}

static void test_times(void)
{
	const int64_t ns = INT64_C(1763653625170093773);
	char text[HUMAN_MAX];

	test_begin("times");
	CHECK_HUMAN(human_clock(text, ns, 0), "15:47:05");
	CHECK_HUMAN(human_time(text, ns, 0), "2025-11-20 15:47:05");
	CHECK_HUMAN(human_time_ms(text, ns, 19800), "2025-11-20 21:17:05.170");
	CHECK_HUMAN(human_time_ms(text, -1, 0), "1969-12-31 23:59:59.999");
	CHECK_HUMAN(human_time(text, INT64_MIN, -64800), "1677-09-20 06:12:43");
	CHECK_HUMAN(human_time(text, INT64_MAX, 64800), "2262-04-12 17:47:16");
	test_begin("iso");
	CHECK_HUMAN(human_iso(text, ns, 0), "2025-11-20T15:47:05.170093773Z");
	CHECK_HUMAN(human_iso(text, -1, 19800), "1970-01-01T05:29:59.999999999+05:30");
	CHECK_HUMAN(human_iso_ms(text, ns, -12600), "2025-11-20T12:17:05.170-03:30");
	CHECK_HUMAN(human_iso_ms(text, 0, 0), "1970-01-01T00:00:00.000Z");
	test_begin("zones");
	CHECK_HUMAN(human_zone(text, 0), "UTC");
	CHECK_HUMAN(human_zone(text, 19800), "UTC+05:30");
	CHECK_HUMAN(human_zone(text, -39601), "UTC-11:00:01");
}

int main(void)
{
	test_numbers();
	test_counts();
	test_times();
	return test_end();
}
