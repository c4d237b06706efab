/* SPDX-License-Identifier: MIT */
/* test_crash_files.c - files that crashed JVMs left, among those that only look so */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jfrec-tool.h"
#include "test.h"

static char root[] = "/tmp/jfrec-crash-XXXXXX";

static const char *at(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	return path;
}

static void put(const char *name, const char *text)
{
	int fd = open(at(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	close(fd);
}

static struct jfrec_crash_files *found(int pid)
{
	struct jfrec_crash_files *c = jfrec_crash_files_new(NULL);

	jfrec_crash_files_add_directory(c, root);
	CHECK_INT(jfrec_crash_files_find(c, JFREC_CRASH_OF_OTHERS, pid, NULL), 0);
	return c;
}

static void test_found(void)
{
	struct jfrec_crash_files *c;

	test_begin("recordings_come_before_logs");
	put("hs_err_pid2147483646.log", "# A fatal error\n");
	put("hs_err_pid2147483646.jfr", "FLR");
	c = found(0);
	CHECK_INT(jfrec_crash_files_count(c), 2);
	CHECK(jfrec_crash_files_get(c, 0)->is_recording);
	CHECK(!jfrec_crash_files_get(c, 1)->is_recording);
	CHECK_INT(jfrec_crash_files_get(c, 0)->pid, 2147483646);
	CHECK_INT(jfrec_crash_files_get(c, 0)->size, 3);
	CHECK(strcmp(jfrec_crash_files_get(c, 0)->path, at("hs_err_pid2147483646.jfr")) == 0);
	CHECK(!jfrec_crash_files_get(c, 2));
	jfrec_crash_files_free(c);

	test_begin("those_of_one_process");
	put("hs_err_pid2147483645.jfr", "FLR");
	c = found(2147483645);
	CHECK_INT(jfrec_crash_files_count(c), 1);
	jfrec_crash_files_free(c);
}

static void test_others(void)
{
	static const char *const names[] = {
		"hs_err_pid.jfr", "hs_err_pid0.jfr", "hs_err_pid-1.jfr", "hs_err_pid2147483648.jfr",
		"hs_err_pid99999999999999999999999.jfr", "hs_err_pid2147483644.jfr.gz",
		"xhs_err_pid2147483644.jfr", "hs_err_pid2147483644x.jfr", "hs_err_pid2147483644",
	};
	struct jfrec_crash_files *c;
	char own[64];

	test_begin("names_that_no_jvm_gives");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		put(names[i], "FLR");
	c = found(0);
	CHECK_INT(jfrec_crash_files_count(c), 3);
	jfrec_crash_files_free(c);

	test_begin("links_fifos_directories_and_empty_files");
	if (symlink("/etc/passwd", at("hs_err_pid2147483643.jfr")) < 0 ||
	    mkfifo(at("hs_err_pid2147483642.jfr"), 0600) < 0 ||
	    mkdir(at("hs_err_pid2147483641.jfr"), 0700) < 0)
		abort();
	put("hs_err_pid2147483640.jfr", "");
	c = found(0);
	CHECK_INT(jfrec_crash_files_count(c), 3);
	jfrec_crash_files_free(c);
	for (int pid = 2147483640; pid <= 2147483643; pid++) {
		c = found(pid);
		CHECK_INT(jfrec_crash_files_count(c), 0);
		jfrec_crash_files_free(c);
	}

	test_begin("a_process_that_runs_has_not_crashed");
	snprintf(own, sizeof(own), "hs_err_pid%d.jfr", getpid());
	put(own, "FLR");
	c = found(0);
	CHECK_INT(jfrec_crash_files_count(c), 3);
	jfrec_crash_files_free(c);
}

static void test_names(void)
{
	struct jfrec_crash_files *c = jfrec_crash_files_new(NULL);

	test_begin("a_path_is_quoted_for_the_shell");
	if (mkdir(at("it's $(reboot)"), 0700) < 0)
		abort();
	put("it's $(reboot)/hs_err_pid2147483645.jfr", "FLR");
	jfrec_crash_files_add_directory(c, at("it's $(reboot)"));
	jfrec_crash_files_add_directory(c, at("none"));
	CHECK_INT(jfrec_crash_files_find(c, JFREC_CRASH_OF_OTHERS, 0, NULL), 0);
	CHECK_INT(jfrec_crash_files_count(c), 1);
	CHECK(strstr(jfrec_crash_files_get(c, 0)->word, "/it'\\''s $(reboot)/hs_err_pid2147483645.jfr'"));
	jfrec_crash_files_free(c);

	test_begin("a_directory_given_twice_counts_once");
	c = jfrec_crash_files_new(NULL);
	jfrec_crash_files_add_directory(c, at("it's $(reboot)"));
	jfrec_crash_files_add_directory(c, at("it's $(reboot)"));
	CHECK_INT(jfrec_crash_files_find(c, JFREC_CRASH_OF_OTHERS, 0, NULL), 0);
	CHECK_INT(jfrec_crash_files_count(c), 1);
	jfrec_crash_files_free(c);
}

int main(void)
{
	char command[64];

	if (!mkdtemp(root))
		abort();
	test_found();
	test_others();
	test_names();
	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return system(command) != 0 || test_end();
}
