/* SPDX-License-Identifier: MIT */
/*
 * control.c - start, dump and stop recordings: for programs, clients and the exit
 */
#include "recorder/control/control.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "recorder/control/flush.h"
#include "recorder/ground/fail.h"
#include "recorder/ground/kept_directories.h"
#include "recorder/ground/memory.h"
#include "recorder/ground/pin.h"
#include "recorder/stack/modules.h"
#include "recorder/threads/thread.h"

#define LONGEST_TICK (10ull * SECOND_NS)

/* Outside of the engine's lock, which is free while files are copied. */
static pthread_mutex_t commands = PTHREAD_MUTEX_INITIALIZER;

static void in_child(void)
{
	pthread_mutex_init(&commands, NULL);
}

static void lock(void)
{
	pthread_mutex_lock(&commands);
	engine_set_fork_handler(in_child);
	engine_lock();
}

static void unlock(void)
{
	engine_unlock();
	pthread_mutex_unlock(&commands);
}

/* Starting ------------------------------------------------------------------------------------- */

/* The others go on; from a new chunk on it is there, too. */
static int join(struct recording *r, struct jfrec_recorder_error *err)
{
	if (engine_finish_chunk(CHUNK_ENDS, err))
		return -1;
	r->start_ns = engine_boundary_ns();
	r->state = RECORDING_RUNNING;
	recordings_use_settings();
	engine_flush(NULL);
	return 0;
}

