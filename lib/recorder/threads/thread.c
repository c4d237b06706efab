/* SPDX-License-Identifier: MIT */
/*
 * thread.c - what each thread has: its two writers, and its row in the region
 */
#include "recorder/threads/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder/ground/clock.h"
#include "recorder/ground/filter.h"
#include "recorder/ground/memory.h"
#include "recorder/jfrec-recorder.h"
#include "recorder/stack/walk.h"
#include "recorder/threads/losses.h"

__thread struct thread thread __attribute__((tls_model("initial-exec")));

static pthread_key_t at_exit_of_thread;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Names ---------------------------------------------------------------------------------------- */

/* By words, with a count of changes that is odd meanwhile: the drainer reads while others write. */
static void store_name(struct thread_row *row, const char *name)
{
	uint64_t words[THREAD_NAME / 8] = { 0 };
	size_t len = strnlen(name, THREAD_NAME - 1);

	/* Not in the middle of a character. */
	while (len && name[len] && ((unsigned char)name[len] & 0xc0) == 0x80)
		len--;
	memcpy(words, name, len);
	atomic_fetch_add_explicit(&row->changes, 1, memory_order_acq_rel);
	for (size_t i = 0; i < THREAD_NAME / 8; i++)
		atomic_store_explicit(&row->name[i], words[i], memory_order_release);
	atomic_fetch_add_explicit(&row->changes, 1, memory_order_release);
}

static void load_name(struct thread_row *row, char name[THREAD_NAME])
{
	uint64_t words[THREAD_NAME / 8], before, after;
	int tries = 0;

	do {
		before = atomic_load_explicit(&row->changes, memory_order_acquire);
		for (size_t i = 0; i < THREAD_NAME / 8; i++)
			words[i] = atomic_load_explicit(&row->name[i], memory_order_acquire);
		after = atomic_load_explicit(&row->changes, memory_order_acquire);
	} while ((before != after || before & 1) && ++tries < 1000);
	memcpy(name, words, THREAD_NAME);
	name[THREAD_NAME - 1] = '\0';
}

void thread_read_name(struct thread_row *row, char name[THREAD_NAME])
{
	char path[64], comm[32];
	ssize_t n = -1;
	int fd;

	if (!atomic_load(&row->is_named) && atomic_load(&row->state) != THREAD_EXITED) {
		snprintf(path, sizeof(path), "/proc/self/task/%u/comm", atomic_load(&row->tid));
		fd = open(path, O_RDONLY | O_CLOEXEC);
		n = fd < 0 ? -1 : read(fd, comm, sizeof(comm) - 1);
		if (fd >= 0)
			close(fd);
	}
	if (n > 0) {
		comm[n] = '\0';
		comm[strcspn(comm, "\n")] = '\0';
		/* Unless the thread has just given itself one. */
		if (!atomic_load(&row->is_named))
			store_name(row, comm);
	}
	load_name(row, name);
}

void jfrec_recorder_name_thread(const char *name)
{
	struct thread_row *row;

	if (!region || !name || !thread_attach())
		return;
	row = memory_row(thread.row);
	atomic_store(&row->is_named, 1);
	store_name(row, name);
}

/* Attaching ------------------------------------------------------------------------------------ */

static void let_go(struct writer *w)
{
	struct event_buffer *b = w->buffer;

	w->buffer = NULL;
	w->cur = w->end = NULL;
	if (b)
		buffer_push_full(b);
}

static void note_end(struct thread_row *row, uint64_t ticks)
{
	atomic_store_explicit(&row->wait[0], 0, memory_order_relaxed);
	atomic_store_explicit(&row->wait[1], ticks, memory_order_relaxed);
}

/*
 * Events of later destructors attach again, with a new row, and this is called again.  A signal
 * handler that comes in between finds both writers busy, and its event is counted as lost.
 */
