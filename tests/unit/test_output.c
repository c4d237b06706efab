/* SPDX-License-Identifier: MIT */
/*
 * test_output.c - a file appears whole or not at all
 */
#include "output/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "input/input.h"
#include "jfrec-tool.h"
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
	test_begin("nothing_has_the_name_before_commit");
	CHECK(stat(path, &st) < 0);
	CHECK_INT(jfrec_output_commit(o, NULL), 0);
	CHECK_INT((int64_t)jfrec_output_size(o), 5);
	jfrec_output_close(o);
	CHECK(strcmp(content(path), "hello") == 0);
	CHECK_INT(count_files(), 1);

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

static unsigned mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_mode & 07777 : 0;
}

/* The mode that a new file gets, or one that replaces "whole". */
static unsigned mode_after(unsigned mode, bool also_replaced)
{
	struct jfrec_output *o = begin(in_directory("whole"), true);

	if (mode)
		jfrec_output_set_mode(o, mode, also_replaced);
	CHECK_INT(jfrec_output_commit(o, NULL), 0);
	jfrec_output_close(o);
	return mode_of(in_directory("whole"));
}

static void test_modes(void)
{
	mode_t mask = umask(0);

	test_begin("only_its_owner_reads_a_new_file");
	unlink(in_directory("whole"));
	CHECK_INT(mode_after(0, false), 0600);
	test_begin("replacing_keeps_the_mode");
	chmod(in_directory("whole"), 04644);
	CHECK_INT(mode_after(0, false), 0644);
	CHECK_INT(mode_after(0640, false), 0644);
	test_begin("a_mode_that_is_set");
	CHECK_INT(mode_after(0640, true), 0640);
	unlink(in_directory("whole"));
	CHECK_INT(mode_after(0664, false), 0664);
	test_begin("the_mode_behind_a_link_says_nothing");
	chmod(in_directory("whole"), 0666);
	rename(in_directory("whole"), in_directory("target"));
	CHECK(symlink("target", in_directory("whole")) == 0);
	CHECK_INT(mode_after(0, false), 0600);
	unlink(in_directory("target"));
	umask(mask);
}

