/* SPDX-License-Identifier: MIT */
/* test_listening.c - who listens at a JVM's attach socket */
#include "process/listening.h"

#include "test.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
	const char *name, *line;
	bool found;
} rows[] = {
	{ "as_hotspot_binds_it",
	  "0000000068c9338b: 00000002 00000000 00010000 0001 01 1828902 /tmp/.java_pid1.tmp",
	  true },
	{ "by_its_last_name",
	  "0000000068c9338b: 00000002 00000000 00010000 0001 01 1828902 /tmp/.java_pid1", true },
	{ "in_another_root",
	  "0000000000000000: 00000002 00000000 00010000 0001 01 1828902 .java_pid1.tmp", true },
	{ "of_another_number",
	  "0000000068c9338b: 00000002 00000000 00010000 0001 01 1828902 /tmp/.java_pid17.tmp",
	  false },
	{ "one_that_does_not_listen",
	  "0000000068c9338b: 00000003 00000000 00000000 0001 03 1828902 /tmp/.java_pid1.tmp",
	  false },
	{ "without_a_name", "0000000068c9338b: 00000003 00000000 00010000 0001 03 1828902", false },
	{ "the_heading", "Num       RefCount Protocol Flags    Type St Inode Path", false },
	{ "nothing", "", false },
};

/* A socket that listens at path, bound by a name and renamed as HotSpot does; or -1. */
static int listen_at(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s.tmp", path);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 || listen(fd, 5) < 0 ||
	    rename(address.sun_path, path) < 0)
		return -1;
	return fd;
}

/* Each of the names below is unique: the kernel lists the sockets of all processes. */
static void test_processes(void)
{
	char dir[] = "/tmp/jfrec-test-XXXXXX", path[64], name[32];
	struct process self, child;
	int fd;
	pid_t pid;

	snprintf(name, sizeof(name), ".java_pid%d", getpid());
	CHECK(mkdtemp(dir) != NULL && process_open(&self, getpid(), 0, NULL) == 0);
	snprintf(path, sizeof(path), "%s/%s", dir, name);

	test_begin("nobody_listens");
	CHECK_INT(listening_find(&self, name, NULL), LISTENING_NOBODY);
	pid = fork();
	if (pid == 0) {
		pause();
		_exit(0);
	}
	fd = listen_at(path);

	test_begin("it_listens_itself");
	CHECK_INT(listening_find(&self, name, NULL), LISTENING_SELF);
	test_begin("it_listens_though_the_file_is_deleted");
	unlink(path);
	CHECK_INT(listening_find(&self, name, NULL), LISTENING_SELF);
	test_begin("another_process_listens");
	CHECK(process_open(&child, pid, 0, NULL) == 0);
	CHECK_INT(listening_find(&child, name, NULL), LISTENING_OTHER);

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	process_close(&child);
	process_close(&self);
	close(fd);
	rmdir(dir);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *path;
		uint64_t inode = 0;

		test_begin(rows[i].name);
		CHECK_INT(listening_parse(rows[i].line, ".java_pid1", &inode, &path), rows[i].found);
		CHECK(!rows[i].found || inode == 1828902);
	}
	test_processes();
	return test_end();
}
