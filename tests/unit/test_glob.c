/* SPDX-License-Identifier: MIT */
/* test_glob.c - the JDK's wildcards */
#include "base/glob.h"

#include "test.h"

#include <stdlib.h>
#include <time.h>

static const struct {
	const char *name, *glob, *text;
	bool matches;
} rows[] = {
	{ "same", "jdk.CPULoad", "jdk.CPULoad", true },
	{ "other_case", "jdk.cpuload", "jdk.CPULoad", false },
	{ "only_the_beginning", "jdk", "jdk.CPULoad", false },
	{ "only_the_end", "CPULoad", "jdk.CPULoad", false },
	{ "star_at_the_end", "jdk.*", "jdk.CPULoad", true },
	{ "star_at_the_beginning", "*Load", "jdk.CPULoad", true },
	{ "star_in_the_middle", "jdk.*Load", "jdk.CPULoad", true },
	{ "star_for_nothing", "jdk.CPU*Load", "jdk.CPULoad", true },
	{ "star_for_all", "*", "jdk.CPULoad", true },
	{ "star_for_the_empty_text", "*", "", true },
	{ "two_stars", "**", "a", true },
	{ "star_tries_again", "*ab", "aab", true },
	{ "stars_try_again", "a*b*c", "a-b-c-b-c", true },
	{ "stars_in_wrong_order", "*b*a", "ab", false },
	{ "question_mark", "jdk.?PULoad", "jdk.CPULoad", true },
	{ "question_mark_is_not_nothing", "a?", "a", false },
	{ "question_mark_is_one_character", "a?c", "a\xe4\xb8\xad" "c", true },
	{ "question_mark_is_not_two", "a?", "abc", false },
	{ "question_mark_after_star", "*?", "", false },
	{ "question_mark_is_the_last_character", "a*?", "a\xe4\xb8\xad", true },
	{ "the_end_may_not_be_used_twice", "*ab*b", "ab", false },
	{ "beginning_and_end_do_not_overlap", "aa*aa", "aaa", false },
	{ "question_marks_between_stars", "*?b?*c", "xxabac", true },
	{ "dot_is_a_dot", "a.c", "abc", false },
	{ "backslash_escapes_nothing", "\\*", "*", false },
	{ "bracket_is_a_bracket", "[ab]", "a", false },
	{ "empty_glob", "", "", true },
	{ "empty_glob_and_text", "", "a", false },
};

/* A matcher that tries all ways would take longer than the universe has been. */
static void test_many_stars(void)
{
	size_t len = 20000;
	char *glob = malloc(2 * 100 + 2), *text = malloc(len + 1);
	clock_t start = clock();

	test_begin("many_stars_take_no_time");
	for (int i = 0; i < 100; i++)
		memcpy(glob + 2 * i, "*a", 2);
	memcpy(glob + 200, "b", 2);
	memset(text, 'a', len);
	text[len] = '\0';
	CHECK(!glob_match(glob, strlen(glob), text));
	CHECK(glob_match(glob, strlen(glob) - 1, text));
	CHECK(clock() - start < 2 * CLOCKS_PER_SEC);
	free(glob);
	free(text);
}

/* A glob of 16 KB and a text of 1 MB, as an expression and a recording can have them. */
static void test_long(void)
{
	size_t len = 1 << 20, glob_len = 16 << 10;
	char *glob = malloc(glob_len), *text = malloc(len);
	clock_t start = clock();

	test_begin("a_long_glob_takes_no_time");
	memset(text, 'a', len);
	memset(glob, 'a', glob_len);
	glob[0] = glob[glob_len - 1] = '*';
	CHECK(glob_match_text(glob, glob_len, text, len));
	glob[glob_len - 2] = 'b';
	CHECK(!glob_match_text(glob, glob_len, text, len));
	CHECK(clock() - start < CLOCKS_PER_SEC);
	free(glob);
	free(text);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		test_begin(rows[i].name);
		CHECK_INT(glob_match(rows[i].glob, strlen(rows[i].glob), rows[i].text), rows[i].matches);
	}
	test_begin("length_ends_the_glob");
	CHECK(glob_match("abc", 2, "ab"));
	test_many_stars();
	test_long();
	return test_end();
}