/* As on a file system without files that have no name. */
static void refuse_unnamed(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

/* A process that writes, until it is killed. */
static pid_t start_writer(bool unnamed)
{
	int ready[2];
	char byte;
	pid_t pid;

	CHECK(pipe(ready) == 0);
	pid = fork();
	if (pid == 0) {
		if (!unnamed)
			refuse_unnamed();
		if (begin(in_directory("killed"), false) && write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	CHECK(read(ready[0], &byte, 1) == 1);
	close(ready[0]);
	return pid;
}

static void end_writer(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void test_named_till_then(void)
{
	struct jfrec_output *o;
	pid_t pid;
	int status;

	fflush(stdout); /* else the child would print that, too */
	pid = fork();
	if (pid == 0) {
		refuse_unnamed();
		o = begin(in_directory("named"), false);
		CHECK_INT(count_files(), 2);
		jfrec_output_close(o);
		CHECK_INT(count_files(), 1);
		o = begin(in_directory("named"), false);
		CHECK_INT(jfrec_output_commit(o, NULL), 0);
		jfrec_output_close(o);
		CHECK_INT(count_files(), 2);
		CHECK_INT(mode_of(in_directory("named")), 0600);
		o = begin(in_directory("named"), true);
		CHECK_INT(jfrec_output_commit(o, NULL), 0);
		jfrec_output_close(o);
		CHECK_INT(count_files(), 2);
		fflush(stdout);
		_exit(test.bad);
	}
	waitpid(pid, &status, 0);
	CHECK_INT(status, 0);
	CHECK(strcmp(content(in_directory("named")), "hello") == 0);
	unlink(in_directory("named"));
}

static void test_killed(void)
{
	pid_t pid;

	test_begin("file_system_without_nameless_files");
	test_named_till_then();

	test_begin("a_killed_writer_leaves_nothing");
	pid = start_writer(true);
	end_writer(pid);
	CHECK_INT(count_files(), 1);

	test_begin("what_a_living_one_writes_stays");
	pid = start_writer(false);
	CHECK_INT(count_files(), 2);
	CHECK_INT((int64_t)jfrec_output_sweep(in_directory("other")), 0);
	CHECK_INT(count_files(), 2);
	test_begin("what_a_killed_one_left_is_removed");
	end_writer(pid);
	CHECK_INT(count_files(), 2);
	CHECK_INT((int64_t)jfrec_output_sweep(in_directory("other")), 1);
	CHECK_INT(count_files(), 1);

	test_begin("nothing_else_is_removed");
	put(in_directory(".a.jfrec-0123abcg"), "");
	put(in_directory("a.jfrec-0123abcd"), "");
	put(in_directory(".jfrec-0123abcd0"), "");
	CHECK(symlink("whole", in_directory(".b.jfrec-01234567")) == 0);
	CHECK(mkfifo(in_directory(".c.jfrec-01234567"), 0600) == 0);
	CHECK(mkdir(in_directory(".d.jfrec-01234567"), 0700) == 0);
	put(in_directory(".e.jfrec-01234567"), "");
	/* Only root can make a file of somebody else's. */
	if (geteuid() != 0 || chown(in_directory(".e.jfrec-01234567"), 65534, 65534) < 0)
		unlink(in_directory(".e.jfrec-01234567"));
	CHECK_INT((int64_t)jfrec_output_sweep(in_directory("other")), 0);
	CHECK_INT((int64_t)jfrec_output_sweep("/nonexistent/file"), 0);
	unlink(in_directory(".a.jfrec-0123abcg"));
	unlink(in_directory("a.jfrec-0123abcd"));
	unlink(in_directory(".jfrec-0123abcd0"));
	unlink(in_directory(".b.jfrec-01234567"));
	unlink(in_directory(".c.jfrec-01234567"));
	rmdir(in_directory(".d.jfrec-01234567"));
	unlink(in_directory(".e.jfrec-01234567"));
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

/* More than is underway to the disk at once. */
static void test_giving_way(void)
{
	enum { COUNT = 3 << 20 };
	const char *path = in_directory("given");
	FILE *f = tmpfile(), *copied;
	struct jfrec_output *o = begin(path, false);
	bool same = true;

	test_begin("a_copy_that_gives_way_is_the_same");
	for (uint32_t i = 0; i < COUNT; i++)
		fwrite(&i, sizeof(i), 1, f);
	fflush(f);
	jfrec_output_give_way(o);
	output_copy(o, fileno(f), 0, COUNT * sizeof(uint32_t));
	CHECK_INT(jfrec_output_commit(o, NULL), 0);
	jfrec_output_close(o);
	copied = fopen(path, "r");
	fseek(copied, 5, SEEK_SET); /* "hello", by begin() */
	for (uint32_t i = 0, n; i < COUNT && same; i++)
		same = fread(&n, sizeof(n), 1, copied) == 1 && n == i;
	CHECK(same);
	CHECK(fgetc(copied) == EOF);
	fclose(copied);
	fclose(f);
	unlink(path);
}

static void test_failures(void)
{
	struct rlimit before, small;
	struct jfrec_error err;
	struct jfrec_output *o = begin(in_directory("large"), false);
	static char block[4096];
	atomic_int stop = 1;

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

#define FILES 300

/* More than are asked for one by one. */
static void test_many(void)
{
	struct jfrec_output *all[FILES];
	struct jfrec_error err;
	size_t failed = 0;
	char name[16];

	test_begin("many_files_at_once");
	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "many%d", i);
		all[i] = output_open_small(in_directory(name), false, &err);
		output_append(all[i], name, strlen(name));
		CHECK_INT(output_finish(all[i], &err), 0);
	}
	CHECK_INT(count_files(), 0);
	CHECK_INT(outputs_commit(all, FILES, &failed, &err), 0);
	CHECK_INT(failed, FILES);
	CHECK_INT(count_files(), FILES);
	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "many%d", i);
		CHECK(strcmp(content(in_directory(name)), name) == 0);
		unlink(in_directory(name));
		jfrec_output_close(all[i]);
	}
}

/* Another process takes the name of one meanwhile. */
static void test_many_of_which_one_fails(void)
{
	struct jfrec_output *both[2];
	struct jfrec_error err;
	size_t failed = 0;

	test_begin("which_of_many_failed");
	both[0] = output_open_small(in_directory("first"), false, &err);
	both[1] = output_open_small(in_directory("second"), false, &err);
	close(open(in_directory("second"), O_CREAT | O_WRONLY, 0600));
	CHECK_INT(outputs_commit(both, 2, &failed, &err), -1);
	CHECK_INT(failed, 1);
	CHECK_INT(err.sys, EEXIST);
	for (int i = 0; i < 2; i++)
		jfrec_output_close(both[i]);
	unlink(in_directory("first"));
	unlink(in_directory("second"));
}

static void test_limit(void)
{
	static const char bytes[1 << 20];
	static const char *const names[] = { "limited", "limited.gz" };

	for (int i = 0; i < 2; i++) {
		struct jfrec_error err = { 0 };
		struct jfrec_output *o = jfrec_output_open(in_directory(names[i]), false, JFREC_BY_NAME, &err);

		test_begin(names[i]);
		jfrec_output_limit(o, 2 << 20);
		output_append(o, bytes, sizeof(bytes));
		output_append(o, bytes, sizeof(bytes));
		out_flush(&o->out);
		CHECK(!output_failed(o));
		output_append(o, "x", 1);
		CHECK_INT(jfrec_output_commit(o, &err), -1);
		CHECK_INT(err.code, JFREC_EOUTPUT);
		CHECK_INT(err.sys, EOVERFLOW);
		jfrec_output_close(o);
		CHECK_INT(count_files(), 0);
	}
}

int main(void)
{
	if (!mkdtemp(directory))
		return 1;
	test_whole();
	test_existing();
	test_modes();
	test_killed();
	test_compression();
	test_copy();
	test_giving_way();
	test_failures();
	unlink(in_directory("whole"));
	test_many();
	test_many_of_which_one_fails();
	test_limit();
	rmdir(directory);
	return test_end();
}
