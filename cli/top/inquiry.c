/* SPDX-License-Identifier: MIT */
/*
 * inquiry.c - ask in a child, which may take its time, or read what a stranger wrote
 */
#include "top/inquiry.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/screen.h"

/* More than any answer takes: it comes from a child that read what a stranger wrote. */
#define MOST_TEXT ((size_t)4 << 20)

/*
 * JVMs come first; but where they take all processors, which is when one wants to know why, a child
 * is still to get its part.
 */
#define NICE 5

static int write_text(const char *text, size_t len, void *fd)
{
	while (len) {
		ssize_t n = write(*(int *)fd, text, len);

		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0) {
			text += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

/* It ends with its parent, says nothing on the terminal, and gives way to the JVMs. */
static _Noreturn void answer(inquiry_fn *ask, void *ctx, int fd, pid_t parent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	json_t *said;
	int status;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	screen_forget();
	if (getppid() != parent || null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
		_exit(1);
	setpriority(PRIO_PROCESS, 0, NICE);
	said = ask(ctx);
	status = said ? json_dump_callback(said, write_text, &fd, JSON_COMPACT) : -1;
	_exit(status < 0);
}

bool inquiry_begin(struct inquiry *q, inquiry_fn *ask, void *ctx, int wait_fd, int64_t patience_ns)
{
	struct epoll_event event = { .events = EPOLLIN };
	pid_t parent = getpid();
	int ends[2];

	*q = (struct inquiry){ .until_ns = monotonic_now_ns() + patience_ns };
	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	fflush(stdout);
	q->child = fork();
	if (q->child == 0) {
		close(ends[0]);
		answer(ask, ctx, ends[1], parent);
	}
	close(ends[1]);
	q->fd = ends[0];
	if (q->child > 0 && fcntl(q->fd, F_SETFL, O_NONBLOCK) == 0 &&
	    (wait_fd < 0 || epoll_ctl(wait_fd, EPOLL_CTL_ADD, q->fd, &event) == 0))
		return true;
	if (q->child > 0) {
		inquiry_end(q);
	} else {
		close(q->fd);
		q->child = 0;
	}
	return false;
}

void inquiry_end(struct inquiry *q)
{
	if (!inquiry_is_open(q))
		return;
	kill(q->child, SIGKILL);
	while (waitpid(q->child, NULL, 0) < 0 && errno == EINTR)
		;
	close(q->fd);
	free(q->text.bytes);
	*q = (struct inquiry){ 0 };
}

/* False: nothing more comes. */
static bool read_more(struct inquiry *q)
{
	char piece[16384];
	ssize_t n;

	while ((n = read(q->fd, piece, sizeof(piece))) > 0) {
		if (q->text.len + (size_t)n > MOST_TEXT ||
		    grown_text_append(&q->text, piece, (size_t)n) != 0)
			return false;
	}
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

bool inquiry_take(struct inquiry *q, json_t **answer)
{
	*answer = NULL;
	if (!inquiry_is_open(q) || (read_more(q) && monotonic_now_ns() < q->until_ns))
		return false;
	if (q->text.len)
		*answer = json_loadb(q->text.bytes, q->text.len, 0, NULL);
	inquiry_end(q);
	return true;
}
