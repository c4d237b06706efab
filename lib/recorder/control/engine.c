/* SPDX-License-Identifier: MIT */
/*
 * engine.c - what records: region, chunk, repository, and the thread that flushes
 */
#include "recorder/control/engine.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "recorder/control/drainer.h"
#include "recorder/control/flush.h"
#include "recorder/control/recordings.h"
#include "recorder/control/subscriptions.h"
#include "recorder/files/paths.h"
#include "recorder/ground/clock.h"
#include "recorder/ground/filter.h"
#include "recorder/ground/gate.h"
#include "recorder/ground/kept_directories.h"
#include "recorder/ground/memory.h"
#include "recorder/stack/modules.h"
#include "recorder/stack/traces.h"
#include "recorder/threads/losses.h"
#include "recorder/threads/sampler.h"
#include "recorder/threads/thread.h"
#include "recorder/types/borrowed.h"
#include "recorder/types/types.h"

#define MB		 (1024u * 1024u)
#define LEAST_MEMORY	 (256u << 10)
#define MOST_MEMORY	 ((uint64_t)4 << 30)
#define OFTEN_NS	 1000000u
#define SMALL		 4u /* buffers at a time */
#define LOOK_NS		 1000000u
#define DEAD_SEARCHED_NS (60ull * SECOND_NS)

static struct {
	pthread_mutex_t lock;
	pid_t pid; /* 0: not running */
	_Atomic bool has_files;
	_Atomic uint64_t flush_ns;
	struct engine_options options; /* texts are copies */
	struct repository repository;
	struct chunk *chunk;
	uint64_t time_ns; /* at tick 0 */
	uint64_t start_ticks;
	uint64_t dead_searched_ticks;
	struct flush_counts counts;
	uint64_t failed_flushes, chunks;
	uint64_t lost_before, lost_bytes_before; /* by recorders of this process that ended */
	char trouble[256];
	char lasting[256]; /* why the chunk is not the one it should be, though it can be written */
	bool has_handlers;
	bool follows_forks;
	bool goes_on; /* a child has events in its memory, and no recorder yet */
	void (*in_child)(void);
	void (*_Atomic besides)(void);
	_Atomic bool has_listened;
} engine = { .lock = PTHREAD_MUTEX_INITIALIZER, .repository = REPOSITORY_NONE };

void engine_lock(void)
{
	pthread_mutex_lock(&engine.lock);
}

void engine_unlock(void)
{
	pthread_mutex_unlock(&engine.lock);
}

/* By no clock, which may step meanwhile. */
bool lock_with_patience(pthread_mutex_t *lock)
{
	const struct timespec look = { 0, LOOK_NS };
	bool got = false;

	for (uint64_t ns = 0; !(got = !pthread_mutex_trylock(lock)) && ns < PATIENCE_NS;
	     ns += LOOK_NS)
		nanosleep(&look, NULL);
	return got;
}

bool engine_lock_with_patience(void)
{
	return lock_with_patience(&engine.lock);
}

bool engine_is_running(void)
{
	return engine.pid != 0;
}

bool engine_is_here(void)
{
	return !region || memory_is_here();
}

struct repository *engine_repository(void)
{
	return &engine.repository;
}

bool engine_has_written(void)
{
	return engine.chunks > 1 || (engine.chunks && engine.chunk->size > CHUNK_HEADER);
}

bool engine_has_files(void)
{
	return repository_is_made(&engine.repository);
}

bool engine_keeps_repository(void)
{
	return engine.options.keep_repository;
}

uint64_t engine_monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

/* Chunks --------------------------------------------------------------------------------------- */

static bool has_chunk(void)
{
	return engine.chunk && engine.chunk->file.fd >= 0;
}

