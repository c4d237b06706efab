/* SPDX-License-Identifier: MIT */
/*
 * recorder.c - start, dump and stop; the thread that flushes; fork and exit
 *
 * One lock covers the chunk, the repository and the options.  It is held while chunks are written,
 * so nothing that emits events takes it, nor does fork().
 */
#include "native/jfrec-recorder.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "native/chunk.h"
#include "native/clock.h"
#include "native/environment.h"
#include "native/fail.h"
#include "native/flush.h"
#include "native/memory.h"
#include "native/repository.h"
#include "native/thread.h"
#include "native/types.h"

#define MB		 (1024u * 1024u)
#define SECOND		 1000000000u
#define LEAST_MEMORY	 (256u << 10)
#define MOST_MEMORY	 ((uint64_t)4 << 30)
#define DEAD_SEARCHED_NS (60ull * SECOND)
/* The process ends, though a disk hangs. */
#define PATIENCE_NS (5ull * SECOND)

static struct {
	pthread_mutex_t lock;
	pid_t pid; /* 0: not running */
	_Atomic bool is_stopping;
	_Atomic uint32_t is_done; /* the thread has ended: a futex */
	struct jfrec_recorder_options options; /* texts are copies */
	struct recording_facts facts;
	struct repository repository;
	struct chunk *chunk;
	uint64_t time_ns; /* at tick 0 */
	uint64_t dead_searched_ticks;
	struct flush_counts counts;
	uint64_t failed_flushes, chunks;
	char trouble[256];
	bool has_handlers;
	bool is_flushed; /* at the end: all events are in chunks */
} the = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Chunks --------------------------------------------------------------------------------------- */

static bool has_chunk(void)
{
	return the.chunk && the.chunk->fd >= 0;
}

/* The next begins where the last one ended, to the nanosecond: readers look for that. */
static int next_chunk(struct jfrec_recorder_error *err)
{
	uint64_t start = the.chunks ? the.chunk->end_ticks : clock_ticks();
	char path[REGION_PATH];

	repository_name(&the.repository, path);
	if (chunk_open(the.chunk, path, the.time_ns + start, start, err)) {
		the.chunk->end_ticks = start;
		return -1;
	}
	memcpy(region->chunk_path, path, sizeof(path));
	flush_new_chunk();
	the.chunks++;
	return 0;
}

static int flush(enum chunk_end end, struct jfrec_recorder_error *err)
{
	struct jfrec_recorder_error own = { 0 };
	int ret = -1;

	if (has_chunk() || next_chunk(&own) == 0) {
		do {
			ret = flush_to(the.chunk, &the.facts, end, &the.counts, &own);
		} while (ret && own.sys == ENOSPC && repository_drop_oldest(&the.repository));
	}
	memcpy(the.trouble, ret ? own.text : "", ret ? sizeof(the.trouble) : 1);
	the.failed_flushes += ret != 0;
	if (ret)
		recorder_fail(err, own.sys, "%s", own.text);
	return ret;
}

/* Finish the chunk; the next flush begins another one. */
static int finish_chunk(enum chunk_end end, struct jfrec_recorder_error *err)
{
	if (flush(end, err))
		return -1;
	repository_add(&the.repository, the.chunk->path, the.time_ns + the.chunk->end_ticks,
		       the.chunk->size);
	chunk_close(the.chunk);
	return 0;
}

static void purge(void)
{
	uint64_t age = the.options.max_age_ns, now = the.time_ns + clock_ticks();

	repository_purge(&the.repository, the.options.max_size, age && age < now ? now - age : 0);
}

/* The thread ----------------------------------------------------------------------------------- */

static void wait_for(_Atomic uint32_t *word, uint32_t value, uint64_t ns)
{
	struct timespec t = { (time_t)(ns / SECOND), (long)(ns % SECOND) };

	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &t, NULL, 0);
}

