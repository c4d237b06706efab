/* SPDX-License-Identifier: MIT */
/* test_process.c - one process, and never another that got its number */
#include "process/process.h"

#include "test.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that waits to be killed; it catches SIGQUIT, and has a name that lies. */
static pid_t start_child(void)
{
	int ready[2];
	char byte = 0;
	pid_t pid;

	if (pipe(ready) < 0 || (pid = fork()) < 0)
		exit(99);
	if (pid > 0) {
		close(ready[1]);
		(void)!read(ready[0], &byte, 1);
		close(ready[0]);
		return pid;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, ") Z 1 (\n)");
	signal(SIGQUIT, exit);
	(void)!write(ready[1], &byte, 1);
	for (;;)
		pause();
}

static void wait_for_state(struct process *p, char state)
{
	for (int i = 0; i < 1000 && p->status.state != state; i++) {
		usleep(5000);
		process_refresh(p, NULL);
	}
	CHECK_INT(p->status.state, state);
}

static void test_child(void)
{
	struct jfrec_error err;
	struct process p, again;
	pid_t pid = start_child();
	size_t len;
	char *text;

	test_begin("a_child");
	CHECK_INT(process_open(&p, pid, 0, &err), 0);
	CHECK_INT(p.pid, pid);
	CHECK_INT(p.status.euid, geteuid());
	CHECK_INT(p.status.egid, getegid());
	CHECK(p.start_ticks > 0);
	CHECK(process_catches_quit(&p));
	CHECK(process_has_thread(&p, ") Z 1 (\n)"));
	CHECK(!process_has_thread(&p, ") Z 1 ("));
	CHECK(!process_has_exited(&p));
	text = process_read(&p, "comm", 3, &len);
	CHECK(text && len == 3 && strcmp(text, ") Z") == 0);
	free(text);

	test_begin("the_same_by_its_start_time");
	CHECK_INT(process_open(&again, pid, p.start_ticks, &err), 0);
	process_close(&again);
	CHECK_INT(process_open(&again, pid, p.start_ticks + 1, &err), -1);
	CHECK_INT(err.code, JFREC_ENOJVM);
	process_close(&again);

	test_begin("stopped");
	CHECK_INT(process_signal(&p, SIGSTOP), 0);
	wait_for_state(&p, 'T');
	CHECK(process_is_stopped(&p));
	CHECK_INT(process_signal(&p, SIGCONT), 0);
	wait_for_state(&p, 'S');
	CHECK(!process_is_stopped(&p));

	test_begin("ended_and_not_noticed");
	CHECK_INT(process_signal(&p, SIGKILL), 0);
	for (int i = 0; i < 1000 && !process_has_exited(&p); i++)
		usleep(5000);
	CHECK(process_has_exited(&p));
	CHECK_INT(process_refresh(&p, &err), -1);
	CHECK_INT(err.code, JFREC_EDIED);
	CHECK(process_is_zombie(&p));

	test_begin("gone");
	waitpid(pid, NULL, 0);
	CHECK(process_has_exited(&p));
	CHECK_INT(process_refresh(&p, &err), -1);
	CHECK_INT(err.code, JFREC_EDIED);
	CHECK_INT(process_signal(&p, SIGTERM), -1);
	CHECK_INT(errno, ESRCH);
	CHECK_INT(process_open(&again, pid, 0, &err), -1);
	CHECK_INT(err.code, JFREC_ENOJVM);
	process_close(&p);
}

/* As on kernels before 5.3, and where pidfd_open() is filtered out. */
static void test_without_pidfd(void)
{
	pid_t pid = start_child();
	struct process p;

	test_begin("without_pidfd");
	CHECK_INT(process_open(&p, pid, 0, NULL), 0);
	if (p.pid_fd >= 0)
		close(p.pid_fd);
	p.pid_fd = -1;
	CHECK(!process_has_exited(&p));
	CHECK_INT(process_signal(&p, SIGKILL), 0);
	for (int i = 0; i < 1000 && !process_has_exited(&p); i++)
		usleep(5000);
	CHECK(process_has_exited(&p));
	CHECK_INT(process_signal(&p, SIGKILL), -1);
	CHECK_INT(errno, ESRCH);
	waitpid(pid, NULL, 0);
	process_close(&p);
}

/* Until it ends this process has no system call to send a signal by a descriptor. */
static bool forbid_pidfd_send_signal(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_send_signal, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = 4, .filter = filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* As valgrind 3.24 and some sandboxes have it.  In a child, since it cannot be undone. */
static void test_pidfd_without_signals(void)
{
	pid_t pid = start_child(), judge;
	struct process p;
	int status;

	test_begin("a_descriptor_that_takes_no_signals");
	judge = fork();
	if (judge == 0) {
		if (!forbid_pidfd_send_signal())
			_exit(2);
		if (process_open(&p, pid, 0, NULL) == 0 && p.pid_fd < 0)
			_exit(2);
		_exit(p.pid_fd < 0 || process_signal(&p, SIGKILL) != 0);
	}
	CHECK_INT(waitpid(judge, &status, 0), judge);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
		kill(pid, SIGKILL); /* no filters or no descriptors: there is nothing to be seen */
	else
		CHECK_INT(status, 0);
	for (int i = 0; i < 2000 && waitpid(pid, NULL, WNOHANG) == 0; i++)
		usleep(5000);
	CHECK(kill(pid, 0) < 0);
}

int main(void)
{
	struct jfrec_error err;
	struct process p = PROCESS_NONE;

	test_child();
	test_without_pidfd();
	test_pidfd_without_signals();

	test_begin("no_such_pid");
	CHECK_INT(process_open(&p, -1, 0, &err), -1);
	CHECK_INT(err.code, JFREC_ENOJVM);
	CHECK_INT(process_open(&p, 0, 0, NULL), -1);
	CHECK_INT(process_open(&p, INT32_MAX, 0, &err), -1);
	CHECK_INT(err.code, JFREC_ENOJVM);

	test_begin("what_was_never_opened_can_be_closed");
	process_close(&p);
	process_close(&p);
	return test_end();
}