static void detach(void *unused)
{
	(void)unused;
	if (thread.state != THREAD_ATTACHED)
		return;
	thread.usual.is_busy = thread.in_signal.is_busy = 1;
	atomic_signal_fence(memory_order_seq_cst);
	thread.state = THREAD_LEAVING;
	let_go(&thread.usual);
	let_go(&thread.in_signal);
	note_end(memory_row(thread.row), clock_ticks());
	losses_settle(memory_row(thread.row));
	atomic_store_explicit(&memory_row(thread.row)->state, THREAD_EXITED, memory_order_release);
	atomic_fetch_sub(&region->live_threads, 1);
	atomic_signal_fence(memory_order_seq_cst);
	thread.state = THREAD_NEW;
	thread.usual.is_busy = thread.in_signal.is_busy = 0;
}

static void make_key(void)
{
	pthread_key_create(&at_exit_of_thread, detach);
}

void thread_init(void)
{
	pthread_once(&once, make_key);
}

/* Rows that the sampler has made for threads that have not emitted: there may be some. */
static _Atomic bool any_seen;

static bool adopt(struct thread_row *row, uint32_t tid)
{
	uint32_t expected = THREAD_SEEN;

	return atomic_load(&row->tid) == tid &&
	       atomic_compare_exchange_strong(&row->state, &expected, THREAD_LIVE);
}

/* The row that the sampler has made for this thread, or a new one. */
static struct thread_row *row_for(uint32_t tid)
{
	uint32_t end = atomic_load(&any_seen) ? atomic_load(&region->fresh_row) : 0;

	for (uint32_t i = 0; i < end && i < THREAD_ROWS; i++)
		if (adopt(memory_row(i), tid))
			return memory_row(i);
	return row_take();
}

bool thread_see(uint32_t tid, uint32_t *place, uint64_t *key)
{
	uint32_t end = atomic_load(&region->fresh_row), state;
	struct thread_row *row = NULL;
	char name[THREAD_NAME];

	for (uint32_t i = 0; i < end && i < THREAD_ROWS && !row; i++) {
		state = atomic_load(&memory_row(i)->state);
		if ((state == THREAD_LIVE || state == THREAD_SEEN) &&
		    atomic_load(&memory_row(i)->tid) == tid)
			row = memory_row(i);
	}
	if (!row && (row = row_take())) {
		atomic_store(&row->tid, tid);
		atomic_store(&row->is_named, 0);
		atomic_store(&row->wait[0], 0);
		atomic_store(&row->since, clock_ticks());
		atomic_store(&row->key, atomic_fetch_add(&region->last_key, 1) + 1);
		store_name(row, "");
		atomic_store(&any_seen, true);
		atomic_store_explicit(&row->state, THREAD_SEEN, memory_order_release);
		thread_read_name(row, name);
	}
	if (!row)
		return false;
	*place = (uint32_t)(row - memory_row(0));
	*key = atomic_load(&row->key);
	return true;
}

void thread_unsee(uint32_t place, uint64_t key, bool has_ended)
{
	struct thread_row *row = memory_row(place);
	uint32_t expected = THREAD_SEEN;

	/* One that is alive becomes another one if it is sampled again. */
	if (atomic_load(&row->key) != key || atomic_load(&row->state) != THREAD_SEEN)
		return;
	note_end(row, has_ended ? clock_ticks() : 0);
	atomic_compare_exchange_strong(&row->state, &expected, THREAD_EXITED);
}

/*
 * A filter of system calls may refuse even that: 0, and the thread has its events all the same. One
 * that is expected may do worse.
 */
static uint32_t identify(char name[16])
{
	long tid;

	name[0] = '\0';
	if (filter_is_expected())
		return 0;
	prctl(PR_GET_NAME, name);
	tid = syscall(SYS_gettid);
	return tid > 0 ? (uint32_t)tid : 0;
}

