/* SPDX-License-Identifier: MIT */
/* test_told.c - a pass that is like the one before says nothing new */
#include "collect/idle_repositories.h"
#include "collect/told.h"

#include "base/clock_now.h"
#include "jfrec-tool.h"
#include "test.h"

static void test_lines(void)
{
	struct told t = { .lines = NULL };

	test_begin("what_lasts_is_told_once");
	CHECK(!told_before(&t, "a"));
	CHECK(!told_before(&t, "a")); /* twice in one pass: of two things */
	told_end(&t);
	CHECK(told_before(&t, "a"));
	CHECK(!told_before(&t, "b"));
	told_end(&t);
	CHECK(told_before(&t, "a"));
	CHECK(told_before(&t, "b"));
	told_end(&t);

	test_begin("what_comes_back_is_told_again");
	told_end(&t);
	CHECK(!told_before(&t, "a"));
	told_fini(&t);

	test_begin("thousands_are_not_kept");
	for (int i = 0; i < 3000; i++) {
		char text[16];

		snprintf(text, sizeof(text), "%d", i);
		CHECK(!told_before(&t, text));
	}
	CHECK(t.line_count <= 1000);
	told_fini(&t);
}

static void test_counts(void)
{
	struct told t = { .lines = NULL };

	test_begin("the_first_of_each_user");
	CHECK(told_first(&t, 1, TOLD_EMPTY));
	CHECK(!told_first(&t, 1, TOLD_EMPTY));
	CHECK(told_first(&t, 1, TOLD_FAILED));
	CHECK(told_first(&t, 2, TOLD_EMPTY));
	CHECK_INT((int64_t)t.counts[0].count, 2);
	told_end(&t);
	CHECK(told_first(&t, 1, TOLD_EMPTY));
	told_fini(&t);
}

static void test_idle(void)
{
	struct jfrec_leftover a = { .inode = 1, .touched_ns = 5, .files = 2 }, b = a;
	struct idle_repositories d = { .items = NULL };
	int64_t hour = 3600 * NS_PER_SECOND;

	test_begin("a_repository_that_is_as_it_was");
	CHECK(!idle_repositories_skips(&d, &a, 0));
	idle_repositories_note(&d, &a, 0);
	idle_repositories_end(&d, 0);
	CHECK(idle_repositories_skips(&d, &a, 1));

	test_begin("one_that_is_not");
	b.touched_ns++;
	CHECK(!idle_repositories_skips(&d, &b, 1));
	b = a;
	b.files++;
	CHECK(!idle_repositories_skips(&d, &b, 1));
	b = a;
	b.device++;
	CHECK(!idle_repositories_skips(&d, &b, 1));

	test_begin("the_last_look_counts");
	b = a;
	b.touched_ns = 9;
	idle_repositories_note(&d, &b, 2);
	idle_repositories_end(&d, 2);
	CHECK(idle_repositories_skips(&d, &b, 3));
	CHECK(!idle_repositories_skips(&d, &a, 3));
	CHECK_INT((int64_t)d.count, 1);

	test_begin("and_not_for_ever");
	CHECK(!idle_repositories_skips(&d, &b, hour + 2));
	idle_repositories_end(&d, hour + 2);
	CHECK_INT((int64_t)d.count, 0);
	idle_repositories_fini(&d);
}

int main(void)
{
	test_lines();
	test_counts();
	test_idle();
	return test_end();
}