static int run(struct recording *r, struct jfrec_recorder_error *err)
{
	struct timespec now;

	r->due_ns = r->duration_ns ? engine_monotonic_ns() + r->duration_ns : 0;
	if (engine_is_running())
		return join(r, err);
	clock_gettime(CLOCK_REALTIME, &now);
	r->start_ns = (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
	r->state = RECORDING_RUNNING;
	if (engine_start(err)) {
		r->state = RECORDING_NEW;
		return -1;
	}
	/* The clock of the system may have been set back just now. */
	if (region->time_ns < r->start_ns)
		r->start_ns = region->time_ns;
	return 0;
}

static int copy_settings(struct settings *to, const struct settings *from)
{
	for (size_t i = 0; from && i < from->count; i++)
		if (settings_add(to, from->rows[i].event, from->rows[i].name, from->rows[i].value))
			return -1;
	return 0;
}

static int fill(struct recording *r, const struct recording_options *w,
		struct jfrec_recorder_error *err)
{
	char id[24];

	snprintf(id, sizeof(id), "%llu", (unsigned long long)r->id);
	r->name = strdup(w->name ? w->name : id);
	r->filename = w->filename ? strdup(w->filename) : NULL;
	/* Which the program may not reach at its end, in another root. */
	if (w->filename && w->engine)
		directory_keep_of(w->filename);
	r->max_age_ns = w->max_age_ns;
	r->max_size = w->max_size;
	r->duration_ns = w->duration_ns;
	r->flush_ns = w->flush_ns ? w->flush_ns : SECOND_NS;
	r->is_programs = w->engine != NULL;
	r->is_left_at_exit = w->is_left_at_exit;
	if (r->name && (r->filename || !w->filename) &&
	    copy_settings(&r->settings, w->settings) == 0)
		return 0;
	return recorder_fail(err, ENOMEM, "no memory for a recording");
}

static int add(const struct recording_options *w, uint64_t *id, struct jfrec_recorder_error *err)
{
	struct recording *r;
	int ret;

	if (w->engine && recordings_of_program())
		return recorder_fail(err, EBUSY, "the recorder already runs; stop it first");
	if (w->engine && !engine_is_running() && engine_configure(w->engine, err))
		return -1;
	r = recordings_add();
	if (!r)
		return recorder_fail(err, EBUSY, "there are already %u recordings", MOST_RECORDINGS);
	*id = r->id;
	ret = fill(r, w, err);
	if (!ret && w->delay_ns) {
		r->state = RECORDING_DELAYED;
		r->due_ns = engine_monotonic_ns() + w->delay_ns;
	} else if (!ret) {
		ret = run(r, err);
	}
	if (ret)
		recordings_remove(r);
	return ret;
}

int control_start(const struct recording_options *options, uint64_t *id,
		  struct jfrec_recorder_error *err)
{
	int ret;

	pin_own_module();
	/* So that the first events have their stacks. */
	if (types_has_own())
		modules_refresh();
	lock();
	ret = add(options, id, err);
	unlock();
	return ret;
}

/* Writing -------------------------------------------------------------------------------------- */

static int not_running(struct jfrec_recorder_error *err)
{
	return recorder_fail(err, 0, "the recorder does not run; start it first");
}

/* What is chosen of a recording, which began when it began; r: NULL is all. */
static struct chosen chosen_of(const struct recording *r, struct chosen c)
{
	if (r && r->start_ns > c.from_ns)
		c.from_ns = r->start_ns;
	return c;
}

/* Under the engine's lock: the chunks, of which the last one is finished for it. */
static int open_for(const struct dump_options *w, struct opened *opened,
		    struct jfrec_recorder_error *err)
{
	const struct recording *r = w->name ? recordings_find(w->name) : NULL;
	struct chosen c;
	int ret;

	if (w->name && !r)
		return recorder_fail(err, ESRCH, "Could not find %s.", w->name);
	if (r && r->state != RECORDING_RUNNING)
		return recorder_fail(err, EAGAIN, "Recording \"%s\" has not started", r->name);
	if (!engine_is_running())
		return not_running(err);
	c = chosen_of(r, w->chosen);
	if (engine_finish_chunk(CHUNK_ENDS, err))
		return -1;
	ret = repository_open_chunks(engine_repository(), &c, opened, err);
	/* So that readers find the next one. */
	engine_flush(NULL);
	return ret;
}

static int write_to(const struct opened *opened, const char *path, bool in_place,
		    struct jfrec_recorder_error *err)
{
	return in_place ? repository_copy_into(opened, path, err)
			: repository_copy(opened, path, err);
}

int control_dump(const struct dump_options *w, uint64_t *size, struct jfrec_recorder_error *err)
{
	struct opened opened = { 0 };
	int ret;

	/*
	 * Under the lock only until the chunks are open: they may be deleted while they are copied.
	 */
	lock();
	ret = open_for(w, &opened, err);
	unlock();
	if (ret)
		return -1;
	*size = opened.size;
	if (opened.count)
		ret = write_to(&opened, w->path, w->in_place, err);
	repository_close_chunks(&opened);
	return ret;
}

/* Stopping ------------------------------------------------------------------------------------- */

/* Under the engine's lock, which is left while files are copied. */
static int write_recording(const struct recording *r, const char *path, bool in_place,
			   uint64_t *size, struct jfrec_recorder_error *err)
{
	struct chosen c = chosen_of(r, (struct chosen){ 0 });
	struct opened opened = { 0 };
	int ret;

	if (!path)
		return 0;
	ret = repository_open_chunks(engine_repository(), &c, &opened, err);
	if (ret)
		return -1;
	engine_unlock();
	ret = write_to(&opened, path, in_place, err);
	engine_lock();
	*size = opened.size;
	repository_close_chunks(&opened);
	return ret;
}

static int hangs(struct jfrec_recorder_error *err)
{
	return recorder_fail(err, ETIMEDOUT,
			     "the disk of the repository %s does not respond; the recording is there",
			     engine_repository()->path);
}

/* Under the lock: forget it, and what only it needed. */
static void leave(struct recording *r)
{
	recordings_remove(r);
	recordings_use_settings();
	engine_flush(NULL);
}

/* It is the last one: nothing is recorded from here on, unless it cannot be written. */
static int stop_last(struct recording *r, const char *path, bool in_place, uint64_t *size,
		     struct jfrec_recorder_error *err)
{
	types_activate(false);
	if (engine_finish_chunk(CHUNK_ENDS, err) || write_recording(r, path, in_place, size, err)) {
		types_activate(true);
		engine_flush(NULL);
		return -1;
	}
	engine_halt();
	recordings_remove(r);
	engine_settle();
	engine_close(engine_keeps_repository());
	return 0;
}

static int stop(struct recording *r, const char *path, uint64_t *size,
		struct jfrec_recorder_error *err)
{
	/* A file that a client names is there from the start; the program's own appears whole. */
	bool in_place = path || !r->is_programs;

	if (!path)
		path = r->filename;
	if (r->state != RECORDING_RUNNING)
		return recorder_fail(err, EAGAIN, "Recording must be started before it can be stopped.");
	if (recordings_running() == 1)
		return stop_last(r, path, in_place, size, err);
	if (engine_finish_chunk(CHUNK_ENDS, err))
		return -1;
	if (write_recording(r, path, in_place, size, err)) {
		engine_flush(NULL);
		return -1;
	}
	leave(r);
	return 0;
}

int control_stop(const char *name, const char *path, uint64_t *size,
		 struct jfrec_recorder_error *err)
{
	struct recording *r;
	int ret;

	*size = 0;
	lock();
	r = recordings_find(name);
	ret = r ? stop(r, path, size, err) : recorder_fail(err, ESRCH, "Could not find %s.", name);
	unlock();
	return ret;
}

static void add_where(struct jfrec_recorder_error *err)
{
	size_t len = err ? strlen(err->text) : 0;

	if (err)
		snprintf(err->text + len, sizeof(err->text) - len,
			 repository_is_removed(engine_repository())
				 ? "; its repository %s was removed, and the recording is lost"
				 : "; the recording is kept in %s",
			 engine_repository()->path);
}

/* Each that has a file is written to it.  The first failure counts. */
static int write_all(bool at_exit, struct jfrec_recorder_error *err)
{
	struct recording *r;
	uint64_t size;
	int ret = 0;

	for (size_t i = 0; (r = recordings_at(i)); i++)
		if (r->id && r->state == RECORDING_RUNNING && !(at_exit && r->is_left_at_exit) &&
		    write_recording(r, r->filename, false, &size, ret ? NULL : err))
			ret = -1;
	return ret;
}

/*
 * The next one, after that of this id, that is written to a file at the exit; NULL: there is none.
 */
static const struct recording *next_written(uint64_t after)
{
	const struct recording *r, *next = NULL;

	for (size_t i = 0; (r = recordings_at(i)); i++)
		if (r->id > after && r->state == RECORDING_RUNNING && r->filename &&
		    !r->is_left_at_exit && (!next || r->id < next->id))
			next = r;
	return next;
}

/*
 * Will anybody read what is written from here on?  Who follows a repository has seen a chunk of it.
 */
static bool is_read(bool at_exit)
{
	return !at_exit || engine_has_written() || engine_keeps_repository() || next_written(0);
}

/* Is there nothing yet but one recording, which goes to a file that is made here? */
static const char *only_file(bool at_exit)
{
	const struct recording *r = next_written(0);

	if (!at_exit || engine_has_files() || engine_keeps_repository() || !r ||
	    next_written(r->id) || !repository_is_replaced(r->filename))
		return NULL;
	return r->filename;
}

static int write_last(bool at_exit, struct jfrec_recorder_error *err)
{
	const char *only = only_file(at_exit);
	struct jfrec_recorder_error own = { 0 };

	if (only && engine_write_to(only, &own))
		return own.text[0] ? recorder_fail(err, own.sys, "%s", own.text) : 0;
	if (!is_read(at_exit))
		return 0;
	if (engine_finish_chunk(CHUNK_IS_LAST, err) == 0) {
		engine_settle();
		if (write_all(at_exit, err) == 0)
			return 0;
	}
	add_where(err);
	return -1;
}

/* Under both locks: end the thread, the last chunk, and all recordings. */
static int end_all(bool at_exit, struct jfrec_recorder_error *err)
{
	struct recording *r;
	int ret;

	types_activate(false);
	engine_halt();
	ret = write_last(at_exit, err);
	for (size_t i = 0; (r = recordings_at(i)); i++)
		if (r->id && r->state == RECORDING_RUNNING)
			recordings_remove(r);
	/* After a failure the repository is all that there is. */
	engine_close(ret || engine_keeps_repository());
	if (at_exit && !ret)
		memory_retire(!engine_keeps_repository());
	return ret;
}

int control_stop_program(struct jfrec_recorder_error *err)
{
	struct recording *r;
	uint64_t size;
	int ret;

	lock();
	r = recordings_of_program();
	if (r && r->state == RECORDING_DELAYED) {
		recordings_remove(r);
		ret = 0;
	} else if (!r || !engine_is_running()) {
		ret = not_running(err);
	} else if (recordings_running() == 1) {
		ret = end_all(false, err);
	} else {
		ret = engine_finish_chunk(CHUNK_ENDS, err);
		if (!ret)
			ret = write_recording(r, r->filename, false, &size, err);
		leave(r);
	}
	unlock();
	return ret;
}

int control_exit(struct jfrec_recorder_error *err)
{
	int ret = 0;

	if (!lock_with_patience(&commands))
		return 0;
	if (!engine_lock_with_patience()) {
		pthread_mutex_unlock(&commands);
		return hangs(err);
	}
	if (engine_is_running()) {
		flush_note_shutdown("exit() or return from main()");
		ret = end_all(true, err);
	}
	unlock();
	return ret;
}

/* Time ----------------------------------------------------------------------------------------- */

static void when_due(struct recording *r)
{
	struct jfrec_recorder_error err;
	uint64_t size;

	if (r->state == RECORDING_DELAYED) {
		if (run(r, &err) == 0)
			return;
		r->due_ns = engine_monotonic_ns() + SECOND_NS;
		if (r->is_programs && !r->is_reported)
			fail_report(&err);
		r->is_reported = true;
	} else if (stop(r, NULL, &size, &err)) {
		/* What cannot be written may be, later. */
		r->due_ns = engine_monotonic_ns() + SECOND_NS;
	}
}

uint64_t control_tick(void)
{
	uint64_t now = engine_monotonic_ns(), next = now + LONGEST_TICK;
	struct recording *r;

	lock();
	for (size_t i = 0; (r = recordings_at(i)); i++) {
		if (r->id && r->due_ns && r->due_ns <= now)
			when_due(r);
		if (r->id && r->due_ns && r->due_ns < next)
			next = r->due_ns;
	}
	unlock();
	return next > now ? next - now : 0;
}

static bool is_any_due(void)
{
	const struct recording *r;
	bool any = false;

	engine_lock();
	for (size_t i = 0; (r = recordings_at(i)); i++)
		any |= r->id && r->due_ns;
	engine_unlock();
	return any;
}

static void *keep_time(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "JFR Timer");
	thread_exclude();
	while (is_any_due()) {
		uint64_t ns = control_tick();
		struct timespec t = { (time_t)(ns / SECOND_NS), (long)(ns % SECOND_NS) };

		nanosleep(&t, NULL);
	}
	return NULL;
}

/* A listener keeps time, too, but there may be none, or it may sleep already. */
void control_keep_time(void)
{
	thread_make(keep_time);
}
