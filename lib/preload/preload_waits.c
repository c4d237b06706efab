/* SPDX-License-Identifier: MIT */
/*
 * preload_waits.c - wrappers of what waits without an event: for samples of blocked threads
 */
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/wait.h>

#include "preload/preload.h"
#include "recorder/jfrec-recorder.h"

#define WAITING(call)                    \
	__extension__({                  \
		__typeof__(call) ret_ = 0; \
		JFREC_BLOCKING           \
			ret_ = call;     \
		ret_;                    \
	})

EXPORT int accept(int fd, struct sockaddr *restrict from, socklen_t *restrict size)
{
	return WAITING(REAL(accept)(fd, from, size));
}

EXPORT int accept4(int fd, struct sockaddr *restrict from, socklen_t *restrict size, int flags)
{
	return WAITING(REAL(accept4)(fd, from, size, flags));
}

EXPORT int poll(struct pollfd *of, nfds_t count, int ms)
{
	return WAITING(REAL(poll)(of, count, ms));
}

EXPORT int select(int end, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other,
		  struct timeval *restrict most)
{
	return WAITING(REAL(select)(end, in, out, other, most));
}

EXPORT int epoll_wait(int fd, struct epoll_event *to, int most, int ms)
{
	return WAITING(REAL(epoll_wait)(fd, to, most, ms));
}

EXPORT pid_t waitpid(pid_t pid, int *status, int options)
{
	return WAITING(REAL(waitpid)(pid, status, options));
}
