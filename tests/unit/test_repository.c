/* SPDX-License-Identifier: MIT */
/* test_repository.c - where a JVM keeps what it records, by its open files */
#include "repository/chunks.h"
#include "repository/name.h"
#include "repository/owner.h"

#include "jfrec-tool.h"
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
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

/* A JVM that begins another chunk whenever one is opened, while its directory is listed. */
struct rotating {
	int directory, begun;
};

#define ROTATIONS 6

/* A header, of version 2.0, and nothing else. */
static void begin_chunk(struct rotating *jvm)
{
	uint8_t bytes[CHUNK_HEADER_SIZE] = { 'F', 'L', 'R', 0, 0, 2, 0, 0 };
	char name[64];
	int fd;

	bytes[15] = sizeof(bytes);
	bytes[67] = CHUNK_COMPRESSED_INTS;
	bytes[39] = (uint8_t)++jvm->begun; /* when it began */
	snprintf(name, sizeof(name), "2001_01_01_00_00_%02d.jfr", jvm->begun);
	fd = openat(jvm->directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	CHECK(write(fd, bytes, sizeof(bytes)) == sizeof(bytes));
	close(fd);
}

static bool rotates(void *ctx, const struct jfrec_repository *r, const struct repository_chunk *c)
{
	struct rotating *jvm = ctx;

	(void)r, (void)c;
	if (jvm->begun < ROTATIONS)
		begin_chunk(jvm);
	return true;
}

static void test_listing(void)
{
	char path[] = "/tmp/test_repository.XXXXXX";
	struct rotating jvm = { .directory = -1 };
	struct repository_filter filter = { .selects = rotates, .ctx = &jvm };
	struct jfrec_repository *r;

	test_begin("chunks_that_begin_meanwhile");
	jvm.directory = mkdtemp(path) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (!CHECK(jvm.directory >= 0))
		return;
	begin_chunk(&jvm);
	r = repository_of_directory(dup(jvm.directory), path, &filter, NULL);
	if (CHECK(r != NULL)) {
		CHECK_INT(jfrec_repository_count(r), ROTATIONS);
		for (size_t i = 0; i < jfrec_repository_count(r); i++)
			CHECK_INT(r->chunks[i].header.start_ns, (int64_t)i + 1);
	}
	jfrec_repository_close(r);
	for (int i = 1; i <= ROTATIONS; i++) {
		char name[64];

		snprintf(name, sizeof(name), "2001_01_01_00_00_%02d.jfr", i);
		unlinkat(jvm.directory, name, 0);
	}
	close(jvm.directory);
	rmdir(path);
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
	test_listing();
	return test_end();
}