/* The next begins where the last one ended, to the nanosecond: readers look for that. */
static int next_chunk(struct jfrec_recorder_error *err)
{
	uint64_t start = engine.chunks ? engine.chunk->end_ticks : engine.start_ticks;
	int directory = repository_directory(&engine.repository);
	char path[REGION_PATH];

	if (directory < 0 && errno == ENOENT)
		return recorder_fail(err, ENOENT, "the repository %s was removed",
				     engine.repository.path);
	if (directory < 0)
		return recorder_fail(err, errno, "cannot open the repository %s: %s",
				     engine.repository.path, strerror(errno));
	repository_name(&engine.repository, path);
	if (chunk_open(engine.chunk, directory, path, engine.time_ns + start, start, err))
		return -1;
	memcpy(region->chunk_path, path, sizeof(path));
	flush_new_chunk();
	engine.chunks++;
	engine.lasting[0] = '\0';
	return 0;
}

static int have_chunk_room(struct jfrec_recorder_error *err)
{
	if (engine.chunk)
		return 0;
	engine.chunk = calloc(1, sizeof(*engine.chunk));
	if (!engine.chunk)
		return recorder_fail(err, ENOMEM, "no memory for the recorder");
	engine.chunk->file = HELD_NONE;
	return 0;
}

/*
 * The directory, and a file for the first chunk.  A process that ends soon needs neither; but one
 * that has events of its own has them from the start, since they are what it is known by after a
 * crash, and so has one that gives up its rights.
 */
static int make_files(struct jfrec_recorder_error *err)
{
	if (repository_is_made(&engine.repository))
		return 0;
	if (have_chunk_room(err))
		return -1;
	if (repository_make(&engine.repository, memory_path(), err) || next_chunk(err))
		return -1;
	atomic_store(&engine.has_files, true);
	return 0;
}

void engine_make_files(void)
{
	bool is_here;

	if (atomic_load(&engine.has_files))
		return;
	engine_lock();
	/* Not in a child of vfork(), which has all that its parent has. */
	is_here = engine.pid == getpid();
	engine_unlock();
	if (!is_here)
		return;
	types_outgrow();
	engine_lock();
	if (engine.pid)
		make_files(NULL);
	engine_unlock();
}

/*
 * Where no other file can be made, since the program gave up its rights or the repository was
 * removed, the last chunk continues, until it has as much as all may have.
 */
static bool go_on_in_last(const struct jfrec_recorder_error *why)
{
	struct held last;

	if (!engine.chunks || why->sys == ENOSPC || engine.chunk->size >= recordings_most_bytes())
		return false;
	last = repository_take_back(&engine.repository);
	engine.chunk->file = last;
	return last.fd >= 0;
}

/*
 * What it had is out of reach or takes no more, since the program gave up its rights, so the rest
 * is written where it may.  Chunks of before stay where they are.
 */
static bool move_to_another(const struct jfrec_recorder_error *why,
			    struct jfrec_recorder_error *err)
{
	struct repository other;
	char text[sizeof(engine.trouble)];

	if (repository_plan(&other, engine.options.repository, NULL) ||
	    repository_make(&other, memory_path(), NULL))
		return false;
	snprintf(text, sizeof(text), "%.120s; recording continues in %.90s", why->text, other.path);
	flush_note_trouble(text);
	repository_fini(&engine.repository);
	engine.repository = other;
	return next_chunk(err) == 0;
}

/* Once, however long it lasts. */
static void note_lasting(const char *text)
{
	if (strcmp(engine.lasting, text))
		flush_note_trouble(text);
	snprintf(engine.lasting, sizeof(engine.lasting), "%s", text);
}

static bool is_forbidden(const struct jfrec_recorder_error *why)
{
	return why->sys == EACCES || why->sys == EPERM;
}

/* At the end, also if the repository was removed. */
static bool may_move(const struct jfrec_recorder_error *why, enum chunk_end end)
{
	return (is_forbidden(why) || end == CHUNK_IS_LAST) &&
	       !held_is_there(&engine.repository.directory);
}

/* A chunk that can be written, though it may have to be another one, or none may follow it. */
static int have_chunk(enum chunk_end end, struct jfrec_recorder_error *err)
{
	struct jfrec_recorder_error why;
	char text[sizeof(engine.lasting)];

	if (make_files(err))
		return -1;
	if (has_chunk()) {
		if (chunk_open_again(engine.chunk, repository_directory(&engine.repository), err) ==
		    0)
			return 0;
		/* What it had is gone; what comes is not. */
		flush_note_trouble(err->text);
		engine.chunk->file = HELD_NONE;
	}
	if (next_chunk(err) == 0)
		return 0;
	if (!go_on_in_last(err)) {
		why = *err;
		return may_move(&why, end) && move_to_another(&why, err) ? 0 : -1;
	}
	snprintf(text, sizeof(text), "%.200s; recording continues in the last chunk", err->text);
	note_lasting(text);
	return 0;
}

