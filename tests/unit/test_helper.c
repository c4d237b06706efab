/* SPDX-License-Identifier: MIT */
/*
 * test_helper.c - the process that acts for us and clears up, without a JVM
 *
 * A child plays the JVM: it listens at its attach socket, keeps what it is sent,
 * and answers when it is told to.  Another child is the client, to be killed.
 */
#include "attach/helper.h"

#include "base/deadline.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* Shared by all processes. */
static struct {
	volatile bool listening, may_answer, client_is_ready;
	volatile int requests;
	volatile pid_t helper;
	char request[256]; /* the last one, NUL as '|' */
} * seen;

static pid_t jvm;
static char path[64], path2[64];
static const struct trace silent;

/* The JVM -------------------------------------------------------------------------------------- */

static void wait_for(volatile bool *what)
{
	while (!*what)
		usleep(1000);
}

static void serve(int fd)
{
	ssize_t n = read(fd, seen->request, sizeof(seen->request) - 1);

	for (ssize_t i = 0; i < n; i++)
		seen->request[i] = seen->request[i] ? seen->request[i] : '|';
	seen->request[n > 0 ? n : 0] = '\0';
	if (n > 0)
		seen->requests++;
	wait_for(&seen->may_answer);
	if (write(fd, "0\n", 2) < 0)
		return;
}

static _Noreturn void play_jvm(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0), one;

	signal(SIGPIPE, SIG_IGN);
	snprintf(address.sun_path, sizeof(address.sun_path), "/tmp/.java_pid%d", getpid());
	unlink(address.sun_path);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    chmod(address.sun_path, 0600) < 0 || listen(fd, 5) < 0)
		_exit(1);
	seen->listening = true;
	while ((one = accept(fd, NULL, NULL)) >= 0) {
		serve(one);
		close(one);
	}
	_exit(1);
}

static void start(const char *name)
{
	test_begin(name);
	seen->listening = seen->client_is_ready = false;
	seen->may_answer = true;
	seen->requests = 0;
	seen->helper = 0;
	seen->request[0] = '\0';
	jvm = fork();
	if (jvm == 0)
		play_jvm();
	wait_for(&seen->listening);
	snprintf(path, sizeof(path), "/tmp/jfrec-test-%d", jvm);
	snprintf(path2, sizeof(path2), "/tmp/jfrec-test-%d-2", jvm);
}

static bool exists(const char *name)
{
	struct stat st;

	return lstat(name, &st) == 0;
}

static bool comes_true(bool (*is)(void))
{
	for (int i = 0; i < 5000 && !is(); i++)
		usleep(1000);
	return is();
}

static void stop(void)
{
	char socket_path[64];

	kill(jvm, SIGKILL);
	waitpid(jvm, NULL, 0);
	snprintf(socket_path, sizeof(socket_path), "/tmp/.java_pid%d", jvm);
	unlink(socket_path);
	unlink(path);
	unlink(path2);
}

/* The client ----------------------------------------------------------------------------------- */

static struct jvm_root root;
static struct helper helper;

static void open_helper(void)
{
	struct jfrec_error err = { 0 };

	CHECK_INT(jvm_root_open(&root, jvm, 0, NULL, &err), 0);
	CHECK_INT(helper_start(&helper, &root, &err), 0);
	CHECK_TEXT(err.text, strlen(err.text), "");
	seen->helper = helper.pid;
}

static void close_helper(void)
{
	helper_stop(&helper);
	jvm_root_close(&root);
}

static int call(enum helper_op op, const char *text, int *fd)
{
	struct helper_request q = { .op = op, .deadline = deadline_in_ms(5000) };
	struct jfrec_error err;
	int ignored;

	snprintf(q.text, sizeof(q.text), "%s", text);
	return helper_call(&helper, &q, &silent, fd ? fd : &ignored, &err);
}

/* Run in a process of its own, up to the point where it waits to be killed. */
static pid_t run_client(void (*fn)(void))
{
	pid_t pid = fork();

	if (pid == 0) {
		open_helper();
		fn();
		seen->client_is_ready = true;
		for (;;)
			pause();
	}
	wait_for(&seen->client_is_ready);
	return pid;
}

