/* SPDX-License-Identifier: MIT */
/* test_near.c - suggest known names similar to an unknown one */
#include "base/near.h"

#include "jfrec-tool.h"

#include "test.h"

static const struct {
	const char *name, *typed, *known;
	uint32_t distance;
} rows[] = {
	{ "same", "print", "print", 0 },
	{ "case", "starttime", "startTime", 0 },
	{ "hyphens", "outputdirectory", "output-directory", 0 },
	{ "added", "printt", "print", 1 },
	{ "dropped", "prnt", "print", 1 },
	{ "changed", "primt", "print", 1 },
	{ "swapped", "pritn", "print", 1 },
	{ "swapped_first", "rpint", "print", 1 },
	{ "swapped_and_changed", "pirnm", "print", 2 },
	{ "beginning", "sum", "summary", 1 },
	{ "beginning_without_hyphen", "outputdir", "output-directory", 1 },
	{ "one_letter_is_no_beginning", "s", "summary", NEAR_FAR },
	{ "end", "thread", "eventThread", 2 },
	{ "end_of_the_last_part", "monitorenter", "jdk.JavaMonitorEnter", 2 },
	{ "short_end", "ime", "startTime", NEAR_FAR },
	{ "last_part", "GarbageColection", "jdk.GarbageCollection", 1 },
	{ "whole", "jdk.FielRead", "jdk.FileRead", 1 },
	{ "too_far", "jdk.FielRead", "jdk.ThreadEnd", NEAR_FAR },
	{ "short_and_too_far", "foo", "bar", NEAR_FAR },
	{ "empty", "", "print", NEAR_FAR },
	{ "empty_name", "print", "", NEAR_FAR },
	{ "both_empty", "", "", 0 },
	{ "dot_at_the_end", "print", "jdk.", NEAR_FAR },
	{ "longest", "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd",
	  "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccddddddddddddddde", 1 },
	{ "too_long", "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccddddddddddddddddd",
	  "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccddddddddddddddddd", NEAR_FAR },
};

static void test_row(size_t i)
{
	test_begin(rows[i].name);
	CHECK_INT(near_distance(rows[i].typed, rows[i].known), rows[i].distance);
	CHECK_INT(jfrec_name_distance(rows[i].typed, rows[i].known),
		  rows[i].distance == NEAR_FAR ? JFREC_NOT_NEAR : rows[i].distance);
}

static void check_list(const struct near *near, const char *want)
{
	char list[NEAR_LIST_MAX];

	CHECK_TEXT(list, strlen(near_list(near, list)), want);
}

static void test_lists(void)
{
	struct near near = { .name = "fiel" };

	test_begin("nothing_is_near");
	near_offer(&near, "summary");
	check_list(&near, "");
	test_begin("one_is_near");
	near_offer(&near, "file");
	check_list(&near, "; did you mean file?");
	test_begin("the_nearest_come_first_and_once");
	near_offer(&near, "fifth");
	near_offer(&near, "file");
	near_offer(&near, "field");
	near_offer(&near, "Fiel");
	check_list(&near, "; did you mean Fiel, file or field?");
	test_begin("far_from_the_nearest_is_left_out");
	near = (struct near){ .name = "duration" };
	near_offer(&near, "durations");
	near_offer(&near, "rotation");
	near_offer(&near, "duratoin");
	check_list(&near, "; did you mean duratoin or durations?");
	test_begin("of_two_beginnings_the_shorter");
	near = (struct near){ .name = "gc-pause" };
	near_offer(&near, "gc-pause-phases");
	near_offer(&near, "gc-pauses");
	check_list(&near, "; did you mean gc-pauses or gc-pause-phases?");
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		test_row(i);
	test_lists();
	return test_end();
}
