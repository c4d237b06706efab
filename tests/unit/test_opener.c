/* SPDX-License-Identifier: MIT */
/*
 * test_opener.c - what belongs to another user is touched with his rights only
 *
 * As root, for a user that nobody is; otherwise for ourselves.
 */
#include "process/opener.h"

#include "base/deadline.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODYS 47110

static char path[] = "/tmp/jfrec-test-own-XXXXXX";
static uid_t user;
static int dir;
static struct opener own;
static struct opener_file seen;

static void make(const char *name, mode_t mode, uid_t uid)
{
	int fd = openat(dir, name, O_CREAT | O_EXCL | O_WRONLY, 0600);

	CHECK(fd >= 0 && write(fd, name, strlen(name)) > 0 && fchmod(fd, mode) == 0);
	CHECK(geteuid() != 0 || fchown(fd, uid, uid) == 0);
	close(fd);
}

static int make_socket(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s", path, name);
	CHECK(bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0 && listen(fd, 5) == 0);
	CHECK(fchownat(dir, name, user, user, 0) == 0);
	return fd;
}

static void make_world(void)
{
	CHECK(mkdtemp(path) != NULL);
	dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	CHECK(chmod(path, 0755) == 0 && chown(path, user, user) == 0);
	make("mine", 0600, user);
	make("roots", 0644, 0);
	make("secret", 0600, 0);
	make("others", 0644, NOBODYS + 1);
	CHECK(symlinkat("roots", dir, "link") == 0 && mkfifoat(dir, "fifo", 0666) == 0);
	CHECK(mkdirat(dir, "sub", 0755) == 0 && fchownat(dir, "sub", user, user, 0) == 0);
	CHECK(symlinkat("sub", dir, "linked") == 0);
	make("sub/inner", 0600, user);
	CHECK(symlinkat("/etc", dir, "out") == 0);
}

static void remove_world(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", path);
	CHECK(system(command) == 0);
	close(dir);
}

/* Does a try to open it fail so? */
static bool fails(const char *name, int error)
{
	struct jfrec_error err = { 0 };
	int fd = opener_open_file(&own, dir, name, 0, NULL, &err), got = errno;

	if (fd >= 0)
		close(fd);
	if (fd >= 0 || got != error)
		printf("# %s: %d, %s (%s)\n", name, fd, strerror(got), err.text);
	return fd < 0 && got == error && *err.text;
}