/* Are there many full buffers, which is why it may be woken early? */
static bool is_pressed(void)
{
	return atomic_load(&region->full_count) >= the.options.memory_size / BUFFER_SIZE / 4;
}

static int one_round(void)
{
	uint64_t now;
	int ret;

	pthread_mutex_lock(&the.lock);
	ret = has_chunk() && the.chunk->size >= the.options.max_chunk
		      ? finish_chunk(CHUNK_ENDS, NULL) || flush(CHUNK_CONTINUES, NULL)
		      : flush(CHUNK_CONTINUES, NULL);
	purge();
	clock_calibrate();
	now = clock_ticks();
	if (now - the.dead_searched_ticks > DEAD_SEARCHED_NS) {
		thread_find_dead();
		the.dead_searched_ticks = now;
	}
	memory_grow();
	pthread_mutex_unlock(&the.lock);
	return ret;
}

static void *run(void *unused)
{
	uint64_t next = clock_ticks() + the.options.flush_ns, now;
	int failed = 0;

	(void)unused;
	prctl(PR_SET_NAME, "JFR Recorder");
	while (!atomic_load(&the.is_stopping)) {
		uint32_t calls = atomic_load(&drainer_calls);

		now = clock_ticks();
		/* What failed is not tried at once again, though the buffers are full. */
		if (now < next && (failed || !is_pressed())) {
			wait_for(&drainer_calls, calls, next - now);
			if (failed || !is_pressed())
				continue;
		}
		failed = one_round();
		next = clock_ticks() + the.options.flush_ns;
	}
	atomic_store(&the.is_done, 1);
	syscall(SYS_futex, &the.is_done, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	return NULL;
}

/* No signal of the program is handled by this thread. */
static int make_thread(void)
{
	sigset_t all, before;
	pthread_attr_t attributes;
	pthread_t thread_id;
	int ret;

	sigfillset(&all);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, 512u << 10);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&thread_id, &attributes, run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return ret;
}

/* Fork ----------------------------------------------------------------------------------------- */

static void after_fork_in_child(void)
{
	types_unlock_in_child();
	thread_forget();
	if (the.pid) {
		memory_leave();
		if (has_chunk())
			chunk_close(the.chunk);
	}
	the.pid = 0;
	the.repository = (struct repository){ 0 };
	pthread_mutex_init(&the.lock, NULL);
}

static void install_handlers(void)
{
	if (the.has_handlers)
		return;
	pthread_atfork(types_lock, types_unlock, after_fork_in_child);
	thread_init();
	the.has_handlers = true;
}

/* Start and stop ------------------------------------------------------------------------------- */

static uint64_t or_default(uint64_t value, uint64_t usual)
{
	return value ? value : usual;
}

static void free_options(struct jfrec_recorder_options *o)
{
	free((char *)o->name);
	free((char *)o->repository);
	free((char *)o->filename);
	*o = (struct jfrec_recorder_options){ 0 };
}

static int copy_options(struct jfrec_recorder_options *to, const struct jfrec_recorder_options *from,
			struct jfrec_recorder_error *err)
{
	struct jfrec_recorder_options o = { 0 };

	if (from)
		memcpy(&o, from, from->struct_size < sizeof(o) ? from->struct_size : sizeof(o));
	*to = o;
	to->name = strdup(o.name ? o.name : "native");
	to->repository = strdup(o.repository ? o.repository : "/tmp");
	to->filename = o.filename ? strdup(o.filename) : NULL;
	to->max_size = or_default(o.max_size, 250 * MB);
	to->max_chunk = or_default(o.max_chunk, 12 * MB);
	to->memory_size = or_default(o.memory_size, 10 * MB);
	to->flush_ns = or_default(o.flush_ns, SECOND);
	if (!to->name || !to->repository || (o.filename && !to->filename)) {
		free_options(to);
		return recorder_fail(err, ENOMEM, "no memory for the recorder's options");
	}
	if (to->memory_size < LEAST_MEMORY || to->memory_size > MOST_MEMORY) {
		free_options(to);
		return recorder_fail(err, EINVAL, "memory_size has to be between 256 KB and 4 GB");
	}
	return 0;
}

