/* SPDX-License-Identifier: MIT */
/* test_units.c - amounts with a unit; the texts are those of JDK 25 */

#include "base/number.h"
#include "base/units.h"
#include "test.h"

static char buf[NUMBER_MAX + 8];

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

#define KB (INT64_C(1) << 10)
#define MB (INT64_C(1) << 20)
#define GB (INT64_C(1) << 30)
#define TB (INT64_C(1) << 40)
#define PB (INT64_C(1) << 50)
#define EB (INT64_C(1) << 60)

#define BYTE_RATE (AMOUNT_BYTES | AMOUNT_PER_SECOND)
#define BIT_RATE  (AMOUNT_BITS | AMOUNT_PER_SECOND)

static const struct {
	const char *name;
	int64_t n;
	unsigned amount;
	const char *text;
} amounts[] = {
	{"no_bytes", 0, AMOUNT_BYTES, "0 bytes"},
	{"one_byte", 1, AMOUNT_BYTES, "1 byte"},
	{"minus_one_byte", -1, AMOUNT_BYTES, "-1 byte"},
	{"bytes_below_1024", 1023, AMOUNT_BYTES, "1023 bytes"},
	{"1024_bytes", KB, AMOUNT_BYTES, "1.0 kB"},
	{"minus_1024_bytes", -KB, AMOUNT_BYTES, "-1.0 kB"},
	{"tie_rounds_up", KB + 256, AMOUNT_BYTES, "1.3 kB"},
	{"tie_rounds_away_from_zero", -KB - 256, AMOUNT_BYTES, "-1.3 kB"},
	{"no_carry_to_the_next_unit", MB - 1, AMOUNT_BYTES, "1024.0 kB"},
	{"one_megabyte", MB, AMOUNT_BYTES, "1.0 MB"},
	{"below_a_gigabyte", GB - 1, AMOUNT_BYTES, "1024.0 MB"},
	{"one_gigabyte", GB, AMOUNT_BYTES, "1.0 GB"},
	{"below_a_terabyte", TB - 1, AMOUNT_BYTES, "1024.0 GB"},
	{"one_terabyte", TB, AMOUNT_BYTES, "1.0 TB"},
	{"a_petabyte_less_8", PB - 8, AMOUNT_BYTES, "1024.0 TB"},
	{"a_petabyte_less_4", PB - 4, AMOUNT_BYTES, "1024.0 TB"},
	{"a_petabyte_less_3_by_logarithm", PB - 3, AMOUNT_BYTES, "1.0 PB"},
	{"a_petabyte_less_1_by_logarithm", PB - 1, AMOUNT_BYTES, "1.0 PB"},
	{"an_exabyte_less_6209", EB - 6209, AMOUNT_BYTES, "1024.0 PB"},
	{"an_exabyte_less_6208_by_logarithm", EB - 6208, AMOUNT_BYTES, "1.0 EB"},
	{"an_exabyte_less_1024_by_logarithm", EB - 1024, AMOUNT_BYTES, "1.0 EB"},
	{"tie_in_the_shortest_text_only", 1325859730297873920, AMOUNT_BYTES, "1.2 EB"},
	{"largest_long", INT64_MAX, AMOUNT_BYTES, "8.0 EB"},
	{"smallest_but_one_long", INT64_MIN + 1, AMOUNT_BYTES, "-8.0 EB"},
	{"smallest_long", INT64_MIN, AMOUNT_BYTES, "N/A"},
	{"no_bits", 0, AMOUNT_BITS, "0 bits"},
	{"one_bit", 1, AMOUNT_BITS, "1 bit"},
	{"minus_one_bit", -1, AMOUNT_BITS, "-1 bit"},
	{"17_bits", 17, AMOUNT_BITS, "17 bits"},
	{"2048_bits", 2 * KB, AMOUNT_BITS, "2.0 kbit"},
	{"one_byte_per_second", 1, BYTE_RATE, "1 byte/s"},
	{"bytes_per_second_have_no_plural", 2, BYTE_RATE, "2 byte/s"},
	{"kilobytes_per_second", 1536, BYTE_RATE, "1.5 kB/s"},
	{"megabytes_per_second", 2 * MB, BYTE_RATE, "2.0 MB/s"},
	{"bits_per_second", 17, BIT_RATE, "17 bps"},
	{"kilobits_per_second", 1536, BIT_RATE, "1.5 kbps"},
};