/* What is committed of it stays, and the next one begins.  -1: there can be none. */
static int end_chunk_as_it_is(struct jfrec_recorder_error *err)
{
	struct jfrec_recorder_error why;

	chunk_rewind(engine.chunk);
	if (chunk_commit(engine.chunk, engine.chunk->end_ticks, CHUNK_ENDS, err))
		return -1;
	repository_add(&engine.repository, engine.chunk->path, &engine.chunk->file,
		       engine.chunk->time_ns, engine.time_ns + engine.chunk->end_ticks,
		       engine.chunk->size);
	if (next_chunk(err) == 0)
		return 0;
	why = *err;
	return is_forbidden(&why) && move_to_another(&why, err) ? 0 : -1;
}

/* Files may not be as large as the chunk would be (RLIMIT_FSIZE): write more and smaller ones. */
static int write_small_chunks(enum chunk_end end, struct jfrec_recorder_error *err)
{
	enum chunk_end now = CHUNK_CONTINUES;
	bool is_empty, is_over = false;

	while (!is_over) {
		is_empty = engine.chunk->size == CHUNK_HEADER;
		if (flush_to(engine.chunk, now, SMALL, &engine.counts, err) == 0) {
			is_over = !flush_has_more() && now == end;
			now = flush_has_more() ? CHUNK_CONTINUES : end;
		} else if (err->sys != EFBIG || is_empty || end_chunk_as_it_is(err)) {
			return -1;
		}
	}
	return 0;
}

static int write_chunk(enum chunk_end end, uint32_t most, struct jfrec_recorder_error *err)
{
	char text[sizeof(engine.lasting)];
	int ret;

	if (have_chunk(end, err))
		return -1;
	if (!engine.lasting[0] && held_is_unlinked(&engine.chunk->file)) {
		snprintf(text, sizeof(text), "%.180s was removed; what comes is only in dumps",
			 engine.chunk->path);
		note_lasting(text);
	}
	while ((ret = flush_to(engine.chunk, end, most, &engine.counts, err)) &&
	       err->sys == ENOSPC && repository_drop_oldest(&engine.repository))
		flush_note_trouble(err->text);
	return ret && err->sys == EFBIG ? write_small_chunks(end, err) : ret;
}

static void begin_sampling(void)
{
	sampler_set(types_period(TYPE_EXECUTION_SAMPLE), types_period(TYPE_BLOCKED_SAMPLE));
}

static int flush(enum chunk_end end, uint32_t most, struct jfrec_recorder_error *err)
{
	struct jfrec_recorder_error own = { 0 };
	int ret;

	begin_sampling();
	ret = write_chunk(end, most, &own);
	if (ret)
		flush_note_trouble(own.text);
	snprintf(engine.trouble, sizeof(engine.trouble), "%s", ret ? own.text : engine.lasting);
	engine.failed_flushes += ret != 0;
	if (ret)
		recorder_fail(err, own.sys, "%s", own.text);
	return ret;
}

static int finish_chunk(enum chunk_end end, uint32_t most, struct jfrec_recorder_error *err)
{
	if (flush(end, most, err))
		return -1;
	repository_add(&engine.repository, engine.chunk->path, &engine.chunk->file,
		       engine.chunk->time_ns, engine.time_ns + engine.chunk->end_ticks,
		       engine.chunk->size);
	return 0;
}

int engine_finish_chunk(enum chunk_end end, struct jfrec_recorder_error *err)
{
	return finish_chunk(end, FLUSH_ALL, err);
}

