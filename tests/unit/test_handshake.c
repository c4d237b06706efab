/* SPDX-License-Identifier: MIT */
/*
 * test_handshake.c - the handshake with a child that plays the JVM
 *
 * The child behaves as HotSpot does at SIGQUIT: if a trigger is there, it makes
 * its socket; else it counts a thread dump.  The files lie in the real /tmp.
 */
#include "attach/handshake.h"

#include "base/deadline.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum behaviour {
	NORMAL = 0,
	NO_HANDLER = 1,	   /* SIGQUIT would end it */
	DIES = 2,	   /* at SIGQUIT */
	OPENS_NOTHING = 4, /* takes SIGQUIT, and that is all */
	HAS_LISTENER = 8,  /* a thread of that name */
	OPENS_SOON = 16,   /* without being asked: another client did */
	LISTENS = 32,	   /* from the beginning */
	DELETED_CWD = 64,
};

/* Shared with the child. */
static struct {
	volatile bool ready;
	volatile int signals, dumps;
} * seen;

static struct jvm {
	pid_t pid;
	struct jvm_root root;
	char cwd[32];
} jvm;

/* The child ------------------------------------------------------------------------------------ */

static volatile sig_atomic_t quit;

static void on_quit(int sig)
{
	(void)sig;
	quit = 1;
}

static bool has_trigger(void)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), ".attach_pid%d", getpid());
	if (stat(path, &st) == 0)
		return st.st_uid == geteuid();
	snprintf(path, sizeof(path), "/tmp/.attach_pid%d", getpid());
	return stat(path, &st) == 0 && st.st_uid == geteuid();
}

static int listen_as(pid_t pid, const char *suffix)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "/tmp/.java_pid%d%s", pid, suffix);
	unlink(address.sun_path);
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    chmod(address.sun_path, 0600) < 0 || listen(fd, 0) < 0)
		abort();
	return fd;
}

static void open_socket(void)
{
	char before[64], after[64];

	listen_as(getpid(), ".tmp");
	snprintf(before, sizeof(before), "/tmp/.java_pid%d.tmp", getpid());
	snprintf(after, sizeof(after), "/tmp/.java_pid%d", getpid());
	rename(before, after);
}

static void take_signal(enum behaviour how)
{
	quit = 0;
	seen->signals++;
	if (how & DIES)
		_exit(0);
	if (how & OPENS_NOTHING)
		return;
	if (has_trigger())
		open_socket();
	else
		seen->dumps++;
}

static _Noreturn void play(enum behaviour how)
{
	struct sigaction action = { .sa_handler = on_quit };
	sigset_t block, open;

	sigemptyset(&block);
	sigaddset(&block, SIGQUIT);
	sigprocmask(SIG_BLOCK, &block, &open);
	if (!(how & NO_HANDLER))
		sigaction(SIGQUIT, &action, NULL);
	if (how & HAS_LISTENER)
		prctl(PR_SET_NAME, "Attach Listener");
	if (how & LISTENS)
		open_socket();
	seen->ready = true;
	if (how & OPENS_SOON) {
		usleep(50000);
		open_socket();
	}
	for (;;) {
		sigsuspend(&open);
		if (quit)
			take_signal(how);
	}
}

/* ---------------------------------------------------------------------------------------------- */

static void path_of(char path[64], const char *directory, const char *name)
{
	snprintf(path, 64, "%s/%s%d", directory, name, jvm.pid);
}

static bool exists(const char *directory, const char *name)
{
	char path[64];
	struct stat st;

	path_of(path, directory, name);
	return lstat(path, &st) == 0;
}

static void put_file(const char *directory, const char *name, mode_t mode)
{
	char path[64];
	int fd;

	path_of(path, directory, name);
	fd = open(path, O_WRONLY | O_CREAT, mode);
	close(fd);
}

static void remove_file(const char *directory, const char *name)
{
	char path[64];

	path_of(path, directory, name);
	unlink(path);
}

/* Also what a dead process of its number left. */
static void remove_left(void)
{
	remove_file("/tmp", ".java_pid");
	remove_file("/tmp", ".attach_pid");
}

static void start(const char *name, enum behaviour how)
{
	test_begin(name);
	seen->ready = false;
	seen->signals = seen->dumps = 0;
	snprintf(jvm.cwd, sizeof(jvm.cwd), "/tmp/jfrec-test-XXXXXX");
	if (!mkdtemp(jvm.cwd))
		abort();
	jvm.pid = fork();
	if (jvm.pid == 0) {
		jvm.pid = getpid();
		remove_left();
		if (chdir(jvm.cwd) < 0)
			abort();
		if (how & DELETED_CWD)
			rmdir(jvm.cwd);
		play(how);
	}
	while (!seen->ready)
		usleep(1000);
	CHECK_INT(jvm_root_open(&jvm.root, jvm.pid, 0, NULL, NULL), 0);
}

static void stop(void)
{
	CHECK_INT(seen->dumps, 0);
	jvm_root_close(&jvm.root);
	kill(jvm.pid, SIGKILL);
	waitpid(jvm.pid, NULL, 0);
	remove_left();
	remove_file(jvm.cwd, ".attach_pid");
	rmdir(jvm.cwd);
}

static const struct trace silent;

static void expect_start(int result, enum jfrec_code code, int signals)
{
	struct jfrec_error err = { 0 };

	CHECK_INT(handshake_start_listener(&jvm.root, deadline_in_ms(result ? 300 : 10000), false,
					   &silent, &err),
		  result);
	CHECK_INT(err.code, code);
	CHECK_INT(seen->signals, signals);
}

static void expect_connect(int result, enum jfrec_code code)
{
	struct jfrec_error err = { 0 };
	int fd = -1;

	CHECK_INT(handshake_connect(&jvm.root, deadline_in_ms(300), &silent, &fd, &err), result);
	CHECK_INT(err.code, code);
	if (result > 0)
		close(fd);
}

