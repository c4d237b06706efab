/* SPDX-License-Identifier: MIT */
/*
 * followed.c - with fork=true each child of fork() records on, into a file of its own
 *
 * usage: followed DIRECTORY
 *
 * Each test is this program again, with JFREC_RECORD, in a directory of its own: followed do NAME.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/test.h"
#include "jfrec-recorder.h"

#define TICK(F) F(LONG, number, "Number", PLAIN) F(STRING, text, "Text", PLAIN)
JFREC_EVENT(tick, "followed.Tick", "Tick", "Followed", TICK)

#define TEXT	 "a text that each event has"
#define CHILDREN 30

/* What the programs do ------------------------------------------------------------------------- */

static void emit(long count)
{
	for (long i = 0; i < count; i++)
		tick_emit(i, TEXT);
}

static int wait_for(pid_t child)
{
	int status = -1;

	return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int one_child(void)
{
	pid_t child;

	emit(10);
	child = fork();
	if (!child) {
		emit(500);
		exit(0);
	}
	emit(20);
	return wait_for(child);
}

static int many_children(void)
{
	pid_t children[CHILDREN];
	int bad = 0;

	for (int i = 0; i < CHILDREN; i++) {
		emit(1);
		children[i] = fork();
		if (!children[i]) {
			emit(10);
			exit(0);
		}
	}
	for (int i = 0; i < CHILDREN; i++)
		bad |= wait_for(children[i]);
	return bad;
}

/* As daemon() does, but that the first process waits, so that the test knows when it is over. */
static int a_daemon(void)
{
	char byte;
	int ends[2];

	emit(10);
	if (pipe(ends))
		return 1;
	if (fork()) {
		close(ends[1]);
		return read(ends[0], &byte, 1) != 0;
	}
	setsid();
	if (chdir("/") || fork())
		_exit(0);
	emit(5);
	usleep(300000);
	emit(1000);
	return 0;
}

/* It executes another program at once, and is gone without a trace. */
static int an_exec(void)
{
	pid_t child = fork();

	if (!child) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	emit(7);
	return wait_for(child);
}

static int a_silent_child(void)
{
	pid_t child = fork();

	if (!child)
		exit(0);
	emit(7);
	return wait_for(child);
}

/* What it emits in a recorder that it starts itself is there, too. */
static int a_child_of_a_child(void)
{
	pid_t child = fork();

	if (!child) {
		emit(100);
		child = fork();
		emit(1000);
		exit(child ? wait_for(child) : 0);
	}
	emit(3);
	return wait_for(child);
}

/* Where nothing of what it knew is in reach. */
__attribute__((unused)) static bool enter_jail(void)
{
	return mkdir("jail", 0755) == 0 && chroot("jail") == 0 && chdir("/") == 0;
}

__attribute__((unused)) static int a_child_in_a_jail(void)
{
	pid_t child = fork();

	if (!child) {
		if (!enter_jail())
			_exit(1);
		emit(500);
		usleep(400000);
		emit(500);
		exit(0);
	}
	emit(5);
	return wait_for(child) || rmdir("jail");
}

__attribute__((unused)) static int itself_in_a_jail(void)
{
	emit(100);
	if (!enter_jail())
		return 1;
	usleep(1200000);
	emit(900);
	return 0;
}

/* It is another user before its recorder has begun, and while it begins. */
static int children_that_give_up_root(void)
{
	pid_t children[CHILDREN];
	int bad = 0;

	for (int i = 0; i < CHILDREN; i++) {
		children[i] = fork();
		if (!children[i]) {
			emit(1);
			usleep((unsigned)(190000 + i * 1000));
			if (setgid(65534) || setuid(65534))
				_exit(1);
			emit(9);
			exit(0);
		}
	}
	for (int i = 0; i < CHILDREN; i++)
		bad |= wait_for(children[i]);
	return bad;
}

/* Tests ---------------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	int (*run)(void);
	long events; /* in all files */
	int files;
	bool needs_root;
} tests[] = {
	{ "one_child", one_child, 530, 2, false },
	{ "many_children", many_children, CHILDREN * 11, CHILDREN + 1, false },
	{ "a_daemon", a_daemon, 1015, 2, false },
	{ "an_exec", an_exec, 7, 1, false },
	{ "a_silent_child", a_silent_child, 7, 1, false },
	{ "a_child_of_a_child", a_child_of_a_child, 2103, 3, false },
#ifndef __SANITIZE_ADDRESS__ /* it looks for leaks at the end, in /proc */
	{ "a_child_in_a_jail", a_child_in_a_jail, 1005, 2, true },
	{ "itself_in_a_jail", itself_in_a_jail, 1000, 1, true },
#endif
	{ "children_that_give_up_root", children_that_give_up_root, CHILDREN * 10, CHILDREN + 1, true },
};

static long count_in(int directory, const char *name)
{
	static char all[1 << 20];
	int fd = openat(directory, name, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, all, sizeof(all));
	long count = 0;

	for (char *at = all, *found;
	     n > 0 && (found = memmem(at, (size_t)(all + n - at), TEXT, strlen(TEXT))); at = found + 1)
		count++;
	close(fd);
	return count;
}

/* Root's, which a process that gave up root could not delete. */
static void remove_repository(int directory, const char *name)
{
	int fd = openat(directory, name, O_RDONLY | O_DIRECTORY);
	DIR *d = fdopendir(fd);
	struct dirent *e;

	printf("# left: %s\n", name);
	CHECK(geteuid() == 0);
	while (d && (e = readdir(d)))
		unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	CHECK_INT(unlinkat(directory, name, AT_REMOVEDIR), 0);
}

/* The files of recordings in it are counted and deleted. */
static void look_into(const char *path, long *events, int *files)
{
	DIR *d = opendir(path);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		if (e->d_name[0] == '.')
			continue;
		if (unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR) == 0)
			continue;
		if (!strstr(e->d_name, ".jfr")) {
			remove_repository(dirfd(d), e->d_name);
			continue;
		}
		++*files;
		*events += count_in(dirfd(d), e->d_name);
		unlinkat(dirfd(d), e->d_name, 0);
	}
	if (d)
		closedir(d);
	CHECK_INT(rmdir(path), 0);
}

static int run_in(const char *path, const char *name)
{
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child)
		return wait_for(child);
	if (chdir(path))
		_exit(1);
	setenv("JFREC_RECORD", "filename=all.jfr,repository=.,fork=true,attach=false", 1);
	execl("/proc/self/exe", "followed", "do", name, (char *)NULL);
	_exit(1);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 3 && i < sizeof(tests) / sizeof(tests[0]); i++)
		if (!strcmp(argv[2], tests[i].name))
			return tests[i].run();
	if (argc != 2)
		return 2;
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		char path[512];
		long events = 0;
		int files = 0;

		test_begin(tests[i].name);
		if (tests[i].needs_root && geteuid()) {
			printf("# skipped: only root can do that\n");
			continue;
		}
		snprintf(path, sizeof(path), "%s/followed-%s", argv[1], tests[i].name);
		mkdir(path, 0777);
		CHECK_INT(chmod(path, tests[i].needs_root ? 0777 : 0700), 0);
		CHECK_INT(run_in(path, tests[i].name), 0);
		look_into(path, &events, &files);
		CHECK_INT(events, tests[i].events);
		CHECK_INT(files, tests[i].files);
	}
	return test_end();
}
