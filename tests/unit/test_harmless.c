/* SPDX-License-Identifier: MIT */
/*
 * test_harmless.c - what a terminal would obey, and what it shows in its place
 */
#include "base/harmless.h"

#include "test.h"

#define NO "\xef\xbf\xbd" /* U+FFFD */

static const struct {
	const char *name, *text, *shown;
} rows[] = {
	{ "plain", "abc \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "abc \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80" },
	{ "escape", "a\x1b[31mb\x7f", "a^[[31mb^?" },
	{ "line_feed_and_tab", "a\nb\tc", "a\nb\tc" },
	{ "carriage_return", "a\rb", "a^Mb" },
	{ "controls_of_8_bits", "a\xc2\x9b" "2Jb\xc2\x80\xc2\x9f\xc2\xa0", "a" NO "2Jb" NO NO "\xc2\xa0" },
	{ "the_same_bare", "a\x9b" "2Jb\x85", "a" NO "2Jb" NO },
	{ "latin_1", "caf\xe9", "caf" NO },
	{ "latin_1_inside", "caf\xe9 au lait", "caf" NO " au lait" },
	{ "directions", "\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c",
	  NO NO NO NO NO NO NO },
	{ "beside_directions", "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa\xd8\x9b\xd8\x9d",
	  "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa\xd8\x9b\xd8\x9d" },
	{ "separators_of_lines", "\xe2\x80\xa8\xe2\x80\xa9", NO NO },
	{ "overlong_escape", "\xc0\x9b\xe0\x80\x9b", NO NO NO NO NO },
	{ "surrogate", "\xed\xa0\x80", NO NO NO },
	{ "beyond_unicode", "\xf4\x90\x80\x80\xf5", NO NO NO NO NO },
	{ "cut_by_a_control", "\xe2\x80\x1b[2J", NO "^[[2J" },
	{ "cut_by_a_character", "\xf0\x9f\xc3\xa4", NO "\xc3\xa4" },
	{ "cut_by_the_end", "a\xf0\x9f\x98", "a" NO },
};

static void check(size_t i, size_t piece)
{
	char shown[HARMLESS_GROWTH * 64];
	struct harmless h = { 0 };
	size_t len = 0, left = strlen(rows[i].text);
	const char *at = rows[i].text;

	test_begin(rows[i].name);
	while (left) {
		size_t n = left < piece ? left : piece;

		len += harmless_text(&h, at, n, true, shown + len);
		at += n;
		left -= n;
	}
	len += harmless_end(&h, shown + len);
	CHECK_TEXT(shown, len, rows[i].shown);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		check(i, 64);
		check(i, 1);
		check(i, 2);
	}
	return test_end();
}
