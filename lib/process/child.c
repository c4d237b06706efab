/* SPDX-License-Identifier: MIT */
/*
 * child.c - run code that may hang, or needs other rights, in a child process
 */
#include "process/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/deadline.h"

/* Beginning ------------------------------------------------------------------------------------ */

pid_t child_fork(void)
{
	sigset_t all, before;
	pid_t pid;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	pid = fork();
	if (pid != 0)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	return pid;
}

/* Make room for the standard streams, should the parent have closed them. */
static int move_up(int fd)
{
	return fd >= 0 && fd <= STDERR_FILENO ? fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : fd;
}

static bool is_kept(int fd, int *const fds[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (*fds[i] == fd)
			return true;
	}
	return false;
}

static void close_standard(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (null < 0)
			close(fd);
		else if (null != fd)
			dup2(null, fd);
	}
}

static void close_all_but(int *const fds[], size_t count)
{
	const struct dirent *entry;
	DIR *open_ones;

	close_standard();
	open_ones = opendir("/proc/self/fd");
	while (open_ones && (entry = readdir(open_ones)) != NULL) {
		int fd = atoi(entry->d_name);

		if (fd > STDERR_FILENO && fd != dirfd(open_ones) && !is_kept(fd, fds, count))
			close(fd);
	}
	if (open_ones)
		closedir(open_ones);
}

void child_let_go(int *const fds[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		*fds[i] = move_up(*fds[i]);
	close_all_but(fds, count);
	setsid();
	(void)!chdir("/");
	umask(077);
	prctl(PR_SET_NAME, "jfrec-helper");
}

/* Ending --------------------------------------------------------------------------------------- */

/* Those that were given up and had not ended; more than that stay zombies until we end. */
#define MAX_GIVEN_UP 64

/* How long one is waited for when there are more. */
#define FULL_MS 100

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t given_up[MAX_GIVEN_UP];

static bool has_ended(pid_t pid)
{
	pid_t got;

	do {
		got = waitpid(pid, NULL, WNOHANG);
	} while (got < 0 && errno == EINTR);
	return got != 0;
}

static void wait_for_given_up(void)
{
	for (size_t i = 0; i < MAX_GIVEN_UP; i++) {
		if (given_up[i] && has_ended(given_up[i]))
			given_up[i] = 0;
	}
}

static void pause_ms(long ms)
{
	const struct timespec t = { .tv_nsec = ms * 1000000 };

	nanosleep(&t, NULL);
}

bool child_await(pid_t pid, int ms)
{
	int64_t deadline = deadline_in_ms(ms);
	struct pollfd p = { .events = POLLIN };

	if (has_ended(pid))
		return true;
	p.fd = (int)syscall(SYS_pidfd_open, pid, 0);
	while (!has_ended(pid) && deadline_left_ms(deadline) > 0) {
		if (p.fd >= 0)
			poll(&p, 1, deadline_left_ms(deadline));
		else
			pause_ms(1);
	}
	if (p.fd >= 0)
		close(p.fd);
	return has_ended(pid);
}

void child_give_up(pid_t pid, bool kill_it)
{
	bool is_noted = false;

	if (kill_it)
		kill(pid, SIGKILL);
	pthread_mutex_lock(&lock);
	wait_for_given_up();
	for (size_t i = 0; i < MAX_GIVEN_UP && !is_noted; i++) {
		if (!given_up[i]) {
			given_up[i] = pid;
			is_noted = true;
		}
	}
	pthread_mutex_unlock(&lock);
	/* Too many to remember: one that nothing holds ends at once. */
	if (!is_noted)
		child_await(pid, FULL_MS);
}

/* Messages ------------------------------------------------------------------------------------- */

bool child_send(int channel, const void *message, size_t size, int fd)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec part = { .iov_base = (void *)message, .iov_len = size };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };
	ssize_t n;

	if (fd >= 0) {
		m.msg_control = control;
		m.msg_controllen = sizeof(control);
		*CMSG_FIRSTHDR(&m) = (struct cmsghdr){
			.cmsg_len = CMSG_LEN(sizeof(int)),
			.cmsg_level = SOL_SOCKET,
			.cmsg_type = SCM_RIGHTS,
		};
		memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &fd, sizeof(fd));
	}
	do {
		n = sendmsg(channel, &m, MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	return n == (ssize_t)size;
}

static int descriptor_of(struct msghdr *m)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(m);
	int fd = -1;

	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
	    c->cmsg_len >= CMSG_LEN(sizeof(fd)))
		memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return fd;
}

ssize_t child_receive(int channel, void *message, size_t room, int *fd)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
	struct iovec part = { .iov_base = message, .iov_len = room };
	struct msghdr m = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	ssize_t n;

	do {
		n = recvmsg(channel, &m, MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	*fd = n > 0 ? descriptor_of(&m) : -1;
	return n;
}
