/* SPDX-License-Identifier: MIT */
/*
 * perform.c - do a part of a snapshot in a process of its own, within its time
 */
#include "snapshot/perform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/interrupt.h"

/* Between two looks at it, and at signals. */
#define LOOK_MS 20

/* For what ends early to bring home what it has. */
#define LAST_NS (15 * NS_PER_SECOND)

/* The child ------------------------------------------------------------------------------------ */

static _Noreturn void run(const struct job *j, int said)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), status;

	/* Ctrl-C on a terminal is for the parent, which passes it on. */
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	dup2(null, STDIN_FILENO);
	fflush(stdout);
	dup2(null, STDOUT_FILENO);
	dup2(said, STDERR_FILENO);
	if (fchdir(j->directory) < 0)
		_exit(EXIT_FAILED);
	status = j->work(j->ctx);
	fflush(NULL);
	_exit(status);
}

/* The parent ----------------------------------------------------------------------------------- */

/* Wait for its end.  False: it goes on. */
static bool await(pid_t pid, int process, int *status)
{
	struct pollfd p = { .fd = process, .events = POLLIN };

	/* Without a descriptor, which is never ready, it is looked at all the same. */
	poll(&p, 1, LOOK_MS);
	return waitpid(pid, status, WNOHANG) == pid;
}

static void end(pid_t pid, int *status)
{
	kill(pid, SIGKILL);
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
}

/* Its time is over, or a signal has come: ask it to end, if it can, and then end it. */
static void supervise(const struct job *j, pid_t pid, struct performed *p, int *status)
{
	int process = (int)syscall(SYS_pidfd_open, pid, 0);
	int64_t until = monotonic_now_ns() + j->limit_ns;
	bool was_asked = false;

	while (!await(pid, process, status)) {
		if (interrupt_noted() && !p->interrupted) {
			p->interrupted = true;
			until = was_asked ? until : 0;
		}
		if (monotonic_now_ns() < until)
			continue;
		p->is_late |= until != 0;
		if (j->ends_on_signal && !was_asked) {
			kill(pid, SIGINT);
			was_asked = true;
			until = monotonic_now_ns() + LAST_NS;
			continue;
		}
		end(pid, status);
		break;
	}
	if (process >= 0)
		close(process);
}

/* Without what every line begins with, and in one line. */
static void take_words(struct performed *p, int said)
{
	char text[2048];
	ssize_t n = pread(said, text, sizeof(text) - 1, 0);
	char *rest = text, *line;
	size_t len = 0;

	text[n > 0 ? n : 0] = '\0';
	while ((line = strsep(&rest, "\n")) != NULL && len + 2 < sizeof(p->said)) {
		if (strncmp(line, "jfrec: ", 7) == 0)
			line += 7;
		if (!*line)
			continue;
		len += (size_t)snprintf(p->said + len, sizeof(p->said) - len, "%s%s",
					len ? "; " : "", line);
	}
}

static void judge(const struct job *j, struct performed *p, int status)
{
	if (p->is_late && !WIFEXITED(status)) {
		p->status = EXIT_TIMEOUT;
		snprintf(p->said, sizeof(p->said), "it was not done within %lld ms",
			 (long long)(j->limit_ns / NS_PER_MS));
	} else if (WIFEXITED(status)) {
		p->status = WEXITSTATUS(status);
	} else {
		p->status = p->interrupted ? EXIT_INTERRUPTED : EXIT_FAILED;
		snprintf(p->said, sizeof(p->said),
			 p->interrupted ? "interrupted" : "its process was killed by signal %d",
			 WTERMSIG(status));
	}
}

void perform(const struct job *j, struct performed *p)
{
	int said = memfd_create("jfrec snapshot", MFD_CLOEXEC), status = 0;
	pid_t pid;

	*p = (struct performed){ .status = EXIT_FAILED };
	fflush(NULL);
	pid = said < 0 ? -1 : fork();
	if (pid == 0)
		run(j, said);
	if (pid > 0) {
		supervise(j, pid, p, &status);
		take_words(p, said);
		judge(j, p, status);
	} else {
		snprintf(p->said, sizeof(p->said), "cannot start a process: %s", strerror(errno));
	}
	if (said >= 0)
		close(said);
}