/* What a process needs once: memory for events, and a chunk to write. */
static int prepare(struct jfrec_recorder_error *err)
{
	if ((!region || region->pid != (uint32_t)getpid()) &&
	    memory_open(the.options.memory_size, true, err))
		return -1;
	if (!the.chunk) {
		the.chunk = calloc(1, sizeof(*the.chunk));
		if (the.chunk)
			the.chunk->fd = -1;
	}
	if (!the.chunk || flush_init())
		return recorder_fail(err, ENOMEM, "no memory for the recorder");
	return 0;
}

static int begin(struct jfrec_recorder_error *err)
{
	int failed;

	clock_start(&the.time_ns);
	region->time_ns = the.time_ns;
	the.facts = (struct recording_facts){ the.options.name, the.options.filename,
					      the.options.max_age_ns, the.options.max_size,
					      the.options.flush_ns,
					      (the.time_ns + clock_ticks()) / 1000000 };
	the.counts = (struct flush_counts){ 0 };
	the.failed_flushes = the.chunks = 0;
	types_activate(true);
	if (flush(CHUNK_CONTINUES, err))
		return -1;
	the.pid = getpid();
	atomic_store(&the.is_stopping, false);
	atomic_store(&the.is_done, 0);
	failed = make_thread();
	if (!failed)
		return 0;
	the.pid = 0;
	return recorder_fail(err, failed, "cannot start the recorder's thread: %s", strerror(failed));
}

static void discard(void)
{
	types_activate(false);
	if (has_chunk()) {
		unlink(the.chunk->path);
		chunk_close(the.chunk);
	}
	if (the.repository.path[0])
		repository_remove(&the.repository);
	free_options(&the.options);
}

static int start(const struct jfrec_recorder_options *options, struct jfrec_recorder_error *err)
{
	if (the.pid)
		return recorder_fail(err, EBUSY, "the recorder already runs; stop it first");
	free_options(&the.options);
	if (copy_options(&the.options, options, err))
		return -1;
	install_handlers();
	if (prepare(err) ||
	    repository_open(&the.repository, the.options.repository, memory_path(), err) || begin(err)) {
		discard();
		return -1;
	}
	return 0;
}

int jfrec_recorder_start(const struct jfrec_recorder_options *options,
			 struct jfrec_recorder_error *err)
{
	int ret;

	pthread_mutex_lock(&the.lock);
	ret = start(options, err);
	pthread_mutex_unlock(&the.lock);
	return ret;
}

static int not_running(struct jfrec_recorder_error *err)
{
	return recorder_fail(err, 0, "the recorder does not run; start it first");
}

int jfrec_recorder_flush(struct jfrec_recorder_error *err)
{
	int ret;

	pthread_mutex_lock(&the.lock);
	ret = the.pid ? flush(CHUNK_CONTINUES, err) : not_running(err);
	pthread_mutex_unlock(&the.lock);
	return ret;
}

/* Under the lock only until the chunks are open: they may be deleted while they are copied. */
int jfrec_recorder_dump(const char *path, struct jfrec_recorder_error *err)
{
	size_t count = 0;
	int *fds = NULL, ret;

	pthread_mutex_lock(&the.lock);
	if (!the.pid) {
		not_running(err);
	} else if (!finish_chunk(CHUNK_ENDS, err)) {
		fds = repository_open_chunks(&the.repository, err);
		count = the.repository.count;
		/* So that readers find the next one. */
		flush(CHUNK_CONTINUES, NULL);
	}
	pthread_mutex_unlock(&the.lock);
	if (!fds)
		return -1;
	ret = repository_copy(fds, count, path, err);
	while (count)
		close(fds[--count]);
	free(fds);
	return ret;
}

