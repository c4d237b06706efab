/* SPDX-License-Identifier: MIT */
/*
 * held.c - descriptors that the recorder keeps in a program which may close them
 */
#include "recorder/ground/held.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "recorder/ground/filter.h"

/* Programs with more open files than that close none by counting. */
#define HIGH 1000u

/* As high as a low limit allows. */
static int lowest_number(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < HIGH + HIGH / 8)
		return (int)(limit.rlim_cur - limit.rlim_cur / 8);
	return HIGH;
}

/* Numbers of sockets' inodes come again after a while; these never do. */
static uint64_t cookie_of(int fd)
{
	uint64_t cookie = 0;
	socklen_t size = sizeof(cookie);

	return getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

static bool look(int fd, struct held *h)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return false;
	*h = (struct held){ fd, st.st_dev, st.st_ino, S_ISSOCK(st.st_mode) ? cookie_of(fd) : 0 };
	return true;
}

/* False: it is not what it was, since the program has taken the number, with dup2(). */
static bool move(struct held *h)
{
	struct held low = *h;

	h->fd = fcntl(low.fd, F_DUPFD_CLOEXEC, lowest_number());
	if (h->fd < 0)
		h->fd = low.fd;
	else if (held_is_there(&low))
		close(low.fd);
	return held_is_there(h);
}

struct held held_take(int fd)
{
	struct held h = HELD_NONE;
	int saved;

	if (fd < 0)
		return HELD_NONE;
	if (look(fd, &h)) {
		if (move(&h))
			return h;
		if (h.fd != fd)
			close(h.fd);
		errno = EBADF;
		return HELD_NONE;
	}
	saved = errno;
	close(fd);
	errno = saved;
	return HELD_NONE;
}

bool held_is_same(const struct held *h, int fd)
{
	struct held now;

	return look(fd, &now) && now.device == h->device && now.inode == h->inode &&
	       now.cookie == h->cookie;
}

bool held_is_there(const struct held *h)
{
	return h->fd >= 0 && held_is_same(h, h->fd);
}

bool held_is_unlinked(const struct held *h)
{
	struct stat st;

	return held_is_there(h) && fstat(h->fd, &st) == 0 && !st.st_nlink;
}

int held_close(struct held *h)
{
	int ret = h->fd < 0 ? 0 : -1;

	if (held_is_there(h))
		ret = close(h->fd);
	else if (ret)
		errno = EBADF;
	h->fd = -1;
	return ret;
}

void held_close_in_child(struct held *h)
{
	if (filter_is_expected())
		h->fd = -1;
	else
		held_close(h);
}

/* Signals of writing --------------------------------------------------------------------------- */

void quiet_begin(struct quiet *q)
{
	sigset_t pending, ours;

	sigemptyset(&ours);
	sigaddset(&ours, SIGXFSZ);
	sigaddset(&ours, SIGPIPE);
	sigemptyset(&pending);
	sigpending(&pending);
	q->added = ours;
	/* What was pending is the program's. */
	if (sigismember(&pending, SIGXFSZ))
		sigdelset(&q->added, SIGXFSZ);
	if (sigismember(&pending, SIGPIPE))
		sigdelset(&q->added, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &ours, &q->before);
}

/* Both are sent to the thread that writes, and so are taken back by it. */
void quiet_end(const struct quiet *q)
{
	static const struct timespec at_once;
	int saved = errno;
	sigset_t pending;

	sigemptyset(&pending);
	sigpending(&pending);
	if (sigismember(&pending, SIGXFSZ) || sigismember(&pending, SIGPIPE))
		while (sigtimedwait(&q->added, NULL, &at_once) > 0)
			;
	pthread_sigmask(SIG_SETMASK, &q->before, NULL);
	errno = saved;
}