static void test_files(void)
{
	char bytes[16];
	int fd;

	test_begin("a_file_of_the_user_is_opened");
	fd = opener_open_file(&own, dir, "mine", 0, &seen, NULL);
	CHECK(read(fd, bytes, sizeof(bytes)) == 4 && memcmp(bytes, "mine", 4) == 0);
	CHECK_INT(seen.size, 4);
	CHECK_INT(seen.uid, user);
	CHECK((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY && fcntl(fd, F_GETFD) == FD_CLOEXEC);
	close(fd);

	test_begin("a_file_of_root_is_opened");
	fd = opener_open_file(&own, dir, "roots", 0, &seen, NULL);
	CHECK(fd >= 0);
	close(fd);

	test_begin("what_is_no_file_is_not_opened");
	CHECK(fails("fifo", EMEDIUMTYPE));
	CHECK(fails("sub", EMEDIUMTYPE));
	CHECK(fails("nothing", ENOENT));
	CHECK(fails("", ENOENT));

	test_begin("links_are_not_followed");
	CHECK(fails("link", ELOOP));
	CHECK(fails("linked/inner", ENOTDIR) || fails("linked/inner", ELOOP));
	CHECK(fails("sub/../mine", ELOOP));
	CHECK(fails("/link", ELOOP));
	/* It would lead out of the root; without openat2() no link leads anywhere. */
	CHECK(fails("/out/passwd", ENOENT) || fails("/out/passwd", ENOTDIR));

	test_begin("files_of_proc_are_not_opened");
	fd = open("/proc/self", O_PATH | O_DIRECTORY);
	CHECK(opener_open_file(&own, fd, "status", OPENER_ANYBODYS, NULL, NULL) < 0 &&
	      errno == EMEDIUMTYPE);
	close(fd);
}

static void test_others(void)
{
	int fd;

	if (geteuid() != 0)
		return;
	test_begin("what_the_user_may_not_read_is_denied_to_root");
	CHECK(fails("secret", EACCES));

	test_begin("what_belongs_to_a_third_is_not_opened_unless_asked_for");
	CHECK(fails("others", EPERM));
	fd = opener_open_file(&own, dir, "others", OPENER_ANYBODYS, NULL, NULL);
	CHECK(fd >= 0);
	close(fd);
}

static void test_directories(void)
{
	char *text;
	size_t len;
	int fd;

	test_begin("a_directory_only_stands_for_itself");
	fd = opener_open_directory(&own, dir, "sub", 0, &seen, NULL);
	CHECK(fd >= 0 && S_ISDIR(seen.mode) && openat(fd, "..", O_RDONLY) >= -1);
	CHECK((fcntl(fd, F_GETFL) & O_PATH) != 0);
	text = opener_read(&own, fd, "inner", 0, 100, &len, NULL);
	CHECK(text && len == 9 && strcmp(text, "sub/inner") == 0);
	free(text);
	close(fd);

	test_begin("no_more_is_read_than_wanted");
	CHECK(!opener_read(&own, dir, "mine", 0, 3, &len, NULL) && errno == EFBIG);

	test_begin("a_link_to_a_directory_is_none");
	CHECK(opener_open_directory(&own, dir, "linked", 0, NULL, NULL) < 0 && errno == ELOOP);
	CHECK(opener_open_directory(&own, dir, "mine", 0, NULL, NULL) < 0 && errno == EMEDIUMTYPE);

	test_begin("something_is_looked_at_without_being_opened");
	CHECK(opener_look(&own, dir, "link", &seen, NULL) == 1 && S_ISLNK(seen.mode));
	CHECK(opener_look(&own, dir, "fifo", &seen, NULL) == 1 && S_ISFIFO(seen.mode));
	CHECK(opener_look(&own, dir, "nothing", &seen, NULL) == 0);
}

static int count(void *ctx, const char *name, const struct opener_file *f)
{
	struct opener_file again;

	CHECK(opener_look(&own, dir, name, &again, NULL) == 1 && again.ino == f->ino);
	return ++*(int *)ctx == 1000 ? -7 : 0;
}

static int only_count(void *ctx, const char *name, const struct opener_file *f)
{
	CHECK(*name && S_ISREG(f->mode));
	++*(int *)ctx;
	return 0;
}

static void test_lists(void)
{
	int n = 0, big, many = 990;
	char name[64];

	test_begin("a_directory_is_listed");
	CHECK_INT(opener_list(&own, dir, 100, count, &n, NULL), 0);
	CHECK_INT(n, 9);
	n = 0;
	CHECK_INT(opener_list(&own, dir, 3, count, &n, NULL), 1);
	CHECK_INT(n, 3);
	CHECK_INT(opener_list(&own, dir, 100, count, &many, NULL), 0);
	many = 997;
	CHECK_INT(opener_list(&own, dir, 100, count, &many, NULL), -7);

	test_begin("a_list_takes_many_messages");
	big = opener_open_directory(&own, dir, "sub", 0, NULL, NULL);
	for (int i = 0; i < 2000; i++) {
		snprintf(name, sizeof(name), "sub/%048d", i);
		close(openat(dir, name, O_CREAT | O_WRONLY, 0600));
	}
	n = 0;
	CHECK_INT(opener_list(&own, big, 3000, only_count, &n, NULL), 0);
	CHECK_INT(n, 2001);
	close(big);
}

static void test_removing(void)
{
	struct opener_file other;

	test_begin("only_what_was_seen_is_removed");
	CHECK(opener_look(&own, dir, "roots", &other, NULL) == 1);
	CHECK(opener_look(&own, dir, "mine", &seen, NULL) == 1);
	CHECK(opener_remove(&own, dir, "mine", &other, NULL) < 0 && errno == ESTALE);
	CHECK(opener_remove(&own, dir, "sub/inner", &seen, NULL) < 0 && errno == EINVAL);
	CHECK(opener_remove(&own, dir, "..", &seen, NULL) < 0 && errno == EINVAL);
	CHECK(opener_look(&own, dir, "link", &other, NULL) == 1);
	CHECK(opener_remove(&own, dir, "link", &other, NULL) < 0 && errno == EMEDIUMTYPE);
	CHECK_INT(opener_remove(&own, dir, "mine", &seen, NULL), 0);
	CHECK(opener_look(&own, dir, "mine", &seen, NULL) == 0);

	if (geteuid() != 0)
		return;
	test_begin("what_is_not_the_users_is_not_removed");
	CHECK(opener_look(&own, dir, "roots", &seen, NULL) == 1);
	CHECK(opener_remove(&own, dir, "roots", &seen, NULL) < 0 && errno == EPERM);
	make("again", 0600, user);
	CHECK(opener_look(&own, dir, "again", &seen, NULL) == 1 && chown(path, 0, 0) == 0 &&
	      chmod(path, 0777) == 0);
	CHECK(opener_remove(&own, dir, "again", &seen, NULL) < 0 && errno == EPERM);
	CHECK(chmod(path, 01777) == 0);
	CHECK_INT(opener_remove(&own, dir, "again", &seen, NULL), 0);
	CHECK(chown(path, user, user) == 0);
}

static void test_sockets(void)
{
	int listener = make_socket("socket"), fd = opener_connect(&own, dir, "socket", &seen, NULL);
	struct ucred peer;
	socklen_t len = sizeof(peer);
	int accepted;

	test_begin("a_socket_is_connected_to_as_the_user");
	CHECK(fd >= 0 && S_ISSOCK(seen.mode));
	accepted = accept(listener, NULL, NULL);
	CHECK(getsockopt(accepted, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0);
	CHECK_INT(peer.uid, user);
	CHECK(opener_connect(&own, dir, "fifo", &seen, NULL) < 0 && errno == EMEDIUMTYPE);
	CHECK(symlinkat("socket", dir, "to-socket") == 0);
	CHECK(opener_connect(&own, dir, "to-socket", &seen, NULL) < 0 && errno == ELOOP);
	close(fd);
	close(accepted);
	close(listener);
	CHECK(opener_connect(&own, dir, "socket", &seen, NULL) < 0 && errno == ECONNREFUSED);
}

/* As the user: can the helper be stopped, traced, looked into? */
static int attack(void)
{
	char name[64];
	int fd;

	if (setresgid(user, user, user) < 0 || setresuid(user, user, user) < 0)
		return 99;
	if (kill(own.pid, SIGKILL) == 0)
		return 1;
	if (ptrace(PTRACE_ATTACH, own.pid, NULL, NULL) == 0)
		return 2;
	snprintf(name, sizeof(name), "/proc/%d/fd", own.pid);
	if ((fd = open(name, O_RDONLY)) >= 0)
		return 3;
	snprintf(name, sizeof(name), "/proc/%d/environ", own.pid);
	if ((fd = open(name, O_RDONLY)) >= 0)
		return 4;
	snprintf(name, sizeof(name), "/proc/%d/mem", own.pid);
	if ((fd = open(name, O_RDWR)) >= 0)
		return 5;
	return 0;
}

static bool status_has(pid_t pid, const char *line)
{
	char command[128];

	snprintf(command, sizeof(command), "grep -q '^%s' /proc/%d/status", line, pid);
	return system(command) == 0;
}

static void test_identity(void)
{
	char line[64];
	int status = -1;
	pid_t pid;

	if (geteuid() != 0)
		return;
	test_begin("the_child_can_never_be_root_again");
	CHECK(status_has(own.pid, "CapEff:.0000000000000000"));
	CHECK(status_has(own.pid, "CapPrm:.0000000000000000"));
	CHECK(status_has(own.pid, "CapInh:.0000000000000000"));
	CHECK(status_has(own.pid, "NoNewPrivs:.1"));
	CHECK(status_has(own.pid, "Groups:. *$"));
	CHECK(!status_has(own.pid, "Uid:.*[[:space:]]0[[:space:]]"));
	snprintf(line, sizeof(line), "Uid:.*[[:space:]]%u[[:space:]]", user);
	CHECK(status_has(own.pid, line));
	snprintf(line, sizeof(line), "Gid:.%u.%u.%u.%u", user, user, user, user);
	CHECK(status_has(own.pid, line));

	test_begin("the_user_cannot_touch_the_child");
	pid = fork();
	if (pid == 0)
		_exit(attack());
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_INT(WEXITSTATUS(status), 0);
	CHECK(opener_look(&own, dir, "sub", &seen, NULL) == 1);
}

static void test_deadline(void)
{
	struct jfrec_error err;
	int64_t begin = deadline_now();

	test_begin("a_child_that_hangs_is_given_up");
	CHECK(kill(own.pid, SIGSTOP) == 0);
	CHECK(opener_look(&own, dir, "sub", &seen, &err) < 0 && errno == ETIMEDOUT);
	CHECK_INT(err.code, JFREC_ETIMEOUT);
	CHECK(deadline_now() - begin < (int64_t)(OPENER_PATIENCE_MS + 1500) * 1000000);
	begin = deadline_now();
	CHECK(opener_look(&own, dir, "sub", &seen, NULL) < 0 && errno == ETIMEDOUT);
	opener_stop(&own);
	CHECK(deadline_now() - begin < 500000000);
}

static void test_process(void)
{
	struct process self;
	int fd = openat(dir, "sub", O_TMPFILE | O_RDWR, 0600), got;

	test_begin("what_a_process_has_open_is_opened_without_its_name");
	CHECK(process_open(&self, getpid(), 0, NULL) == 0 && opener_start(&own, &self, NULL) == 0);
	CHECK(write(fd, "nameless", 8) == 8);
	got = opener_open_descriptor(&own, &self, fd, 0, &seen, NULL);
	CHECK(got >= 0 && seen.size == 8 && seen.links == 0);
	close(got);
	CHECK(opener_open_descriptor(&own, &self, dir, 0, &seen, NULL) < 0 && errno == EMEDIUMTYPE);
	opener_stop(&own);
	process_close(&self);
	close(fd);
}

int main(void)
{
	user = geteuid() == 0 ? NOBODYS : geteuid();
	test_begin("a_child_is_started_for_a_user");
	CHECK_INT(opener_start_user(&own, user, geteuid() == 0 ? user : getegid(), NULL), 0);
	make_world();
	test_files();
	test_others();
	test_directories();
	test_lists();
	test_removing();
	test_sockets();
	test_identity();
	test_deadline();
	test_process();
	remove_world();
	return test_end();
}