static int dump_at_end(struct jfrec_recorder_error *err)
{
	size_t count = the.repository.count;
	int *fds, ret;

	if (!the.options.filename)
		return 0;
	fds = repository_open_chunks(&the.repository, err);
	ret = fds ? repository_copy(fds, count, the.options.filename, err) : -1;
	while (fds && count)
		close(fds[--count]);
	free(fds);
	return ret;
}

/* Under the lock, when the thread has ended. */
static int end(struct jfrec_recorder_error *err)
{
	int ret = finish_chunk(CHUNK_IS_LAST, err);

	the.is_flushed = !ret;
	if (!ret) {
		repository_settle(&the.repository);
		ret = dump_at_end(err);
	}
	if (ret && err) {
		size_t len = strlen(err->text);

		snprintf(err->text + len, sizeof(err->text) - len, "; the recording is kept in %s",
			 the.repository.path);
	}
	/* After a failure it is all that there is. */
	if (ret || the.options.keep_repository) {
		chunk_close(the.chunk);
		repository_fini(&the.repository);
	} else {
		repository_remove(&the.repository);
	}
	return ret;
}

static bool stop_thread(void)
{
	atomic_store(&the.is_stopping, true);
	drainer_wake();
	if (!atomic_load(&the.is_done))
		wait_for(&the.is_done, 0, PATIENCE_NS);
	return atomic_load(&the.is_done);
}

static bool lock_with_patience(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE_NS / SECOND;
	return pthread_mutex_timedlock(&the.lock, &until) == 0;
}

static int stop(struct jfrec_recorder_error *err)
{
	int ret;

	types_activate(false);
	if (!stop_thread() || !lock_with_patience())
		return recorder_fail(err, ETIMEDOUT,
				     "the disk of the repository %s does not respond; the recording "
				     "is there",
				     the.repository.path);
	ret = end(err);
	the.pid = 0;
	pthread_mutex_unlock(&the.lock);
	return ret;
}

int jfrec_recorder_stop(struct jfrec_recorder_error *err)
{
	bool is_mine = false;

	pthread_mutex_lock(&the.lock);
	/* Of two that stop it, one does. */
	if (the.pid && !atomic_load(&the.is_stopping))
		is_mine = !atomic_exchange(&the.is_stopping, true);
	pthread_mutex_unlock(&the.lock);
	return is_mine ? stop(err) : not_running(err);
}

/* After handlers of the program's own: of what they emit nothing is lost. */
__attribute__((destructor)) static void at_exit(void)
{
	struct jfrec_recorder_error err = { 0 };

	if (region && region->pid != (uint32_t)getpid())
		return;
	if (the.pid && !atomic_exchange(&the.is_stopping, true)) {
		the.is_flushed = false;
		if (stop(&err))
			environment_report(&err);
		if (!the.is_flushed)
			return;
	}
	memory_unlink();
}

int jfrec_recorder_set(const char *event, const char *setting, const char *value,
		       struct jfrec_recorder_error *err)
{
	return types_set(event, setting, value, err);
}

void jfrec_recorder_count(struct jfrec_recorder_stats *stats)
{
	struct jfrec_recorder_stats s = { .struct_size = stats->struct_size };

	pthread_mutex_lock(&the.lock);
	s.is_running = the.pid != 0;
	s.written = the.counts.written;
	s.damaged_bytes = the.counts.damaged_bytes;
	s.failed_flushes = the.failed_flushes;
	s.chunks = the.chunks;
	for (uint32_t id = 0; region && id < EVENT_TYPES; id++)
		s.lost += atomic_load(&region->lost[id]);
	s.lost_bytes = region ? atomic_load(&region->lost_bytes) : 0;
	memcpy(s.repository, the.repository.path, sizeof(s.repository));
	memcpy(s.trouble, the.trouble, sizeof(s.trouble));
	pthread_mutex_unlock(&the.lock);
	memcpy(stats, &s, s.struct_size < sizeof(s) ? s.struct_size : sizeof(s));
}