static const struct {
	const char *name;
	int64_t n;
	unsigned amount;
	const char *text;
} exact_amounts[] = {
	{"exact_no_bytes_is_singular", 0, AMOUNT_BYTES, "0 byte"},
	{"exact_one_byte", 1, AMOUNT_BYTES, "1 byte"},
	{"exact_two_bytes", 2, AMOUNT_BYTES, "2 bytes"},
	{"exact_negative_is_singular", -5, AMOUNT_BYTES, "-5 byte"},
	{"exact_largest_long", INT64_MAX, AMOUNT_BYTES, "9223372036854775807 bytes"},
	{"exact_smallest_long", INT64_MIN, AMOUNT_BYTES, "-9223372036854775808 byte"},
	{"exact_one_bit", 1, AMOUNT_BITS, "1 bit"},
	{"exact_two_bits", 2, AMOUNT_BITS, "2 bits"},
	{"exact_one_byte_per_second", 1, BYTE_RATE, "1 byte/s"},
	{"exact_bytes_per_second", 2, BYTE_RATE, "2 bytes/s"},
	{"exact_bits_per_second", 17, BIT_RATE, "17 bits/s"},
};

static const struct {
	const char *name;
	double v;
	bool exact;
	const char *text;
} percentages[] = {
	{"percent_zero", 0, false, "0.00%"},
	{"percent_hundred", 1, false, "100.00%"},
	{"percent_rounds_half_up", 0.12345, false, "12.35%"},
	{"percent_negative_zero", -0.0, false, "-0.00%"},
	{"percent_float_is_widened_before", 0.0475f, true, "4.749999940%"},
	{"percent_exact", 0.0475, true, "4.750000000%"},
	{"percent_above_the_largest", 1e307, false, "Infinity%"},
	{"percent_below_the_smallest", -1e307, true, "-Infinity%"},
};

static const struct {
	const char *name;
	int64_t v;
	const char *text;
} addresses[] = {
	{"address_zero", 0, "0x00000000"},
	{"address_eight_digits", 0x7F12, "0x00007F12"},
	{"address_all_of_eight_digits", 0xFEDCBA98, "0xFEDCBA98"},
	{"address_nine_digits", 0x100000000, "0x100000000"},
	{"address_of_a_heap", 0x7F1234ABCDEF, "0x7F1234ABCDEF"},
	{"address_minus_one", -1, "0xFFFFFFFFFFFFFFFF"},
	{"address_smallest_long", INT64_MIN, "0x8000000000000000"},
};

static void test_amounts(void)
{
	for (size_t i = 0; i < COUNT(amounts); i++) {
		char *end = put_amount(buf, amounts[i].n, amounts[i].amount);

		test_begin(amounts[i].name);
		CHECK_TEXT(buf, end - buf, amounts[i].text);
	}
	for (size_t i = 0; i < COUNT(exact_amounts); i++) {
		char *end = put_exact_amount(buf, exact_amounts[i].n, exact_amounts[i].amount);

		test_begin(exact_amounts[i].name);
		CHECK_TEXT(buf, end - buf, exact_amounts[i].text);
	}
}

int main(void)
{
	test_amounts();
	for (size_t i = 0; i < COUNT(percentages); i++) {
		char *end = put_percentage(buf, percentages[i].v, percentages[i].exact);

		test_begin(percentages[i].name);
		CHECK_TEXT(buf, end - buf, percentages[i].text);
	}
	for (size_t i = 0; i < COUNT(addresses); i++) {
		test_begin(addresses[i].name);
		CHECK_TEXT(buf, put_address(buf, addresses[i].v) - buf, addresses[i].text);
	}
	return test_end();
}
