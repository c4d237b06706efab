/* SPDX-License-Identifier: MIT */
/* test_repository.c - where a JVM keeps what it records, by its open files */
#include "repository/name.h"
#include "repository/owner.h"

#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	const char *name, *path;
	const char *directory; /* NULL: it is none */
	bool deleted;
} rows[] = {
	{ "jdk_17", "/tmp/2026_11_20_15_40_46_4711/2026_11_20_15_40_46.jfr",
	  "/tmp/2026_11_20_15_40_46_4711", false },
	{ "jdk_8", "/tmp/2026_11_20_15_40_46_4711/2026_11_20_15_40_46.part",
	  "/tmp/2026_11_20_15_40_46_4711", false },
	{ "second_of_a_second", "/r/2026_11_20_15_40_46_4711_1/2026_11_20_15_40_46_02.jfr",
	  "/r/2026_11_20_15_40_46_4711_1", false },
	{ "deleted", "/tmp/2026_11_20_15_40_46_4711/2026_11_20_15_40_46.jfr (deleted)",
	  "/tmp/2026_11_20_15_40_46_4711", true },
	{ "of_another_jvm", "/tmp/2026_11_20_15_40_46_47111/2026_11_20_15_40_46.jfr", NULL, false },
	{ "a_recording_of_the_application", "/home/app/2026_11_20_15_40_46.jfr", NULL, false },
	{ "another_file", "/tmp/2026_11_20_15_40_46_4711/log.txt", NULL, false },
	{ "another_name", "/tmp/2026_11_20_15_40_46_4711/app.jfr", NULL, false },
	{ "a_short_name", "/tmp/2026_11_20/2026.jfr", NULL, false },
	{ "no_directory", "2026_11_20_15_40_46.jfr", NULL, false },
	{ "a_socket", "socket:[4711]", NULL, false },
	{ "nothing", "", NULL, false },
};

static const struct {
	const char *path;
	int pid;
} directories[] = {
	{ "2026_11_20_15_40_46_4711", 4711 },
	{ "/tmp/2026_11_20_15_40_46_4711//", 4711 },
	{ "/tmp/2026_11_20_15_40_46_4711_02", 4711 },
	{ "/tmp/2026_11_20_15_40_46_4711/more", 0 },
	{ "/tmp/2026_11_20_15_40_46_4711x", 0 },
	{ "/tmp/2026_11_20_15_40_46_", 0 },
	{ "/tmp/2026_11_20_15_40_46_99999999999", 0 },
	{ "/", 0 },
	{ "", 0 },
};

/* Does a file of ours betray the directory? */
static void test_process(void)
{
	char dir[64], file[128];
	struct owned_repository r;
	struct process self;
	int fd;

	snprintf(dir, sizeof(dir), "/tmp/2001_01_01_00_00_00_%d", getpid());
	snprintf(file, sizeof(file), "%s/2001_01_01_00_00_01.jfr", dir);
	CHECK(mkdir(dir, 0700) == 0 && process_open(&self, getpid(), 0, NULL) == 0);

	test_begin("nothing_is_recorded");
	owner_find_repository(&r, &self);
	CHECK_INT(r.denied, false);
	CHECK_TEXT(r.path, strlen(r.path), "");

	test_begin("something_is_recorded");
	fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	owner_find_repository(&r, &self);
	CHECK_INT(r.deleted, false);
	CHECK(strstr(r.path, dir) != NULL);

	test_begin("what_is_recorded_was_deleted");
	unlink(file);
	rmdir(dir);
	owner_find_repository(&r, &self);
	CHECK_INT(r.deleted, true);
	CHECK(strstr(r.path, dir) != NULL);
	close(fd);
	process_close(&self);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char path[256];
		bool deleted;

		test_begin(rows[i].name);
		snprintf(path, sizeof(path), "%s", rows[i].path);
		if (!CHECK_INT(name_parse_chunk_path(path, 4711, &deleted),
			       rows[i].directory != NULL) ||
		    !rows[i].directory)
			continue;
		CHECK_TEXT(path, strlen(path), rows[i].directory);
		CHECK_INT(deleted, rows[i].deleted);
	}
	test_begin("pids_of_directories");
	for (size_t i = 0; i < sizeof(directories) / sizeof(*directories); i++)
		CHECK_INT(name_repository_pid(directories[i].path), directories[i].pid);
	test_process();
	return test_end();
}
