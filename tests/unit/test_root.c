/* SPDX-License-Identifier: MIT */
/* test_root.c - files of a process by the names that they have for it */
#include "process/root.h"

#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A root with "var/tmp/file", and links that mean other places outside of it. */
static int make_root(char *path)
{
	int root, fd;

	if (!mkdtemp(path))
		return -1;
	root = open(path, O_PATH | O_DIRECTORY);
	mkdirat(root, "var", 0755);
	mkdirat(root, "var/tmp", 0755);
	fd = openat(root, "var/tmp/file", O_CREAT | O_WRONLY, 0644);
	close(fd);
	(void)!symlinkat("/var/tmp", root, "tmp");
	(void)!symlinkat("../../../../../../etc/passwd", root, "out");
	return root;
}

static void remove_root(int root, const char *path)
{
	unlinkat(root, "out", 0);
	unlinkat(root, "tmp", 0);
	unlinkat(root, "var/tmp/file", 0);
	unlinkat(root, "var/tmp", AT_REMOVEDIR);
	unlinkat(root, "var", AT_REMOVEDIR);
	close(root);
	rmdir(path);
}

static bool opens(int root, const char *path)
{
	int fd = root_open_at(root, path, O_RDONLY);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* As on kernels before 5.6, and in containers that filter it out. */
static bool take_away_openat2(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 4, .filter = code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void test_plain(int root)
{
	CHECK(opens(root, "var/tmp/file"));
	CHECK(opens(root, "/var/tmp/file"));
	CHECK(opens(root, "//var//tmp///file"));
	CHECK(opens(root, "/"));
	CHECK(!opens(root, "/var/none"));
	CHECK(!opens(root, "/var/tmp/file/x"));
	/* Neither leads out. */
	CHECK(!opens(root, "/out"));
	CHECK(!opens(root, "/../../../../../../etc/passwd"));
}

int main(void)
{
	char path[] = "/tmp/test_root.XXXXXX";
	int root = make_root(path);

	test_begin("paths");
	CHECK(root >= 0);
	test_plain(root);

	test_begin("links_are_followed_inside");
	CHECK(opens(root, "/tmp") == opens(root, "/tmp/file"));

	test_begin("paths_without_openat2");
	if (take_away_openat2()) {
		test_plain(root);
		CHECK(!opens(root, "/tmp"));
		CHECK(!opens(root, "/tmp/file"));
	}
	remove_root(root, path);
	return test_end();
}