static void expect_trigger(const char *directory, bool is_there)
{
	CHECK(exists(directory, ".attach_pid") == is_there);
}

/* Starting the listener ------------------------------------------------------------------------ */

static void test_start(void)
{
	start("a_listener_is_started", NORMAL);
	expect_connect(0, JFREC_OK);
	expect_start(0, JFREC_OK, 1);
	expect_trigger(jvm.cwd, false);
	expect_connect(1, JFREC_OK);
	stop();

	start("one_that_listens_is_not_signalled", LISTENS);
	expect_start(0, JFREC_OK, 0);
	expect_trigger(jvm.cwd, false);
	stop();

	start("without_its_directory_the_trigger_is_in_tmp", DELETED_CWD);
	CHECK(jvm.root.cwd_deleted);
	expect_start(0, JFREC_OK, 1);
	expect_trigger("/tmp", false);
	stop();

	start("a_deleted_socket_comes_back", LISTENS | HAS_LISTENER);
	remove_file("/tmp", ".java_pid");
	expect_connect(0, JFREC_OK);
	expect_start(0, JFREC_OK, 1);
	expect_connect(1, JFREC_OK);
	stop();
}

static void test_refusals(void)
{
	start("one_that_would_die_is_not_signalled", NO_HANDLER);
	expect_start(-1, JFREC_EATTACH, 0);
	expect_trigger(jvm.cwd, false);
	CHECK(!process_has_exited(&jvm.root.process));
	stop();

	start("one_that_is_stopped_is_not_signalled", NORMAL);
	kill(jvm.pid, SIGSTOP);
	waitpid(jvm.pid, NULL, WUNTRACED);
	expect_start(-1, JFREC_EATTACH, 0);
	expect_trigger(jvm.cwd, false);
	kill(jvm.pid, SIGCONT);
	stop();

	start("one_that_dies_of_it_leaves_nothing", DIES);
	expect_start(-1, JFREC_EDIED, 1);
	expect_trigger(jvm.cwd, false);
	stop();

	start("one_that_opens_nothing", OPENS_NOTHING);
	expect_start(-1, JFREC_EATTACH, 1);
	expect_trigger(jvm.cwd, false);
	stop();

	start("whose_listener_may_still_look_keeps_the_trigger", OPENS_NOTHING | HAS_LISTENER);
	expect_start(-1, JFREC_EATTACH, 1);
	expect_trigger(jvm.cwd, true);
	stop();
}

/* Other clients and leftovers ------------------------------------------------------------------ */

static void test_others(void)
{
	start("another_client_is_at_it", OPENS_SOON);
	put_file(jvm.cwd, ".attach_pid", 0600);
	expect_start(0, JFREC_OK, 0);
	expect_trigger(jvm.cwd, true);
	stop();

	start("another_client_left_its_trigger", NORMAL);
	put_file(jvm.cwd, ".attach_pid", 0600);
	expect_start(0, JFREC_OK, 1);
	expect_trigger(jvm.cwd, true);
	stop();

	start("a_trigger_that_is_no_file", NORMAL);
	{
		char path[64];

		path_of(path, jvm.cwd, ".attach_pid");
		CHECK_INT(symlink("/nowhere", path), 0);
	}
	expect_start(-1, JFREC_EATTACH, 0);
	stop();

	if (geteuid() != 0)
		return;
	start("a_trigger_of_another_user", NORMAL);
	put_file(jvm.cwd, ".attach_pid", 0600);
	{
		char path[64];

		path_of(path, jvm.cwd, ".attach_pid");
		CHECK_INT(chown(path, 65534, 65534), 0);
	}
	expect_start(-1, JFREC_EATTACH, 0);
	stop();
}

/* Sockets -------------------------------------------------------------------------------------- */

static void test_sockets(void)
{
	char path[64];
	int fd;

	start("a_file_is_no_socket", NORMAL);
	put_file("/tmp", ".java_pid", 0600);
	expect_connect(-1, JFREC_EATTACH);
	expect_start(-1, JFREC_EATTACH, 0);
	stop();

	start("a_link_is_no_socket", LISTENS);
	path_of(path, "/tmp", ".java_pid");
	CHECK(unlink(path) == 0 && symlink("/tmp/elsewhere", path) == 0);
	expect_connect(-1, JFREC_EATTACH);
	stop();

	start("a_socket_open_to_all", LISTENS);
	path_of(path, "/tmp", ".java_pid");
	chmod(path, 0666);
	expect_connect(-1, JFREC_EATTACH);
	stop();

	start("a_socket_of_another_process", NORMAL);
	fd = listen_as(jvm.pid, "");
	expect_connect(-1, JFREC_EATTACH);
	close(fd);
	stop();

	start("a_socket_where_nobody_listens", NORMAL);
	close(listen_as(jvm.pid, ""));
	expect_connect(-1, JFREC_EATTACH);
	expect_start(0, JFREC_OK, 0);
	stop();
}

/* The child accepts nobody, and its queue has room for one. */
static void test_queue(void)
{
	struct jfrec_error err = { 0 };
	int fds[8], count = 0, got;

	start("a_full_queue", LISTENS);
	while (count < 8) {
		got = handshake_connect(&jvm.root, deadline_in_ms(50), &silent, &fds[count], &err);
		if (got <= 0)
			break;
		count++;
	}
	CHECK(count < 8);
	CHECK_INT(err.code, JFREC_ETIMEOUT);
	while (count)
		close(fds[--count]);
	stop();
}

int main(void)
{
	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		return 1;
	test_start();
	test_refusals();
	test_others();
	test_sockets();
	test_queue();
	return test_end();
}