bool engine_write_to(const char *path, struct jfrec_recorder_error *err)
{
	struct whole to;
	bool done;

	if (have_chunk_room(err) || whole_open(&to, path))
		return false;
	flush_new_chunk();
	flush_be_brief(true);
	done = chunk_take(engine.chunk, &to.file, path, engine.time_ns + engine.start_ticks,
			  engine.start_ticks) == 0 &&
	       flush_to(engine.chunk, CHUNK_IS_LAST, FLUSH_ALL, &engine.counts, err) == 0;
	flush_be_brief(false);
	to.file = engine.chunk->file;
	engine.chunk->file = HELD_NONE;
	if (!done)
		whole_drop(&to);
	else if (whole_close(&to, path))
		recorder_fail(err, errno, "cannot write %s: %s; the recording is kept beside it, in %s", path,
			      strerror(errno), to.made);
	return done;
}

int engine_flush(struct jfrec_recorder_error *err)
{
	return flush(CHUNK_CONTINUES, FLUSH_ALL, err);
}

uint64_t engine_boundary_ns(void)
{
	return engine.time_ns + (engine.chunks ? engine.chunk->end_ticks : clock_ticks());
}

/* The thread ----------------------------------------------------------------------------------- */

static enum round one_round(uint32_t life, uint32_t most)
{
	enum round ret;
	uint64_t now;

	/* Without the lock, for which a constructor of the program may wait. */
	modules_refresh();
	pthread_mutex_lock(&engine.lock);
	if (drainer_is_over(life)) {
		pthread_mutex_unlock(&engine.lock);
		return ROUND_OVER;
	}
	if ((has_chunk() && engine.chunk->size >= engine.options.max_chunk &&
	     finish_chunk(CHUNK_ENDS, most, NULL)) ||
	    flush(CHUNK_CONTINUES, most, NULL))
		ret = ROUND_FAILED;
	else
		ret = flush_has_more() ? ROUND_LEFT_SOME : ROUND_TOOK_ALL;
	recordings_purge(&engine.repository, engine.time_ns + clock_ticks());
	atomic_store(&engine.flush_ns, recordings_flush_ns());
	clock_calibrate();
	now = clock_ticks();
	if (now - engine.dead_searched_ticks > DEAD_SEARCHED_NS) {
		thread_find_dead();
		engine.dead_searched_ticks = now;
	}
	memory_grow();
	pthread_mutex_unlock(&engine.lock);
	return ret;
}

static uint64_t flush_ns(void)
{
	return atomic_load(&engine.flush_ns);
}

void engine_set_listen(void (*too)(void))
{
	void (*also)(void) = NULL;

	atomic_store(&engine.besides, too);
	/* It may have gone on already. */
	if (atomic_load(&engine.has_listened))
		also = atomic_exchange(&engine.besides, NULL);
	if (also)
		also();
}

static void do_besides(void)
{
	void (*too)(void);

	atomic_store(&engine.has_listened, true);
	too = atomic_exchange(&engine.besides, NULL);
	if (too)
		too();
}

/* A moment after the start, which a process of nothing does not see. */
static void go_on(uint32_t life)
{
	modules_refresh();
	pthread_mutex_lock(&engine.lock);
	if (!drainer_is_over(life))
		begin_sampling();
	pthread_mutex_unlock(&engine.lock);
}

static void listen_besides(uint32_t life)
{
	(void)life;
	do_besides();
}

/* What others have left that are gone. */
static void tidy(void)
{
	char chunk[REGION_PATH];
	uint32_t pid;

	memory_remove_forgotten();
	while (memory_find_settled(chunk, &pid))
		repository_leave_former(chunk, pid, false);
}

static void settle(uint32_t life)
{
	types_outgrow();
	pthread_mutex_lock(&engine.lock);
	if (!drainer_is_over(life))
		make_files(NULL);
	pthread_mutex_unlock(&engine.lock);
	tidy();
}

/* A program that has events of its own may emit any number of them, of which none is to be lost. */
static void go_on_at_once(void)
{
	modules_refresh();
	engine_make_files();
	pthread_mutex_lock(&engine.lock);
	if (engine.pid == getpid())
		begin_sampling();
	pthread_mutex_unlock(&engine.lock);
	do_besides();
}

static const struct drainer_work work = { one_round, flush_ns, go_on, listen_besides, settle };

/* Fork ----------------------------------------------------------------------------------------- */

