/* SPDX-License-Identifier: MIT */
/* test_paths.c - the stacks of one chunk, as paths that share their beginnings */
#include "stacks/paths.h"

#include "test.h"

static uint32_t walk(struct paths *p, const uint32_t *frames, uint32_t count)
{
	uint32_t at = PATH_ROOT;

	for (uint32_t i = 0; i < count && at != PATH_NONE; i++)
		at = paths_step(p, at, frames[i]);
	return at;
}

static void test_the_same_stack_is_the_same_path(void)
{
	static const uint32_t a[] = { 1, 2, 3 }, b[] = { 1, 2, 4 }, c[] = { 2, 2, 3 };
	struct paths p = { 0 };
	uint32_t frames[PATH_MOST], end = walk(&p, a, 3);

	CHECK(walk(&p, b, 3) != end);
	CHECK(walk(&p, c, 3) != end);
	CHECK_INT(walk(&p, a, 3), end);
	CHECK_INT(p.count, 1 + 3 + 1 + 3);
	CHECK_INT(paths_frames(&p, end, frames), 3);
	CHECK_INT(frames[0], 1);
	CHECK_INT(frames[2], 3);
	paths_fini(&p);
}

static void test_no_stack_is_the_root(void)
{
	struct paths p = { 0 };
	uint32_t frames[PATH_MOST];

	CHECK_INT(paths_frames(&p, PATH_ROOT, frames), 0);
	CHECK(paths_step(&p, PATH_ROOT, 7) != PATH_NONE);
	CHECK_INT(paths_frames(&p, PATH_ROOT, frames), 0);
	paths_fini(&p);
}

/* Each is found again after the table has grown, in whichever order they are asked for. */
static void test_many_children_of_one_step(void)
{
	struct paths p = { 0 };

	for (uint32_t i = 0; i < 5000; i++)
		CHECK_INT(paths_step(&p, PATH_ROOT, i), i + 1);
	for (uint32_t i = 5000; i-- > 0;)
		CHECK_INT(paths_step(&p, PATH_ROOT, i), i + 1);
	CHECK_INT(p.count, 5001);
	paths_fini(&p);
}

int main(void)
{
	test_begin("the_same_stack_is_the_same_path");
	test_the_same_stack_is_the_same_path();
	test_begin("no_stack_is_the_root");
	test_no_stack_is_the_root();
	test_begin("many_children_of_one_step");
	test_many_children_of_one_step();
	return test_end();
}
