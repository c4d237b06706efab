/* SPDX-License-Identifier: MIT */
/*
 * recorder.c - what programs call
 */
#include "recorder/jfrec-recorder.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder/control/attach.h"
#include "recorder/control/control.h"
#include "recorder/control/follow.h"
#include "recorder/control/subscriptions.h"
#include "recorder/ground/fail.h"
#include "recorder/ground/filter.h"
#include "recorder/ground/memory.h"
#include "recorder/stack/modules.h"
#include "recorder/stack/walk.h"
#include "recorder/threads/thread.h"
#include "recorder/types/profile.h"

#define MB (1024u * 1024u)

/* Chunks on a tmpfs, so small ones that the limit counts well. */
static int use_memory(struct jfrec_recorder_options *o, struct jfrec_recorder_error *err)
{
	if (o->repository)
		return recorder_fail(err, EINVAL, "a recording in memory has no repository on disk; name none");
	o->repository = memory_folder();
	if (!o->repository)
		return recorder_fail(err, ENOTSUP, "there is no memory for chunks: /dev/shm is not a tmpfs");
	if (!o->max_size)
		o->max_size = 10 * MB;
	if (!o->max_chunk)
		o->max_chunk = o->max_size / 4;
	return 0;
}

/* Where nothing is made yet, the recorder's thread makes the listener, too. */
static void listen_on_start(void)
{
	if (!memory_is_small()) {
		attach_open(NULL);
		return;
	}
	engine_set_listen(attach_open_expected);
	attach_expect();
}

int jfrec_recorder_start(const struct jfrec_recorder_options *options,
			 struct jfrec_recorder_error *err)
{
	struct jfrec_recorder_options o = { 0 };
	struct settings settings = { 0 };
	struct engine_options engine;
	struct recording_options w;
	uint64_t id;
	int ret;

	if (options)
		memcpy(&o, options,
		       options->struct_size < sizeof(o) ? options->struct_size : sizeof(o));
	if (o.in_memory && use_memory(&o, err))
		return -1;
	engine = (struct engine_options){ o.repository, o.max_chunk, o.memory_size,
					  o.keep_repository, o.block };
	w = (struct recording_options){ .name = o.name ? o.name : "native",
					.filename = o.filename,
					.max_age_ns = o.max_age_ns,
					.max_size = o.max_size ? o.max_size : 250 * MB,
					.flush_ns = o.flush_ns,
					.delay_ns = o.delay_ns,
					.duration_ns = o.duration_ns,
					.is_left_at_exit = o.no_exit_dump,
					.settings = &settings,
					.engine = &engine };
	ret = o.settings ? profile_read_list(&settings, o.settings, err) : 0;
	if (!ret)
		ret = control_start(&w, &id, err);
	settings_fini(&settings);
	/* Without a listener it records all the same. */
	if (!ret && !o.no_attach)
		listen_on_start();
	if (!ret && (o.delay_ns || o.duration_ns))
		control_keep_time();
	return ret;
}

int jfrec_recorder_attach(struct jfrec_recorder_error *err)
{
	return attach_open(err);
}

int jfrec_recorder_flush(struct jfrec_recorder_error *err)
{
	int ret;

	engine_lock();
	ret = engine_is_running() ? engine_flush(err)
				  : recorder_fail(err, 0, "the recorder does not run; start it first");
	engine_unlock();
	return ret;
}

int jfrec_recorder_dump(const char *path, struct jfrec_recorder_error *err)
{
	uint64_t size;

	return control_dump(&(struct dump_options){ .path = path }, &size, err);
}

int jfrec_recorder_stop(struct jfrec_recorder_error *err)
{
	return control_stop_program(err);
}

int jfrec_recorder_set(const char *event, const char *setting, const char *value,
		       struct jfrec_recorder_error *err)
{
	return types_set(event, setting, value, err);
}

void jfrec_recorder_make_files(void)
{
	int saved = errno;

	engine_make_files();
	errno = saved;
}

void jfrec_recorder_before_filter(void)
{
	int saved = errno;

	engine_make_files();
	/* The calls that the first event of a thread makes. */
	if (region && memory_is_here())
		thread_attach();
	filter_expect();
	errno = saved;
}

void jfrec_recorder_count(struct jfrec_recorder_stats *stats)
{
	struct jfrec_recorder_stats s = { .struct_size = stats->struct_size };

	engine_lock();
	engine_count(&s);
	engine_unlock();
	memcpy(stats, &s, s.struct_size < sizeof(s) ? s.struct_size : sizeof(s));
}

/* After handlers of the program's own: of what they emit nothing is lost. */
__attribute__((destructor)) static void at_exit(void)
{
	struct jfrec_recorder_error err = { 0 };

	/* It may end the process for what this takes; the repository stays. */
	if (filter_is_expected())
		return;
	follow_finish();
	attach_close();
	/* What they need may be gone. */
	subscriptions_silence();
	if (engine_is_here() && control_exit(&err))
		fail_report(&err);
}

/* Not in a child of vfork(), which has its parent's memory. */
static bool is_own_process(void)
{
	return region && region->pid == (uint32_t)getpid();
}

void jfrec_recorder_before_exit(void)
{
	struct called_from from = called_from();
	int saved = errno;

	if (CAN_WALK && !filter_is_expected() && is_own_process()) {
		/* They are not, in the first moment. */
		if (!modules_are_known())
			modules_refresh();
		if (walk_is_whole(from, walk_end_of_stack((pid_t)syscall(SYS_gettid) == getpid())))
			at_exit();
		else
			memory_drop_small();
	}
	errno = saved;
}