/* A signal handler that comes in between is refused, and its event is counted as lost. */
bool thread_attach(void)
{
	struct thread_row *row;
	char name[16];
	uint32_t tid;
	bool is_known;

	if (thread.state != THREAD_NEW)
		return thread.state == THREAD_ATTACHED;
	/* A process that was made by clone() shares the region, and must not use it. */
	if (!memory_is_here())
		return false;
	thread.state = THREAD_LEAVING;
	tid = identify(name);
	row = row_for(tid);
	if (!row || pthread_setspecific(at_exit_of_thread, &thread)) {
		if (row)
			row_free(row);
		thread.state = THREAD_NEW;
		return false;
	}
	thread.row = (uint32_t)(row - memory_row(0));
	is_known = atomic_load(&row->state) == THREAD_LIVE;
	thread.key = is_known ? atomic_load(&row->key) : atomic_fetch_add(&region->last_key, 1) + 1;
	atomic_store(&row->tid, tid);
	atomic_store(&row->is_named, 0);
	atomic_store(&row->wait[0], 0);
	if (!is_known)
		atomic_store(&row->since, clock_ticks());
	atomic_store(&row->key, thread.key);
	store_name(row, name);
	atomic_store_explicit(&row->state, THREAD_LIVE, memory_order_release);
	atomic_fetch_add(&region->live_threads, 1);
	thread.end_of_stack = walk_end_of_stack(tid == region->pid);
	thread.state = THREAD_ATTACHED;
	return true;
}

struct event_buffer *thread_exchange(struct writer *w, size_t need)
{
	struct event_buffer *b;
	int saved = errno;
	bool attached = thread_attach() && memory_is_here();
	uint32_t given;

	errno = saved;
	if (!attached)
		return NULL;
	given = buffers_given();
	b = buffer_take(need);
	if (!b)
		b = buffer_wait(need);
	if (!b) {
		if (need <= BUFFER_ROOM)
			w->dry = given;
		return NULL;
	}
	atomic_store_explicit(&b->row, thread.row, memory_order_relaxed);
	atomic_store_explicit(&b->key, thread.key, memory_order_relaxed);
	atomic_store_explicit(&b->state, BUFFER_LEASED, memory_order_release);
	if (b->size > BUFFER_SIZE)
		return b;
	let_go(w);
	w->cur = b->data;
	w->end = b->data + b->size;
	w->buffer = b;
	return b;
}

void thread_forget(void)
{
	memset(&thread, 0, sizeof(thread));
	pthread_setspecific(at_exit_of_thread, NULL);
}

/* Threads that end by exit of the system call, or whose destructors emit to the last. */
void thread_find_dead(void)
{
	uint32_t rows = atomic_load(&region->fresh_row), buffers = atomic_load(&region->fresh);
	char path[64];

	for (uint32_t i = 0; i < rows; i++) {
		struct thread_row *row = memory_row(i);

		if (atomic_load(&row->state) != THREAD_LIVE || !atomic_load(&row->tid))
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%u", atomic_load(&row->tid));
		if (!access(path, F_OK) || errno != ENOENT)
			continue;
		for (uint32_t n = 0; n < buffers; n++) {
			struct event_buffer *b = memory_buffer(n);

			if (atomic_load(&b->state) == BUFFER_LEASED && atomic_load(&b->row) == i)
				buffer_push_full(b);
		}
		note_end(row, clock_ticks());
		losses_settle(row);
		atomic_store(&row->state, THREAD_EXITED);
		atomic_fetch_sub(&region->live_threads, 1);
	}
}

void thread_exclude(void)
{
	/* It never gets a buffer. */
	thread.state = THREAD_LEAVING;
	thread.is_excluded = true;
}

int thread_make_for(void *(*run)(void *), void *arg)
{
	sigset_t all, before;
	pthread_attr_t attributes;
	pthread_t id;
	int ret;

	sigfillset(&all);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, 512u << 10);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&id, &attributes, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return ret;
}

int thread_make(void *(*run)(void *))
{
	return thread_make_for(run, NULL);
}
