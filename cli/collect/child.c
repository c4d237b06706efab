/* SPDX-License-Identifier: MIT */
/*
 * child.c - wait for a child process, but not for long
 */
#include "collect/child.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock_now.h"

/* Between two looks, where the kernel has no pidfd. */
#define STEP_MS 20

bool child_wait(pid_t pid, int timeout_ms, int *status)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	int64_t end = monotonic_now_ns() + timeout_ms * NS_PER_MS, left;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	bool ended;

	do {
		left = end - monotonic_now_ns();
		left = left > 0 ? (left + NS_PER_MS - 1) / NS_PER_MS : 0;
		poll(&p, 1, fd < 0 && left > STEP_MS ? STEP_MS : (int)left);
		ended = waitpid(pid, status, WNOHANG) == pid;
	} while (!ended && left > 0);
	if (fd >= 0)
		close(fd);
	if (!ended) {
		kill(-pid, SIGKILL);
		waitpid(pid, status, 0);
	}
	return ended;
}
