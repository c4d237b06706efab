/* SPDX-License-Identifier: MIT */
/* test_utf8.c - lengths of characters */
#include "base/utf8.h"

#include "test.h"

static const struct {
	const char *name, *text;
	size_t len;
} rows[] = {
	{ "ascii", "a", 1 },
	{ "end_of_string", "", 1 },
	{ "least_of_two", "\xc2\x80", 2 },
	{ "greatest_of_two", "\xdf\xbf", 2 },
	{ "least_of_three", "\xe0\xa0\x80", 3 },
	{ "before_surrogates", "\xed\x9f\xbf", 3 },
	{ "greatest_of_three", "\xef\xbf\xbf", 3 },
	{ "least_of_four", "\xf0\x90\x80\x80", 4 },
	{ "greatest_of_all", "\xf4\x8f\xbf\xbf", 4 },
	{ "continuation_alone", "\x80", 0 },
	{ "two_cut_short", "\xc2", 0 },
	{ "three_cut_short", "\xe2\x82", 0 },
	{ "four_cut_short", "\xf0\x90\x80", 0 },
	{ "second_is_ascii",
	  "\xc2"
	  "a",
	  0 },
	{ "third_is_ascii",
	  "\xe2\x82"
	  "a",
	  0 },
	{ "long_form_of_two", "\xc1\xbf", 0 },
	{ "long_form_of_three", "\xe0\x9f\xbf", 0 },
	{ "long_form_of_four", "\xf0\x8f\xbf\xbf", 0 },
	{ "surrogate", "\xed\xa0\x80", 0 },
	{ "beyond_unicode", "\xf4\x90\x80\x80", 0 },
	{ "no_first_byte", "\xf5\x80\x80\x80", 0 },
	{ "never_in_utf8", "\xff", 0 },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		test_begin(rows[i].name);
		CHECK_INT(utf8_length(rows[i].text), rows[i].len);
	}
	return test_end();
}
