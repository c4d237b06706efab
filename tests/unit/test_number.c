/* SPDX-License-Identifier: MIT */
/* test_number.c - numbers as Java prints them; the texts are those of JDK 25 */
#include "base/number.h"

#include "test.h"

#include <stdlib.h>

static char buf[NUMBER_MAX + 1];

static const struct {
	const char *name;
	int64_t v;
	const char *text;
} integers[] = {
	{"zero", 0, "0"},
	{"one_digit", 9, "9"},
	{"two_digits", 10, "10"},
	{"odd_number_of_digits", 12345, "12345"},
	{"negative", -100, "-100"},
	{"largest_long", INT64_MAX, "9223372036854775807"},
	{"smallest_long", INT64_MIN, "-9223372036854775808"},
};

static const struct {
	const char *name;
	double v;
	const char *text;
} doubles[] = {
	{"double_zero", 0, "0.0"},
	{"double_negative_zero", -0.0, "-0.0"},
	{"double_not_a_number", __builtin_nan(""), "NaN"},
	{"double_infinity", __builtin_inf(), "Infinity"},
	{"double_negative_infinity", -__builtin_inf(), "-Infinity"},
	{"double_one", 1, "1.0"},
	{"double_integer_has_a_point", 100, "100.0"},
	{"double_hundred_and_a_half", -100.5, "-100.5"},
	{"double_tenth", 0.1, "0.1"},
	{"double_sum_that_is_not_three_tenths", 0.1 + 0.2, "0.30000000000000004"},
	{"double_third", 1 / 3., "0.3333333333333333"},
	{"double_seventeen_digits", 1.2345678901234567, "1.2345678901234567"},
	{"double_plain_from_a_thousandth", 0.001, "0.001"},
	{"double_scientific_below_a_thousandth", 0x1.0624dd2f1a9fbp-10, "9.999999999999998E-4"},
	{"double_plain_below_ten_million", 9999999.999999998, "9999999.999999998"},
	{"double_scientific_from_ten_million", 1e7, "1.0E7"},
	{"double_one_digit_gets_a_zero", 1e-5, "1.0E-5"},
	{"double_2E23", 2e23, "2.0E23"},
	{"double_1E23", 1e23, "1.0E23"},
	{"double_below_1E23", 0x1.52d02c7e14af5p+76, "9.999999999999997E22"},
	{"double_end_of_interval_belongs_to_even", 18014398509482008, "1.801439850948201E16"},
	{"double_end_of_interval_not_to_odd", 18014398509482012, "1.8014398509482012E16"},
	{"double_upper_end_of_interval_not_to_odd", 18014398509482028, "1.8014398509482028E16"},
	{"double_tie_to_even_above", 1125899906842625.75, "1.1258999068426258E15"},
	{"double_tie_to_even_below", 1125899906842625.25, "1.1258999068426252E15"},
	{"double_largest_odd_integer", 9007199254740991, "9.007199254740991E15"},
	{"double_power_of_two_with_near_lower_neighbour", 0x1p-44, "5.684341886080802E-14"},
	{"double_power_of_two_2E_1021", 0x1p-1021, "4.450147717014403E-308"},
	{"double_nearest_of_two_shortest", 0x1p89, "6.189700196426902E26"},
	{"double_largest_power_of_two", 0x1p1023, "8.98846567431158E307"},
	{"double_largest", 0x1.fffffffffffffp1023, "1.7976931348623157E308"},
	{"double_smallest_normal", 0x1p-1022, "2.2250738585072014E-308"},
	{"double_largest_subnormal", 0x0.fffffffffffffp-1022, "2.225073858507201E-308"},
	{"double_smallest_is_two_digits", 0x1p-1074, "4.9E-324"},
	{"double_second_smallest_is_not_1E_323", 0x2p-1074, "9.9E-324"},
	{"double_third_smallest", 0x3p-1074, "1.5E-323"},
	{"double_fourth_smallest", 0x4p-1074, "2.0E-323"},
	{"double_nearest_of_all_to_a_midpoint", 0x1.3de005bd620dfp+216, "1.3076622631878654E65"},
};

