/* SPDX-License-Identifier: MIT */
/* test_disk_space.c - is there room on the disks of a JVM? */
#include "jfr/disk_space.h"

#include "test.h"

#include <errno.h>

#define MB (INT64_C(1) << 20)

static const struct {
	const char *name;
	struct disk_space room; /* in MB, but for DISK_SPACE_UNKNOWN */
	int64_t limit;	  /* likewise, of what is asked for */
	bool recording, dump, stop;
	int64_t most; /* disk_space_limit(); -1: nothing */
} rows[] = {
	{ "plenty", { 100000, 0, 100000, true }, 250, true, true, true, 49984 },
	{ "plenty_on_two_disks", { 1000, 0, 50, false }, 250, true, true, true, 968 },
	{ "nothing", { 0, 0, 0, true }, 250, false, false, false, -1 },
	/* What is in memory may come at any time. */
	{ "less_than_the_buffers", { 9, 0, 1000, false }, 250, false, false, false, -1 },
	{ "the_buffers", { 10, 0, 1000, false }, 250, false, true, true, -1 },
	{ "just_the_limit", { 272, 0, 1000, false }, 250, true, true, true, 240 },
	{ "less_than_the_limit", { 271, 0, 1000, false }, 250, false, true, true, 239 },
	{ "a_smaller_limit", { 42, 0, 1000, false }, 20, true, true, true, -1 },
	/* A dump of what is recorded, the buffers, and meanwhile the buffers once more. */
	{ "room_for_the_dump", { 120, 100, 120, true }, 250, false, true, true, 44 },
	{ "no_room_for_the_dump", { 119, 100, 119, true }, 250, false, false, true, 43 },
	{ "tmp_is_elsewhere", { 500, 100, 110, false }, 250, true, true, true, 468 },
	{ "tmp_is_elsewhere_and_full", { 500, 100, 109, false }, 250, true, false, true, 468 },
	{ "dump_of_a_part", { 500, 100, 42, false }, 30, true, true, true, 468 },
	{ "unknown", { -1, 0, 100, false }, 250, true, true, true, -2 },
};

static int64_t bytes(int64_t mb)
{
	return mb < 0 ? DISK_SPACE_UNKNOWN : mb * MB;
}

static void test_row(size_t i)
{
	struct disk_space r = { bytes(rows[i].room.repository), bytes(rows[i].room.recorded),
				bytes(rows[i].room.tmp), rows[i].room.same };
	struct jfrec_error err = { 0 };
	int64_t limit = 0;

	test_begin(rows[i].name);
	CHECK_INT(disk_space_for_recording(&r, bytes(rows[i].limit), &err),
		  rows[i].recording ? 0 : -1);
	CHECK_INT(disk_space_for_dump(&r, bytes(rows[i].limit), &err), rows[i].dump ? 0 : -1);
	CHECK_INT(disk_space_for_stop(&r, &err), rows[i].stop ? 0 : -1);
	CHECK_INT(disk_space_limit(&r, &limit, &err), rows[i].most == -1 ? -1 : 0);
	if (rows[i].most >= 0)
		CHECK_INT(limit / MB, rows[i].most);
	if (rows[i].most == -2)
		CHECK_INT(limit, DISK_SPACE_UNKNOWN);
	if (rows[i].most == -1) {
		CHECK_INT(err.code, JFREC_EIO);
		CHECK_INT(err.sys, ENOSPC);
		CHECK(strstr(err.text, "no room for"));
	}
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		test_row(i);
	test_begin("dump_without_a_limit");
	CHECK_INT(disk_space_for_dump(&(struct disk_space){ 40 * MB, 10 * MB, 30 * MB, true },
				      INT64_MAX, NULL),
		  0);
	CHECK_INT(disk_space_for_dump(&(struct disk_space){ 40 * MB, 10 * MB, 29 * MB, true },
				      INT64_MAX, NULL),
		  -1);
	return test_end();
}
