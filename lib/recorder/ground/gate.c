/* SPDX-License-Identifier: MIT */
/*
 * gate.c - what must not be going on when the program forks
 */
#include "recorder/ground/gate.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

/*
 * Five seconds, if who is inside waits for the one who forks: in a callback of dl_iterate_phdr().
 */
#define LOOKS	50000
#define LOOK_NS 100000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool is_closed; /* by this thread, which forks */
static __thread bool is_inside; /* this thread: a handler of a signal forks */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void before_fork(void)
{
	const struct timespec look = { 0, LOOK_NS };
	int saved = errno;
	bool got = false;

	/* Installed twice, if a fork came in the middle of that. */
	if (is_closed)
		return;
	for (int i = 0; !is_inside && i < LOOKS && !(got = !pthread_mutex_trylock(&lock)); i++)
		nanosleep(&look, NULL);
	if (got)
		is_closed = true;
	errno = saved;
}

static void after_fork(void)
{
	if (is_closed) {
		is_closed = false;
		pthread_mutex_unlock(&lock);
	}
}

static void in_child(void)
{
	is_closed = false;
	pthread_mutex_init(&lock, NULL);
}

static void install(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
}

void gate_install(void)
{
	pthread_once(&once, install);
}

void gate_enter(void)
{
	/* Before anything can be in there: a fork may come before the recorder has begun. */
	gate_install();
	pthread_mutex_lock(&lock);
	is_inside = true;
}

void gate_leave(void)
{
	is_inside = false;
	pthread_mutex_unlock(&lock);
}

bool gate_is_entered(void)
{
	return is_inside;
}

bool gate_local_time(const time_t *t, struct tm *tm)
{
	bool done;

	gate_enter();
	done = localtime_r(t, tm) != NULL;
	gate_leave();
	return done;
}
