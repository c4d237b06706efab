/* SPDX-License-Identifier: MIT */
/* test_cleaner.c - which rules of tmpfiles.d have attach sockets removed */
#include "doctor/cleaner.h"

#include "test.h"

static const struct {
	const char *name, *text;
	const char *age;
	bool is_spared;
} rows[] = {
	{ "nothing", "", "", false },
	{ "ten_days", "# comment\nq /tmp 1777 root root 10d\n", "10d", false },
	{ "no_age", "D /tmp 1777 root root -\n", "", false },
	{ "no_fields_behind_the_path", "d /tmp\n", "", false },
	{ "a_type_with_a_modifier", "D! /tmp 1777 root root 0\n", "0", false },
	{ "another_directory", "q /var/tmp 1777 root root 30d\n", "", false },
	{ "a_type_that_does_not_clean", "z /tmp 1777 root root 10d\n", "", false },
	{ "the_first_rule_counts", "d /tmp - - - -\nq /tmp 1777 root root 10d\n", "", false },
	{ "spared", "q /tmp 1777 root root 10d\nx /tmp/.java_pid*\n", "10d", true },
	{ "spared_before", "X /tmp/.java*\nq /tmp 1777 root root 10d\n", "10d", true },
	{ "quoted", "x \"/tmp/.java_pid*\" - - - -\n", "", true },
	{ "a_star_spares_no_hidden_file", "x /tmp/*\n", "", false },
	{ "others_are_spared", "x /tmp/hsperfdata_*\nx /var/tmp/.java_pid*\n", "", false },
	{ "tabs_and_no_line_feed", "v\t/tmp/\t1777\troot\troot\t~12h", "~12h", false },
	{ "an_open_quote", "q \"/tmp 1777 root root 10d", "", false },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct cleaner c = { 0 };

		test_begin(rows[i].name);
		cleaner_take(&c, rows[i].text);
		CHECK_TEXT(c.age, strlen(c.age), rows[i].age);
		CHECK_INT(c.is_spared, rows[i].is_spared);
	}
	test_begin("files_of_this_host");
	cleaner_read(&(struct cleaner){ 0 });
	return test_end();
}
