/* SPDX-License-Identifier: MIT */
/*
 * test_output.c - a file appears whole or not at all
 */
#include "output/output.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/input.h"
#include "test.h"

static char directory[] = "/tmp/jfrec-output-XXXXXX";

static const char *in_directory(const char *name)
{
	static char path[2][128];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", directory, name);
	return path[turn];
}

static int count_files(void)
{
	DIR *d = opendir(directory);
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

/* What the file has, decompressed; "" if there is none. */
static const char *content(const char *path)
{
	static char text[1 << 20];
	struct input in;
	size_t got = 0;

	if (input_open(&in, path, NULL, NULL) == 0) {
		input_read(&in, 0, text, sizeof(text) - 1, &got, NULL);
		input_close(&in);
	}
	text[got] = '\0';
	return text;
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	fputs(text, f);
	fclose(f);
}

static struct jfrec_output *begin(const char *path, bool force)
{
	struct jfrec_error err = { 0 };
	struct jfrec_output *o = jfrec_output_open(path, force, JFREC_BY_NAME, &err);

	if (!o)
		printf("# %s\n", err.text);
	else
		jfrec_output_write(o, "hello", 5);
	return o;
}

static void test_whole(void)
{
	const char *path = in_directory("whole");
	struct jfrec_output *o = begin(path, false);
	struct stat st;
	mode_t mask = umask(0);

	umask(mask);
	test_begin("nothing_has_the_name_before_commit");
	CHECK(stat(path, &st) < 0);
	CHECK_INT(jfrec_output_commit(o, NULL), 0);
	CHECK_INT((int64_t)jfrec_output_size(o), 5);
	jfrec_output_close(o);
	CHECK(strcmp(content(path), "hello") == 0);
	CHECK_INT(count_files(), 1);
	test_begin("permissions_are_those_of_a_new_file");
	CHECK(stat(path, &st) == 0 && (st.st_mode & 0777) == (0666 & ~mask));

	test_begin("an_output_that_is_not_committed_leaves_nothing");
	jfrec_output_close(begin(in_directory("other"), false));
	CHECK_INT(count_files(), 1);

	test_begin("sealed_has_no_name_yet");
	o = begin(in_directory("other"), false);
	CHECK_INT(jfrec_output_seal(o, NULL), 0);
	CHECK(stat(in_directory("other"), &st) < 0);
	jfrec_output_close(o);
	CHECK_INT(count_files(), 1);
}

static void test_existing(void)
{
	const char *path = in_directory("whole");
	struct jfrec_error err;
	struct jfrec_output *o;

	put(path, "old");
	test_begin("existing_file_is_not_replaced");
	CHECK(!jfrec_output_open(path, false, JFREC_BY_NAME, &err));
	CHECK_INT(err.sys, EEXIST);
	test_begin("existing_file_is_replaced_by_force");
	o = begin(path, true);
	CHECK(strcmp(content(path), "old") == 0);
	CHECK_INT(jfrec_output_commit(o, NULL), 0);
	CHECK(strcmp(content(path), "hello") == 0);
	jfrec_output_close(o);
	test_begin("file_that_came_meanwhile_stays");
	o = begin(in_directory("late"), false);
	put(in_directory("late"), "late");
	CHECK(jfrec_output_commit(o, &err) < 0 && err.sys == EEXIST);
	jfrec_output_close(o);
	CHECK(strcmp(content(in_directory("late")), "late") == 0);
	unlink(in_directory("late"));

	test_begin("link_to_a_file_is_seen_through");
	CHECK(symlink("whole", in_directory("link")) == 0);
	o = begin(in_directory("link"), true);
	CHECK(jfrec_output_would_replace(o, path));
	CHECK(!jfrec_output_would_replace(o, "/dev/null"));
	jfrec_output_close(o);
	unlink(in_directory("link"));
	test_begin("directory_and_device_are_refused");
	CHECK(!jfrec_output_open(directory, true, JFREC_BY_NAME, &err) && err.sys == EISDIR);
	CHECK(!jfrec_output_open("/dev/null", true, JFREC_BY_NAME, &err));
	CHECK_INT(count_files(), 1);
}

static void test_compression(void)
{
	static const char *const names[] = { "text.gz", "text.zst" };

	for (int i = 0; i < 2; i++) {
		struct jfrec_output *o = begin(in_directory(names[i]), false);
		struct stat st;

		test_begin(names[i]);
		for (int n = 0; n < 100000; n++)
			jfrec_output_write(o, "hello", 5);
		CHECK(!output_can_patch(o));
		CHECK_INT(jfrec_output_commit(o, NULL), 0);
		CHECK(stat(in_directory(names[i]), &st) == 0 && st.st_size < 10000);
		CHECK_INT((int64_t)jfrec_output_size(o), st.st_size);
		CHECK_INT((int64_t)strlen(content(in_directory(names[i]))), 500005);
		jfrec_output_close(o);
		unlink(in_directory(names[i]));
	}
}

static void test_copy(void)
{
	static const char *const names[] = { "copy", "copy.gz" };
	FILE *f = tmpfile();

	for (int i = 0; i < 100000; i++)
		fprintf(f, "%05d", i);
	fflush(f);
	for (int i = 0; i < 2; i++) {
		const char *path = in_directory(names[i]);
		struct jfrec_output *o = begin(path, false);

		test_begin(i ? "bytes_of_a_file_are_copied_and_compressed"
			     : "bytes_of_a_file_are_copied");
		output_copy(o, fileno(f), 50, 400000);
		jfrec_output_write(o, "end", 3);
		CHECK_INT((int64_t)output_at(o), 400008);
		if (output_can_patch(o))
			output_patch(o, 1, "E", 1);
		CHECK_INT(jfrec_output_commit(o, NULL), 0);
		CHECK_INT((int64_t)strlen(content(path)), 400008);
		CHECK(memcmp(content(path), i ? "hello00010" : "hEllo00010", 10) == 0);
		CHECK(strcmp(content(path) + 400000, "80009end") == 0);
		jfrec_output_close(o);
		unlink(path);
	}
	test_begin("copy_of_what_is_not_there_fails");
	{
		struct jfrec_output *o = begin(in_directory("copy"), false);

		output_copy(o, fileno(f), 400000, 400000);
		CHECK(jfrec_output_commit(o, NULL) < 0);
		jfrec_output_close(o);
	}
	fclose(f);
}

static void test_failures(void)
{
	struct rlimit before, small;
	struct jfrec_error err;
	struct jfrec_output *o = begin(in_directory("large"), false);
	static char block[4096];
	volatile sig_atomic_t stop = 1;

	test_begin("full_disk_leaves_nothing");
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	small = (struct rlimit){ 1 << 20, before.rlim_max };
	setrlimit(RLIMIT_FSIZE, &small);
	for (int i = 0; i < 1024; i++)
		jfrec_output_write(o, block, sizeof(block));
	CHECK(jfrec_output_commit(o, &err) < 0 && err.code == JFREC_EOUTPUT && err.sys == EFBIG);
	setrlimit(RLIMIT_FSIZE, &before);
	jfrec_output_close(o);
	CHECK_INT(count_files(), 1);

	test_begin("stop_ends_writing");
	o = begin(in_directory("stopped"), false);
	output_stop_at(o, &stop);
	CHECK(jfrec_output_commit(o, &err) < 0 && err.code == JFREC_ECANCELED);
	jfrec_output_close(o);
	CHECK_INT(count_files(), 1);
}

int main(void)
{
	if (!mkdtemp(directory))
		return 1;
	test_whole();
	test_existing();
	test_compression();
	test_copy();
	test_failures();
	unlink(in_directory("whole"));
	rmdir(directory);
	return test_end();
}