static const struct {
	const char *name;
	float v;
	const char *text;
} floats[] = {
	{"float_zero", 0, "0.0"},
	{"float_negative_zero", -0.0f, "-0.0"},
	{"float_not_a_number", __builtin_nanf(""), "NaN"},
	{"float_infinity", __builtin_inff(), "Infinity"},
	{"float_negative_infinity", -__builtin_inff(), "-Infinity"},
	{"float_tenth", 0.1f, "0.1"},
	{"float_cpu_load", 0.0050251256f, "0.0050251256"},
	{"float_nine_digits", 123456.79f, "123456.79"},
	{"float_plain_below_ten_million", 9999999, "9999999.0"},
	{"float_scientific_from_ten_million", 1e7f, "1.0E7"},
	{"float_scientific_below_a_thousandth", 0x1.0624dcp-10f, "9.999999E-4"},
	{"float_one_digit_gets_a_zero", 1e10f, "1.0E10"},
	{"float_power_of_two", 0x1p24f, "1.6777216E7"},
	{"float_largest", 0x1.fffffep127f, "3.4028235E38"},
	{"float_smallest_normal", 0x1p-126f, "1.1754944E-38"},
	{"float_smallest_is_two_digits", 0x1p-149f, "1.4E-45"},
	{"float_seventh_smallest_is_not_1E_44", 0x7p-149f, "9.8E-45"},
	{"float_eighth_smallest", 0x8p-149f, "1.1E-44"},
};

static const struct {
	const char *name;
	double v;
	unsigned decimals;
	const char *text;
} fixed[] = {
	{"fixed_zero", 0, 2, "0.00"},
	{"fixed_negative_zero_keeps_its_sign", -0.0, 2, "-0.00"},
	{"fixed_negative_rounded_to_zero_keeps_its_sign", -0.001, 2, "-0.00"},
	{"fixed_tie_rounds_up", 0.125, 2, "0.13"},
	{"fixed_tie_rounds_away_from_zero", -0.125, 2, "-0.13"},
	{"fixed_0_015_is_below_the_tie_in_binary", 0.015, 2, "0.02"},
	{"fixed_1_005_is_below_the_tie_in_binary", 1.005, 2, "1.01"},
	{"fixed_2_675_is_below_the_tie_in_binary", 2.675, 2, "2.68"},
	{"fixed_3_125", 3.125, 2, "3.13"},
	{"fixed_below_a_tie", 0.12499999999999999, 2, "0.12"},
	{"fixed_carry_makes_a_digit", 9.995, 2, "10.00"},
	{"fixed_carry_from_nothing", 0.005, 2, "0.01"},
	{"fixed_too_small_to_round_up", 0.004999999999999999, 2, "0.00"},
	{"fixed_far_too_small", 4.9e-324, 9, "0.000000000"},
	{"fixed_seventeen_digits_beyond", 0.050000000000000024, 1, "0.1"},
	{"fixed_eighteen_digits_beyond", 9.999999999999999e-12, 9, "0.000000000"},
	{"fixed_nine_decimals", 0.1234567895, 9, "0.123456790"},
	{"fixed_fills_with_zeros", 0.5, 9, "0.500000000"},
	{"fixed_zero_before_the_point", 0.05, 1, "0.1"},
	{"fixed_no_decimals", 2.5, 0, "3"},
	{"fixed_no_decimals_to_zero", 0.4, 0, "0"},
	{"fixed_seventeen_digits_and_zeros", 9.223372036854775807E20, 2,
	 "922337203685477600000.00"},
	{"fixed_power_of_ten", 1e22, 2, "10000000000000000000000.00"},
};

