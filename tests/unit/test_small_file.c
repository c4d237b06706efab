/* SPDX-License-Identifier: MIT */
/* test_small_file.c - nothing but a regular file is opened */
#include "base/small_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

static char directory[] = "/tmp/jfrec-small-XXXXXX";

static const char *in_dir(const char *name)
{
	static char path[100];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(in_dir(name), "w");

	fputs(text, f);
	fclose(f);
}

/* Was it opened since?  To look at it is not to open it. */
static bool was_opened(int watch)
{
	char events[4096];

	return read(watch, events, sizeof(events)) > 0;
}

static void test_files(void)
{
	char *bytes;
	size_t len = 0;

	write_file("a", "twelve bytes");
	test_begin("a_file");
	bytes = small_file_read(in_dir("a"), 100, &len, NULL);
	CHECK_TEXT(bytes, len, "twelve bytes");
	free(bytes);

	test_begin("one_more_byte_where_it_is_larger");
	bytes = small_file_read(in_dir("a"), 5, &len, NULL);
	CHECK_TEXT(bytes, len, "twelve");
	free(bytes);

	test_begin("a_link_to_a_file");
	CHECK(symlink("a", in_dir("link")) == 0);
	bytes = small_file_read(in_dir("link"), 100, &len, NULL);
	CHECK_TEXT(bytes, len, "twelve bytes");
	free(bytes);
}

static void test_others(void)
{
	struct jfrec_error err;
	size_t len;
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	test_begin("a_fifo_is_not_even_opened");
	CHECK(mkfifo(in_dir("fifo"), 0600) == 0);
	CHECK(inotify_add_watch(watch, in_dir("fifo"), IN_OPEN) >= 0);
	CHECK(!small_file_read(in_dir("fifo"), 100, &len, &err));
	CHECK(strstr(err.text, "not a regular file"));
	CHECK(!was_opened(watch));

	test_begin("nor_by_a_link");
	CHECK(symlink("fifo", in_dir("to_fifo")) == 0);
	CHECK(!small_file_read(in_dir("to_fifo"), 100, &len, &err));
	CHECK(!was_opened(watch));
	close(watch);

	test_begin("a_device");
	CHECK(!small_file_read("/dev/zero", 100, &len, &err));
	CHECK(strstr(err.text, "not a regular file"));

	test_begin("a_directory");
	CHECK(!small_file_read(directory, 100, &len, &err));
	CHECK(strstr(err.text, "directory"));

	test_begin("nothing");
	CHECK(!small_file_read(in_dir("nothing"), 100, &len, &err));
	CHECK(strstr(err.text, "No such file"));
}

int main(void)
{
	static const char *const names[] = { "a", "link", "fifo", "to_fifo" };

	if (!mkdtemp(directory))
		return 1;
	test_files();
	test_others();
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(in_dir(names[i]));
	rmdir(directory);
	return test_end();
}