/* Its events go into private memory, from the first on, until its own recorder begins. */
static bool go_on_in_child(void)
{
	traces_open();
	return memory_open(engine.options.memory_size, MEMORY_PRIVATE, NULL) == 0;
}

static void after_fork_in_child(void)
{
	bool goes_on =
		engine.follows_forks && (engine.pid || engine.goes_on) && !filter_is_expected();
	int saved = errno;

	types_unlock_in_child(goes_on);
	thread_forget();
	drainer_forget();
	sampler_forget();
	traces_forget();
	subscriptions_forget();
	modules_forget();
	if (engine.pid || engine.goes_on)
		memory_leave();
	if (engine.pid) {
		if (has_chunk())
			held_close_in_child(&engine.chunk->file);
		held_close_in_child(&engine.repository.last);
		held_close_in_child(&engine.repository.directory);
	}
	directory_after_fork(goes_on);
	engine.pid = 0;
	engine.lost_before = engine.lost_bytes_before = 0;
	recordings_forget();
	engine.repository = (struct repository)REPOSITORY_NONE;
	pthread_mutex_init(&engine.lock, NULL);
	engine.goes_on = goes_on && go_on_in_child();
	if (engine.in_child)
		engine.in_child();
	/* fork() may have been called in a signal handler. */
	errno = saved;
}

void engine_follow_forks(void)
{
	engine.follows_forks = true;
}

bool engine_goes_on(void)
{
	return engine.goes_on;
}

void engine_set_fork_handler(void (*in_child)(void))
{
	engine.in_child = in_child;
}

static void install_handlers(void)
{
	if (engine.has_handlers)
		return;
	gate_install();
	pthread_atfork(types_lock, types_unlock, after_fork_in_child);
	thread_init();
	engine.has_handlers = true;
}

/* Start and stop ------------------------------------------------------------------------------- */

static void free_options(void)
{
	free((char *)engine.options.repository);
	engine.options = (struct engine_options){ 0 };
}

/* The program may go elsewhere.  NULL: no memory. */
static char *make_absolute(const char *path)
{
	char here[PATH_ROOM], *made = NULL;

	if (*path == '/' || !getcwd(here, sizeof(here)))
		return strdup(path);
	return asprintf(&made, "%s/%s", here, path) < 0 ? NULL : made;
}

int engine_configure(const struct engine_options *o, struct jfrec_recorder_error *err)
{
	uint64_t memory = o->memory_size ? o->memory_size : 10 * MB;
	char *repository;

	if (memory < LEAST_MEMORY || memory > MOST_MEMORY)
		return recorder_fail(err, EINVAL, "memory_size has to be between 256 KiB and 4 GiB");
	repository = make_absolute(o->repository ? o->repository : "/tmp");
	if (!repository)
		return recorder_fail(err, ENOMEM, "no memory for the recorder's options");
	free_options();
	engine.options = *o;
	engine.options.repository = repository;
	engine.options.max_chunk = o->max_chunk ? o->max_chunk : 12 * MB;
	engine.options.memory_size = memory;
	directory_keep(repository);
	return 0;
}

/*
 * Will a wrapper emit what takes no time, as often as that happens?  Usually thresholds keep events
 * rare.
 */
static bool is_often(const char *event)
{
	struct effect e = { .threshold_ns = UINT64_MAX };
	const struct recording *r;

	for (size_t i = 0; (r = recordings_at(i)); i++)
		if (r->id && r->state == RECORDING_RUNNING)
			settings_apply(&r->settings, event, &e);
	settings_apply(types_program_settings(), event, &e);
	return e.threshold_ns < OFTEN_NS;
}

/* Is all that a recorder needs there from the start? */
static bool is_at_once(void)
{
	bool is = types_has_own() || engine.options.keep_repository;

	for (unsigned i = 0; borrowed_name(i) && !is; i++)
		is = is_often(borrowed_name(i));
	return is;
}

static int open_memory(struct jfrec_recorder_error *err)
{
	char former[REGION_PATH];
	bool keep;

	if (memory_find_former(former, &keep))
		repository_leave_former(former, (uint32_t)getpid(), keep);
	return memory_open(engine.options.memory_size,
			   is_at_once() ? MEMORY_FILE : MEMORY_FILE_SMALL, err);
}

