/* SPDX-License-Identifier: MIT */
/*
 * follow.c - children of fork() get a recorder of their own
 *
 * Most children execute another program at once, and a repository for each would be left behind;
 * others give up root first of all, and could not delete one of root's.  So a child keeps its
 * events in memory, and begins after a while, or when it ends.
 */
#include "recorder/control/follow.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "recorder/control/drainer.h"
#include "recorder/control/engine.h"
#include "recorder/files/paths.h"
#include "recorder/ground/fail.h"
#include "recorder/ground/filter.h"
#include "recorder/ground/kept_directories.h"
#include "recorder/ground/memory.h"
#include "recorder/threads/thread.h"

#define CALM_NS 200000000

static struct {
	pthread_mutex_t lock;
	char *text;
	follow_start_fn *start;
	bool has_begun; /* this child: a failure is reported once */
	char directory[PATH_ROOM]; /* where the program began: daemons go to / */
} forked = { .lock = PTHREAD_MUTEX_INITIALIZER };

static bool has_events(void)
{
	return atomic_load(&region->fresh) != 0;
}

/*
 * What it began as root it may not be able to end as the user that it has just become: once more.
 */
static int start_as_this_user(struct jfrec_recorder_error *err)
{
	uid_t uid;
	gid_t gid;
	int ret;

	do {
		uid = geteuid();
		gid = getegid();
		ret = forked.start(forked.text, forked.directory, err);
	} while (ret && (uid != geteuid() || gid != getegid()));
	return ret;
}

static void begin(void)
{
	struct jfrec_recorder_error err = { 0 };

	pthread_mutex_lock(&forked.lock);
	if (engine_goes_on() && !forked.has_begun) {
		forked.has_begun = true;
		if (start_as_this_user(&err)) {
			engine_give_up();
			fail_report(&err);
		}
	}
	pthread_mutex_unlock(&forked.lock);
}

static void *begin_soon(void *unused)
{
	struct timespec left = { 0, CALM_NS };

	(void)unused;
	thread_exclude();
	/* libc interrupts it when the program becomes another user: just then it must not begin. */
	while (nanosleep(&left, &left) && errno == EINTR)
		;
	drainer_lend();
	begin();
	drainer_work();
	return NULL;
}

static void before_fork(void)
{
	if (!filter_is_expected())
		directory_look_after();
}

static void in_child(void)
{
	int saved = errno;

	pthread_mutex_init(&forked.lock, NULL);
	forked.has_begun = false;
	if (engine_goes_on())
		thread_make(begin_soon);
	errno = saved;
}

void follow_forks(const char *text, follow_start_fn *start)
{
	forked.start = start;
	forked.text = strdup(text);
	if (!forked.text || !getcwd(forked.directory, sizeof(forked.directory)))
		return;
	engine_follow_forks();
	/* The last of the recorder's handlers, so that all the rest is ready. */
	pthread_atfork(before_fork, NULL, in_child);
}

/* If it begins just now, wait for that. */
void follow_finish(void)
{
	if (engine_goes_on() && has_events())
		begin();
	if (lock_with_patience(&forked.lock))
		pthread_mutex_unlock(&forked.lock);
}
