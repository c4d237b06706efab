/* SPDX-License-Identifier: MIT */
/*
 * gate.c - what must not be going on when the program forks
 */
#include "native/gate.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

/* A handler of a signal may fork in the thread that is in there. */
#define LOOKS	1000
#define LOOK_NS 100000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool is_closed; /* by this thread, which forks */

void gate_enter(void)
{
	pthread_mutex_lock(&lock);
}

void gate_leave(void)
{
	pthread_mutex_unlock(&lock);
}

bool gate_local_time(const time_t *t, struct tm *tm)
{
	bool done;

	gate_enter();
	done = localtime_r(t, tm) != NULL;
	gate_leave();
	return done;
}

void gate_close(void)
{
	const struct timespec look = { 0, LOOK_NS };
	int saved = errno;
	bool got = false;

	for (int i = 0; i < LOOKS && !(got = !pthread_mutex_trylock(&lock)); i++)
		nanosleep(&look, NULL);
	if (got)
		is_closed = true;
	errno = saved;
}

void gate_open(void)
{
	if (is_closed) {
		is_closed = false;
		pthread_mutex_unlock(&lock);
	}
}

void gate_open_in_child(void)
{
	is_closed = false;
	pthread_mutex_init(&lock, NULL);
}
