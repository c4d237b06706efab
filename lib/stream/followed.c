/* SPDX-License-Identifier: MIT */
/*
 * followed.c - one of many sources that are followed: its streams, its turn
 */
#include "stream/followed.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/deadline.h"
#include "base/error.h"
#include "process/jvm.h"

/*
 * Steps and time in one turn: one with many events lets the others have theirs.  A step is not
 * divided, and one that brings 100,000 event types takes longer.
 */
#define STEPS_PER_TURN 20000
#define TURN_NS	       (250 * NS_PER_MS)
#define STEPS_PER_LOOK 64 /* at the clock */

static struct jfrec_source *new_source(const char *name)
{
	struct jfrec_source *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->look_out = -1;
	s->name = arena_strndup(&s->arena, name, strlen(name));
	if (s->name)
		return s;
	followed_free(s);
	return NULL;
}

struct jfrec_source *followed_new_path(const char *path)
{
	return new_source(path);
}

struct jfrec_source *followed_new_jvm(const struct jfrec_jvm *jvm)
{
	struct jfrec_source *s;
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", jvm->pid);
	s = new_source(pid);
	if (s && jvm_copy(&s->jvm, jvm, &s->arena)) {
		s->is_jvm = true;
		return s;
	}
	followed_free(s);
	return NULL;
}

void followed_free(struct jfrec_source *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->stream_count; i++)
		jfrec_stream_close(s->streams[i].stream);
	free(s->streams);
	arena_fini(&s->arena);
	free(s);
}

struct jfrec_stream *jfrec_source_open(struct jfrec_source *s,
				       const struct jfrec_stream_options *options,
				       struct jfrec_error *err)
{
	struct jfrec_stream *stream;

	if (!array_reserve(s->streams, s->stream_count, s->stream_room)) {
		jfrec_fail_memory(err);
		return NULL;
	}
	stream = s->is_jvm ? jfrec_stream_open_jvm(&s->jvm, options, err)
			   : jfrec_stream_open(s->name, options, err);
	if (stream)
		s->streams[s->stream_count++] = (struct followed_stream){ .stream = stream };
	return stream;
}

/* What is known of it ------------------------------------------------------------------------- */

const char *jfrec_source_name(const struct jfrec_source *s)
{
	return s->name;
}

const struct jfrec_jvm *jfrec_source_jvm(const struct jfrec_source *s)
{
	return s->is_jvm ? &s->jvm : NULL;
}

void jfrec_source_set_ctx(struct jfrec_source *s, void *ctx)
{
	s->ctx = ctx;
}

void *jfrec_source_ctx(const struct jfrec_source *s)
{
	return s->ctx;
}

bool jfrec_source_has_ended(const struct jfrec_source *s)
{
	for (size_t i = 0; i < s->stream_count; i++) {
		if (!s->streams[i].has_ended)
			return false;
	}
	return true;
}

bool followed_is_jvm(const struct jfrec_source *s, const struct jfrec_jvm *jvm)
{
	return s->is_jvm && s->jvm.pid == jvm->pid && s->jvm.start_ticks == jvm->start_ticks;
}

/* Its turn ------------------------------------------------------------------------------------ */

/* Not by the clock on the wall: on a busy machine all take long. */
static int64_t processor_now_ns(void)
{
	struct timespec now = { 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

/* What is done with its steps counts, too.  True if there is time for one more. */
static bool has_time(struct followed_stream *f)
{
	if (f->steps == 0)
		f->began_ns = processor_now_ns();
	return f->steps < STEPS_PER_TURN &&
	       (f->steps % STEPS_PER_LOOK || processor_now_ns() - f->began_ns < TURN_NS);
}

static int tell(struct followed_stream *f, struct jfrec_streams_step *step,
		enum jfrec_streams_kind kind)
{
	f->steps = 0;
	step->kind = kind;
	return 1;
}

static int end(struct followed_stream *f, struct jfrec_streams_step *step,
	       enum jfrec_streams_kind kind)
{
	f->has_ended = true;
	return tell(f, step, kind);
}

/* 1: *step is set; 0: there is nothing now. */
static int take_step(struct followed_stream *f, struct jfrec_streams_step *step,
		     struct jfrec_error *err)
{
	int got = jfrec_stream_next(f->stream, 0, &step->step, err);

	if (got < 0)
		return end(f, step, JFREC_STREAMS_FAILED);
	if (got == 0)
		return end(f, step, JFREC_STREAMS_ENDED);
	if (step->step.kind == JFREC_STREAM_NOTHING)
		return 0;
	f->steps++;
	step->kind = JFREC_STREAMS_STEP;
	return 1;
}

int followed_step(struct jfrec_source *s, struct jfrec_streams_step *step, struct jfrec_error *err)
{
	while (s->at < s->stream_count) {
		struct followed_stream *f = &s->streams[s->at];

		step->source = s;
		step->stream = s->at;
		if (!f->has_ended && has_time(f) && take_step(f, step, err))
			return 1;
		if (!f->has_ended)
			s->took_ns += processor_now_ns() - f->began_ns;
		s->at++;
		if (f->steps)
			return tell(f, step, JFREC_STREAMS_TURN);
	}
	s->at = 0;
	return 0;
}

void followed_rest(struct jfrec_source *s, size_t others)
{
	if (others && s->took_ns > TURN_NS)
		s->rests_until_ns = deadline_now() + s->took_ns * (int64_t)others;
	s->took_ns = 0;
}

bool followed_rests(const struct jfrec_source *s)
{
	return s->rests_until_ns && deadline_now() < s->rests_until_ns;
}

void followed_stop(struct jfrec_source *s)
{
	for (size_t i = 0; i < s->stream_count; i++)
		jfrec_stream_stop(s->streams[i].stream);
}

int followed_pause_ms(const struct jfrec_source *s)
{
	int least = INT_MAX;

	for (size_t i = 0; i < s->stream_count; i++) {
		const struct followed_stream *f = &s->streams[i];
		int ms = f->has_ended ? INT_MAX : jfrec_stream_pause_ms(f->stream);

		least = ms < least ? ms : least;
	}
	if (followed_rests(s) && least != INT_MAX) {
		int rest = deadline_left_ms(s->rests_until_ns);

		least = rest > least ? rest : least;
	}
	return least;
}