/* What a process needs once: memory for events, and a chunk to write. */
static int prepare(struct jfrec_recorder_error *err)
{
	if (!engine.options.repository && engine_configure(&(struct engine_options){ 0 }, err))
		return -1;
	if (region && memory_is_here())
		memory_keep_again();
	else if (open_memory(err))
		return -1;
	traces_open();
	return 0;
}

/* Since the memory was made; it stays for the next recorder. */
static uint64_t count_lost(uint64_t *bytes)
{
	struct losses sums = { .bytes = 0 };
	uint64_t lost = 0;

	if (region)
		losses_sum(&sums);
	for (uint32_t id = 0; id < EVENT_TYPES; id++)
		lost += sums.of[id];
	*bytes = sums.bytes;
	return lost;
}

static int begin(struct jfrec_recorder_error *err)
{
	int failed;

	atomic_store(&engine.has_files, false);
	atomic_store(&engine.has_listened, false);
	clock_start(&engine.time_ns);
	engine.start_ticks = clock_ticks();
	region->time_ns = engine.time_ns;
	region->keeps_repository = engine.options.keep_repository;
	engine.counts = (struct flush_counts){ 0 };
	engine.failed_flushes = engine.chunks = 0;
	engine.lasting[0] = '\0';
	engine.lost_before = count_lost(&engine.lost_bytes_before);
	if (engine.goes_on)
		engine.lost_before = engine.lost_bytes_before = 0;
	engine.goes_on = false;
	atomic_store(&engine.flush_ns, recordings_flush_ns());
	recordings_use_settings();
	memory_block(engine.options.blocks);
	types_activate(true);
	if (!memory_is_small() && make_files(err))
		return -1;
	if (engine.options.keep_repository && flush(CHUNK_CONTINUES, FLUSH_ALL, err))
		return -1;
	types_tell_own(go_on_at_once);
	engine.pid = getpid();
	sampler_expect(types_period(TYPE_BLOCKED_SAMPLE));
	if (!memory_is_small())
		begin_sampling();
	failed = drainer_start(&work);
	if (!failed)
		return 0;
	engine.pid = 0;
	return recorder_fail(err, failed, "cannot start the recorder's thread: %s", strerror(failed));
}

void engine_give_up(void)
{
	engine.goes_on = false;
	types_activate(false);
}

int engine_start(struct jfrec_recorder_error *err)
{
	bool goes_on = engine.goes_on;

	install_handlers();
	if (prepare(err) == 0 &&
	    repository_plan(&engine.repository, engine.options.repository, err) == 0 &&
	    begin(err) == 0)
		return 0;
	/* A child keeps what it emits until it gives up. */
	engine.goes_on = goes_on;
	if (!goes_on)
		types_activate(false);
	memory_block(false);
	engine_close(false);
	return -1;
}

void engine_halt(void)
{
	sampler_stop();
	memory_block(false);
	drainer_halt();
}

void engine_settle(void)
{
	repository_settle(&engine.repository);
	memory_unlink();
}

void engine_close(bool keep)
{
	if (has_chunk()) {
		/* Without events: what was to be kept was finished. */
		if (!keep)
			repository_unlink(&engine.repository, engine.chunk->path);
		chunk_close(engine.chunk);
	}
	if (!keep) {
		if (engine.repository.path[0])
			repository_remove(&engine.repository);
		memory_unlink();
	} else {
		repository_fini(&engine.repository);
	}
	engine.pid = 0;
}

void engine_count(struct jfrec_recorder_stats *s)
{
	uint64_t bytes;

	s->is_running = engine.pid != 0;
	s->written = engine.counts.written;
	s->damaged_bytes = engine.counts.damaged_bytes;
	s->failed_flushes = engine.failed_flushes;
	s->chunks = engine.chunks;
	s->lost = count_lost(&bytes) - engine.lost_before;
	s->lost_bytes = bytes - engine.lost_bytes_before;
	memcpy(s->repository, engine.repository.path, sizeof(s->repository));
	memcpy(s->trouble, engine.trouble, sizeof(s->trouble));
}