static void kill_client(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static bool file_is_gone(void)
{
	return !exists(path);
}

static bool helper_is_gone(void)
{
	char name[32];

	snprintf(name, sizeof(name), "/proc/%d/fd/0", seen->helper);
	return !exists(name);
}

static bool command_has_come(void)
{
	return seen->requests == 1;
}

/* ---------------------------------------------------------------------------------------------- */

static void test_files(void)
{
	struct stat st;
	int fd = -1;

	start("files_are_made_opened_and_removed");
	open_helper();
	CHECK_INT(call(HELPER_CREATE, path, &fd), 0);
	CHECK(fd >= 0 && write(fd, "x", 1) == 1 && fstat(fd, &st) == 0 &&
	      (st.st_mode & 0777) == 0600);
	close(fd);
	CHECK_INT(call(HELPER_CREATE, path, &fd), -1);
	CHECK_INT(call(HELPER_OPEN, path, &fd), 0);
	CHECK(fd >= 0 && fcntl(fd, F_GETFD) == FD_CLOEXEC);
	close(fd);
	CHECK_INT(call(HELPER_OPEN_DIRECTORY, "/tmp", &fd), 0);
	CHECK(fd >= 0);
	close(fd);
	CHECK_INT(call(HELPER_REMOVE, path, NULL), 0);
	CHECK(file_is_gone());
	CHECK_INT(call(HELPER_REMOVE, path, NULL), 0);
	close_helper();
	stop();
}

static void test_paths(void)
{
	start("links_and_odd_paths_are_refused");
	open_helper();
	CHECK_INT(symlink("/etc/passwd", path), 0);
	CHECK_INT(call(HELPER_OPEN, path, NULL), -1);
	CHECK_INT(call(HELPER_CREATE, path, NULL), -1);
	CHECK_INT(call(HELPER_OPEN, "/dev/null", NULL), -1);
	CHECK_INT(call(HELPER_OPEN, "/tmp", NULL), -1);
	CHECK_INT(call(HELPER_OPEN, "relative", NULL), -1);
	CHECK_INT(call(HELPER_OPEN, "", NULL), -1);
	CHECK_INT(call(HELPER_REMOVE, "/tmp/..", NULL), -1);
	CHECK_INT(call(HELPER_REMOVE, "/", NULL), -1);
	close_helper();
	stop();
}

static void make_two_files(void)
{
	int fd;

	call(HELPER_CREATE, path, &fd);
	close(fd);
	call(HELPER_CREATE, path2, &fd);
	close(fd);
}

static void test_kept_files(void)
{
	start("what_is_kept_goes_with_the_session");
	open_helper();
	make_two_files();
	CHECK(exists(path) && exists(path2));
	close_helper();
	CHECK(!exists(path) && !exists(path2));
	stop();

	start("what_is_forgotten_stays");
	open_helper();
	make_two_files();
	{
		struct helper_request q = { .op = HELPER_FORGET, .number = 0 };
		int fd;

		helper_call(&helper, &q, &silent, &fd, NULL);
	}
	close_helper();
	CHECK(exists(path) && !exists(path2));
	stop();
}

static void test_killed_client(void)
{
	pid_t client;

	start("a_killed_client_leaves_nothing");
	client = run_client(make_two_files);
	CHECK(exists(path) && exists(path2));
	kill_client(client);
	CHECK(comes_true(file_is_gone) && !exists(path2));
	CHECK(comes_true(helper_is_gone));
	stop();
}

static void keep_command(void)
{
	call(HELPER_KEEP_COMMAND, "JFR.stop name=7", NULL);
}

static void test_command(void)
{
	pid_t client;

	start("a_killed_client_has_its_command_run");
	client = run_client(keep_command);
	kill_client(client);
	CHECK(comes_true(command_has_come));
	CHECK(comes_true(helper_is_gone));
	CHECK_TEXT(seen->request, strlen(seen->request), "1|jcmd|JFR.stop name=7|||");
	stop();
}

/* The JVM is about to make a file, and will be when the client is dead. */
static void begin_command(void)
{
	int fd = -1;

	call(HELPER_KEEP_FILE, path, NULL);
	call(HELPER_CONNECT, "", &fd);
	if (send(fd, "1\0jcmd\0JFR.dump", 15, MSG_NOSIGNAL) < 0)
		abort();
}

static void test_late_file(void)
{
	pid_t client;

	start("a_file_that_the_jvm_makes_later_goes_too");
	seen->may_answer = false;
	client = run_client(begin_command);
	kill_client(client);
	usleep(100000);
	close(open(path, O_WRONLY | O_CREAT, 0600));
	usleep(50000);
	CHECK(exists(path));
	seen->may_answer = true;
	CHECK(comes_true(file_is_gone));
	stop();
}

/* Closing does not wait for a JVM that is not done. */
static void test_late_file_of_a_session(void)
{
	start("closing_does_not_wait_for_the_jvm");
	seen->may_answer = false;
	open_helper();
	begin_command();
	close_helper();
	/* What looked at the JVM may still be about to end (child.h). */
	CHECK(waitpid(seen->helper, NULL, WNOHANG) < 0 && errno == ECHILD);
	close(open(path, O_WRONLY | O_CREAT, 0600));
	seen->may_answer = true;
	CHECK(comes_true(file_is_gone));
	stop();
}

static void test_descriptors(void)
{
	int ends[2];
	char c;

	start("a_pipe_of_the_client_is_not_held");
	if (pipe(ends) < 0)
		abort();
	open_helper();
	close(ends[1]);
	CHECK_INT(read(ends[0], &c, 1), 0);
	close(ends[0]);
	close_helper();
	stop();
}

static void test_signals(void)
{
	start("the_helper_is_deaf");
	open_helper();
	kill(helper.pid, SIGINT);
	kill(helper.pid, SIGTERM);
	kill(helper.pid, SIGHUP);
	kill(helper.pid, SIGPIPE);
	CHECK(getsid(helper.pid) == helper.pid);
	CHECK_INT(call(HELPER_CREATE, path, NULL), 0);
	close_helper();
	CHECK(file_is_gone());
	stop();

	start("a_killed_helper_is_told");
	open_helper();
	kill(helper.pid, SIGKILL);
	CHECK_INT(call(HELPER_CREATE, path, NULL), -1);
	close_helper();
	stop();
}

int main(void)
{
	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		return 1;
	test_files();
	test_paths();
	test_kept_files();
	test_killed_client();
	test_command();
	test_late_file();
	test_late_file_of_a_session();
	test_descriptors();
	test_signals();
	return test_end();
}