static const struct {
	const char *name;
	uint32_t v;
	unsigned width;
	const char *text;
} padded[] = {
	{"padded_zero", 0, 3, "000"},
	{"padded_milliseconds", 47, 3, "047"},
	{"padded_nanoseconds", 170093773, 9, "170093773"},
	{"padded_to_odd_width", 1, 9, "000000001"},
	{"padded_one_digit", 7, 1, "7"},
};

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static void test_integers(void)
{
	for (size_t i = 0; i < COUNT(integers); i++) {
		test_begin(integers[i].name);
		CHECK_TEXT(buf, put_i64(buf, integers[i].v) - buf, integers[i].text);
	}
	test_begin("largest_unsigned");
	CHECK_TEXT(buf, put_u64(buf, UINT64_MAX) - buf, "18446744073709551615");

	test_begin("powers_of_ten_have_one_digit_more");
	for (uint64_t v = 1, digits = 1; digits <= 19; v *= 10, digits++) {
		CHECK_INT(put_u64(buf, v) - buf, (int64_t)digits);
		if (v > 1)
			CHECK_INT(put_u64(buf, v - 1) - buf, (int64_t)digits - 1);
	}
	test_begin("digits_of_numbers_of_all_lengths");
	for (uint64_t v = 1; v < UINT64_MAX / 7; v = v * 7 + v % 3) {
		char text[32];
		int len = snprintf(text, sizeof(text), "%llu", (unsigned long long)v);

		CHECK_INT(put_u64(buf, v) - buf, len);
		CHECK(memcmp(buf, text, (size_t)len) == 0);
	}
	for (size_t i = 0; i < COUNT(padded); i++) {
		test_begin(padded[i].name);
		CHECK_TEXT(buf, put_digits(buf, padded[i].v, padded[i].width) - buf,
			   padded[i].text);
	}
	test_begin("two_digits_with_leading_zero");
	CHECK_TEXT(buf, put_2digits(buf, 5) - buf, "05");
	CHECK_TEXT(buf, put_2digits(buf, 59) - buf, "59");
}

static void check_reads_back(double v)
{
	char *end = put_java_double(buf, v);

	*end = 0;
	CHECK(strtod(buf, NULL) == v);
	/* 1.2345678901234567E-300 */
	CHECK(end - buf <= 24);
}

static void check_float_reads_back(float v)
{
	*put_java_float(buf, v) = 0;
	CHECK(strtof(buf, NULL) == v);
}

static void test_floating(void)
{
	for (size_t i = 0; i < COUNT(doubles); i++) {
		test_begin(doubles[i].name);
		CHECK_TEXT(buf, put_java_double(buf, doubles[i].v) - buf, doubles[i].text);
	}
	for (size_t i = 0; i < COUNT(floats); i++) {
		test_begin(floats[i].name);
		CHECK_TEXT(buf, put_java_float(buf, floats[i].v) - buf, floats[i].text);
	}

	/* All exponents, and with them all of the table of powers of ten. */
	test_begin("every_power_of_two_and_its_neighbours_read_back");
	for (int e = -1074; e <= 1023; e++) {
		double v = __builtin_ldexp(1, e);

		check_reads_back(v);
		check_reads_back(__builtin_nextafter(v, 0));
		check_reads_back(__builtin_nextafter(v, 1));
		check_reads_back(v * 1.2345678901234567);
	}
	test_begin("every_float_power_of_two_and_its_neighbours_read_back");
	for (int e = -149; e <= 127; e++) {
		float v = __builtin_ldexpf(1, e);

		check_float_reads_back(v);
		check_float_reads_back(__builtin_nextafterf(v, 0));
		check_float_reads_back(__builtin_nextafterf(v, 1));
	}
}

static void test_fixed(void)
{
	for (size_t i = 0; i < COUNT(fixed); i++) {
		char *end = put_java_fixed(buf, fixed[i].v, fixed[i].decimals);

		test_begin(fixed[i].name);
		CHECK_TEXT(buf, end - buf, fixed[i].text);
	}
	test_begin("fixed_largest_fits");
	CHECK_INT(put_java_fixed(buf, -0x1.fffffffffffffp1023, 9) - buf, 1 + 309 + 1 + 9);
}

int main(void)
{
	test_integers();
	test_floating();
	test_fixed();
	return test_end();
}
