/* SPDX-License-Identifier: MIT */
/*
 * stream.c - the public iterator over events that a JVM is recording
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/deadline.h"
#include "base/error.h"
#include "base/options.h"
#include "base/sort.h"
#include "format/event_time.h"
#include "read/chunk_source.h"
#include "read/open.h"
#include "repository/directory.h"
#include "stream/flush_clock.h"
#include "stream/follow.h"
#include "stream/tail.h"

/* Between two looks whether the JVM still runs. */
#define ALIVE_NS (NS_PER_SECOND / 5)

/*
 * Between two looks for a chunk, when there has been none for a while, and for a moved directory.
 */
#define SEARCH_NS NS_PER_SECOND

/* A finished chunk's successor has a header within 300 ms. */
#define PATIENCE_NS (2 * NS_PER_SECOND)

/* What is kept in memory to be ordered. */
#define MAX_BATCH	262144
#define MAX_BATCH_BYTES (12u << 20)

/* Events that are not needed are given back in pieces of about this. */
#define FORGET_BYTES (256u << 10)

/* After so many steps at most, chunks that came are looked for: some milliseconds. */
#define TAKE_STEPS 256

struct jfrec_stream {
	struct jfrec_reader *reader;
	struct chunk_source *source; /* of the reader */
	const atomic_int *stop;
	int stop_fd; /* readable once it is to stop */
	struct tail tail;
	struct follow follow;
	bool is_following; /* a directory; false: a file, read by the reader's own means */
	bool is_ordered;
	bool is_abandoned; /* no process writes there: end instead of waiting */
	struct bounds bounds;
	struct follow_start start;
	bool from_now; /* what has been flushed before the first chunk was opened is passed over */
	enum jfrec_stream_end end;
	/* The chunk at hand. */
	struct chunk *chunk;
	struct chunk_walk walk;
	struct event_room *room; /* of the source */
	struct jfrec_event event;
	struct metadata *types; /* those that were announced */
	bool *selected; /* of these, by the index of the type; or NULL */
	const uint8_t *settled; /* what is in front is in the batch, or was given back */
	/* Events of a flush that wait to be delivered in order, and the next of them. */
	struct sort_list batch;
	size_t next;
	const uint8_t *batch_from; /* where the batch begins */
	uint64_t batch_bytes;	   /* in memory for it */
	bool has_flush;		   /* a flush to be announced, when these are */
	bool has_types;		   /* the types, before any other step */
	int64_t flush_ns;
	const uint8_t *flushed;	  /* what is in front has been flushed, as was announced */
	struct chunk_header last; /* of the chunk before */
	/* By deadline_now(); 0: not at all. */
	int64_t searched_at, waiting_since; /* for the next chunk */
	int64_t grown_at, asked_at;
	struct due due;
	bool has_ended; /* who wrote there, when that was asked last */
	bool has_died;	/* a chunk was never finished */
	bool told_part;
	unsigned steps; /* since chunks that came were looked for */
};

/* Opening -------------------------------------------------------------------------------------- */

static struct jfrec_stream *stream_new(const struct jfrec_stream_options *given,
				       struct jfrec_stream_options *o, struct jfrec_error *err)
{
	struct jfrec_stream *s;

	if (options_take(o, sizeof(*o), given, err) < 0)
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s) {
		jfrec_fail_memory(err);
		return NULL;
	}
	s->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (s->stop_fd < 0) {
		free(s);
		jfrec_fail_sys(err, errno, "cannot make an event descriptor");
		return NULL;
	}
	s->follow = FOLLOW_NONE;
	s->is_ordered = !o->unordered;
	s->bounds = bounds_of(o->from_ns, o->to_ns);
	s->start.at = o->from_ns ? FOLLOW_TIME : FOLLOW_NEWEST;
	if (o->from_ns && *o->from_ns == INT64_MIN)
		s->start.at = FOLLOW_OLDEST;
	s->start.ns = s->bounds.from_ns;
	s->from_now = !o->from_ns;
	return s;
}

static bool read_with(struct jfrec_stream *s, struct jfrec_reader *reader)
{
	if (!reader)
		return false;
	s->reader = reader;
	s->source = reader_source(reader);
	s->stop = source_stop_flag(s->source);
	s->room = source_room(s->source);
	return true;
}

static bool read_without_following(struct jfrec_stream *s, const char *path,
				   struct jfrec_error *err)
{
	return read_with(s, jfrec_reader_open(path, NULL, err));
}

static bool follow_with(struct jfrec_stream *s, struct jfrec_error *err)
{
	s->is_following = true;
	if (!read_with(s, reader_without_input(err)))
		return false;
	s->tail.recording = source_recording(s->source);
	return true;
}

struct jfrec_stream *jfrec_stream_open(const char *path, const struct jfrec_stream_options *options,
				       struct jfrec_error *err)
{
	struct jfrec_stream_options o;
	struct jfrec_stream *s = stream_new(options, &o, err);

	if (s && (directory_is(path)
			  ? follow_directory(&s->follow, path, err) == 0 && follow_with(s, err)
			  : read_without_following(s, path, err))) {
		s->is_abandoned = s->follow.is_abandoned && !o.wait;
		return s;
	}
	jfrec_stream_close(s);
	return NULL;
}

struct jfrec_stream *jfrec_stream_open_jvm(const struct jfrec_jvm *jvm,
					   const struct jfrec_stream_options *options,
					   struct jfrec_error *err)
{
	struct jfrec_stream_options o;
	struct jfrec_stream *s = stream_new(options, &o, err);

	if (s && follow_jvm(&s->follow, jvm, err) == 0 && follow_with(s, err))
		return s;
	jfrec_stream_close(s);
	return NULL;
}

void jfrec_stream_close(struct jfrec_stream *s)
{
	if (!s)
		return;
	if (s->tail.recording)
		tail_close(&s->tail);
	follow_fini(&s->follow);
	metadata_unref(s->types);
	free(s->selected);
	sort_fini(&s->batch);
	if (!s->is_following)
		chunk_unref(s->chunk);
	jfrec_reader_close(s->reader);
	close(s->stop_fd);
	free(s);
}

struct jfrec_reader *jfrec_stream_reader(struct jfrec_stream *s)
{
	return s->reader;
}

void jfrec_stream_stop(struct jfrec_stream *s)
{
	jfrec_reader_stop(s->reader);
	eventfd_write(s->stop_fd, 1);
}

enum jfrec_stream_end jfrec_stream_end_reason(const struct jfrec_stream *s)
{
	return s->end;
}

const char *jfrec_stream_directory(const struct jfrec_stream *s)
{
	return s->follow.name;
}

size_t jfrec_stream_type_count(const struct jfrec_stream *s)
{
	size_t n = 0;

	for (uint32_t k = 0; s->types && k < s->types->type_count; k++)
		n += s->types->types[k].is_event;
	return n;
}

const struct jfrec_type *jfrec_stream_type_get(const struct jfrec_stream *s, size_t i)
{
	for (uint32_t k = 0; s->types && k < s->types->type_count; k++) {
		if (s->types->types[k].is_event && i-- == 0)
			return &s->types->types[k];
	}
	return NULL;
}

/* Events of the chunk at hand ------------------------------------------------------------------ */

static bool is_selected(struct jfrec_stream *s, const struct jfrec_type *t,
			const struct raw_event *e, struct ticks *ticks)
{
	int64_t end;

	if (!s->selected[t->index] || !event_ticks(s->chunk, t, e, s->room->slots, ticks))
		return false;
	end = clock_time_ns(&s->chunk->clock, ticks->end);
	if (end < s->bounds.from_ns || (s->bounds.to_ns != INT64_MAX && end >= s->bounds.to_ns))
		return false;
	return source_passes(s->source, s->chunk, t, e, s->room->slots);
}

/* Make it the current event.  False if it cannot be decoded, which is noted. */
static bool set_event(struct jfrec_stream *s, struct jfrec_type *t, const struct raw_event *e)
{
	if (!chunk_decode(s->chunk, t, e, s->room->slots))
		return false;
	s->event = event_in(s->room, s->chunk);
	s->event.type = t;
	s->event.raw = *e;
	return true;
}

static int give(struct jfrec_stream *s, struct jfrec_stream_step *step)
{
	*step = (struct jfrec_stream_step){ JFREC_STREAM_EVENT, &s->event, 0 };
	return 1;
}

/* Give back what lies between the events of the batch, or before one that is delivered now. */
static void settle(struct jfrec_stream *s, const uint8_t *end, uint64_t least)
{
	if (end <= s->settled || (uint64_t)(end - s->settled) < least)
		return;
	s->settled = chunk_forget(s->chunk, s->settled, end);
	if (s->batch.count == 0)
		s->batch_from = s->settled;
}

/* The batch was delivered: give back all of it. */
static void settle_batch(struct jfrec_stream *s)
{
	s->settled = s->batch_from;
	s->batch.count = s->next = 0;
	s->batch_bytes = 0;
	settle(s, s->walk.at.pos, 0);
}

/* The next event of the batch.  1; 0: none is left. */
static int give_next(struct jfrec_stream *s, struct jfrec_stream_step *step)
{
	while (s->next < s->batch.count) {
		struct cursor at = chunk_from(s->chunk, s->batch.items[s->next++].value);
		struct raw_event e;

		if (walk_next(&at, &e) == 1 &&
		    set_event(s, metadata_type(s->chunk->metadata, e.type_id), &e))
			return give(s, step);
	}
	if (s->batch.count)
		settle_batch(s);
	return 0;
}

/*
 * Keep it until the flush is complete.  1: there is room for more; 0: there is not; -1: no memory.
 */
static int keep(struct jfrec_stream *s, const struct raw_event *e, int64_t end_ticks)
{
	const uint8_t *end = e->start + e->size;

	if (sort_add(&s->batch, end_ticks, (uint64_t)(e->start - s->chunk->bytes)) < 0)
		return -1;
	s->batch_bytes += (uint64_t)(end - s->settled);
	s->settled = end;
	return s->batch.count < MAX_BATCH && s->batch_bytes < MAX_BATCH_BYTES;
}

static void note_flush(struct jfrec_stream *s, int64_t ns)
{
	const uint8_t *at = s->walk.at.pos;

	s->has_flush = at != s->flushed;
	s->flush_ns = ns;
	s->flushed = at;
}

enum walked { WALKED_EVENT, WALKED_BATCH, WALKED_ALL, WALKED_NO_MEMORY };

/* The next event, among others that were not asked for. */
static bool walk_on(struct jfrec_stream *s, struct raw_event *e)
{
	return s->is_following ? chunk_walk_selected(&s->walk, s->selected, e)
			       : chunk_walk_any(&s->walk, e);
}

/* To the next event (unordered) or to the end of the flush. */
static enum walked walk_chunk(struct jfrec_stream *s)
{
	struct jfrec_type *t = NULL;
	struct raw_event e;
	struct ticks ticks;
	int64_t flushed;

	while (walk_on(s, &e)) {
		settle(s, e.start, FORGET_BYTES);
		if (e.type_id == TYPE_CHECKPOINT && s->is_following &&
		    chunk_is_flush(&e, &flushed)) {
			note_flush(s, clock_time_ns(&s->chunk->clock, flushed));
			return WALKED_BATCH;
		}
		/* Events of a type come in rows. */
		if (!t || t->id != e.type_id)
			t = chunk_type_of(s->chunk, &e);
		if (!t || !is_selected(s, t, &e, &ticks))
			continue;
		if (!s->is_ordered) {
			if (set_event(s, t, &e))
				return WALKED_EVENT;
		} else {
			int more = keep(s, &e, ticks.end);

			if (more <= 0)
				return more < 0 ? WALKED_NO_MEMORY : WALKED_BATCH;
		}
	}
	return WALKED_ALL;
}

/* Chunks --------------------------------------------------------------------------------------- */

static int announce(struct jfrec_stream *s)
{
	struct metadata *m = s->chunk->metadata;

	if (m != s->types) {
		source_look_at_names(s->source, m, s->is_following && !s->types);
		metadata_unref(s->types);
		s->types = metadata_ref(m);
		s->has_types = true;
		free(s->selected);
		s->selected = NULL;
	}
	if (!s->selected)
		s->selected = source_selected(s->source, m);
	return s->selected ? 0 : -1;
}

/* The chunk has other constants and perhaps other types than a moment ago. */
static int enter(struct jfrec_stream *s, struct jfrec_error *err)
{
	if (source_enter(s->source, s->chunk, err) < 0)
		return -1;
	return announce(s) < 0 ? jfrec_fail_memory(err) : 0;
}

static int begin_chunk(struct jfrec_stream *s, struct chunk *c, struct jfrec_error *err)
{
	struct chunk_walk *w = &s->walk;

	s->chunk = c;
	*w = chunk_walk(c);
	if (s->from_now && s->is_following)
		w->at = chunk_from(c, c->extent.size);
	if (c->extent.state == JFREC_UNFINISHED)
		s->from_now = false;
	s->settled = s->batch_from = s->flushed = w->at.pos;
	return enter(s, err);
}

static int64_t end_of(const struct chunk_header *h)
{
	return long_add(h->start_ns, h->duration_ns);
}

/* The next chunk of a file.  1; 0: there is none; -1. */
static int next_of_file(struct jfrec_stream *s, struct jfrec_error *err)
{
	struct chunk *c;
	int got;

	if (s->chunk) {
		note_flush(s, end_of(&s->chunk->extent.header));
		chunk_tell_end(s->chunk);
		chunk_unref(s->chunk);
		s->chunk = NULL;
		return 1;
	}
	got = source_next(s->source, &c, err);
	if (got == 0)
		s->end = JFREC_STREAM_DONE;
	return got <= 0 ? got : begin_chunk(s, c, err) < 0 ? -1 : 1;
}

/* The tail has grown, or is readable for the first time. */
static int grown(struct jfrec_stream *s, struct jfrec_error *err)
{
	if (!s->chunk)
		return begin_chunk(s, s->tail.chunk, err);
	chunk_walk_grow(&s->walk);
	return enter(s, err);
}

/* Following ------------------------------------------------------------------------------------ */

static void tell_gap(struct jfrec_stream *s, const struct chunk_header *h)
{
	const struct chunk_header *last = &s->last;
	struct loss gap = { .from_ns = end_of(last), .to_ns = h->start_ns };

	source_problems(s->source)->input = s->follow.name;
	/*
	 * Only if the one after it was there at once: else there was a pause between recordings.
	 */
	if (s->follow.has_last && !s->waiting_since &&
	    gap.to_ns - gap.from_ns > NS_PER_SECOND / 1000)
		problem_gap(source_problems(s->source), &gap,
			    "there is a gap between two chunks: nothing was recorded, or chunks "
			    "were removed before they could be read");
}

/* Say how many chunks could not be read at all, since this was last reported. */
static void tell_missed(struct jfrec_stream *s)
{
	struct pending_chunks *held = &s->follow.held;
	struct problems *p = source_problems(s->source);
	const char *open = p->input;

	if (!held->missed)
		return;
	p->input = s->follow.name;
	problem_gap(p, &(struct loss){ 0 },
		    "the JVM removed %u %s before jfrec could open %s: events may be missing",
		    held->missed, held->missed == 1 ? "chunk" : "chunks",
		    held->missed == 1 ? "it" : "them");
	p->input = open;
	held->missed = 0;
}

/* Leave a chunk that is finished, or that will never be finished. 0, or -1 when memory is gone. */
static int leave(struct jfrec_stream *s)
{
	struct tail *t = &s->tail;
	int ret = 0;

	if (s->chunk)
		note_flush(s, end_of(&t->extent.header));
	s->chunk = NULL;
	s->has_died = !t->is_finished;
	if (t->extent.header.size)
		s->last = t->extent.header;
	if (tail_next(t))
		return 0;
	s->from_now = false;
	/* What had no header when it was found has one now. */
	if (t->first.size || t->extent.header.size)
		ret = follow_passed(&s->follow, t->name,
				    t->first.size ? &t->first : &t->extent.header);
	tail_close(t);
	s->searched_at = s->waiting_since = 0;
	return ret;
}

static int open_file(struct jfrec_stream *s, const struct follow_file *file,
		     struct jfrec_error *err)
{
	struct jfrec_error why = { 0 };
	char *name;
	int ret;

	if (asprintf(&name, "%s/%s", s->follow.name, file->name) < 0)
		return jfrec_fail_memory(err);
	ret = tail_open(&s->tail, file->path, name, &file->header, &why);
	free(name);
	if (ret == 0) {
		s->grown_at = deadline_now();
		return 1;
	}
	if (why.code != JFREC_EIO && why.code != JFREC_EINVAL) {
		if (err)
			*err = why;
		return -1;
	}
	return 0; /* it was removed in between */
}

/* A chunk that can be read only when it is finished. */
static int open_part(struct jfrec_stream *s, struct jfrec_error *err)
{
	struct follow_file file;
	int got = follow_part(&s->follow, &file, err);

	if (got > 0)
		got = open_file(s, &file, err);
	follow_file_close(&file);
	if (got > 0)
		s->from_now = false; /* nothing of it has been flushed */
	if (got > 0 && !s->told_part) {
		s->told_part = true;
		problem_notice(source_problems(s->source), 0, 0,
			       "JDK 8 and 11 write chunks that cannot be read until they are "
			       "finished; their events are printed then");
	}
	return got;
}

/* Look for the next chunk file. 1: one is open; 0: there is none; -1. */
static int search(struct jfrec_stream *s, bool abandoned, struct jfrec_error *err)
{
	struct follow_file file;
	int got;

	/* Where it was is looked at first: a chunk may have been finished there in between. */
	got = follow_next(&s->follow, &s->start, &file, err);
	if (got == 0 && (got = follow_move(&s->follow, err)) > 0)
		got = follow_next(&s->follow, &s->start, &file, err);
	if (got > 0) {
		tell_gap(s, &file.header);
		got = open_file(s, &file, err);
		follow_file_close(&file);
		return got;
	}
	return got < 0 || abandoned ? got : open_part(s, err);
}

/* There is nothing new: is that forever? */
static void conclude(struct jfrec_stream *s, bool abandoned)
{
	int64_t since = s->tail.path ? s->grown_at : s->waiting_since;
	bool is_late = deadline_now() - since > PATIENCE_NS;

	if (s->bounds.to_ns != INT64_MAX && real_now_ns() - PATIENCE_NS > s->bounds.to_ns)
		s->end = JFREC_STREAM_TIME;
	else if (s->tail.path && !abandoned)
		s->end = is_late && !s->follow.has_process && follow_is_deleted(&s->follow)
				 ? JFREC_STREAM_DELETED
				 : JFREC_STREAM_GOES_ON;
	else if (abandoned)
		s->end = s->has_died ? JFREC_STREAM_DIED : JFREC_STREAM_DONE;
	else if (!s->follow.has_process && is_late && follow_is_deleted(&s->follow))
		s->end = JFREC_STREAM_DELETED;
	else if (!s->follow.has_process && is_late && (s->last.flags & CHUNK_FINAL))
		s->end = JFREC_STREAM_DONE;
}

/* The successor is there at once; a recording may begin at any time. */
static bool is_time_to_search(struct jfrec_stream *s)
{
	int64_t now = deadline_now();

	if (s->searched_at && now - s->waiting_since > PATIENCE_NS &&
	    now - s->searched_at < SEARCH_NS)
		return false;
	s->searched_at = now;
	return true;
}

static bool is_abandoned(struct jfrec_stream *s)
{
	int64_t now = deadline_now();

	if (!s->has_ended && now - s->asked_at >= ALIVE_NS) {
		s->asked_at = now;
		s->has_ended = s->is_abandoned || follow_has_ended(&s->follow);
	}
	return s->has_ended;
}

/* A chunk that has just come may be gone a moment later. */
static void take_new(struct jfrec_stream *s)
{
	s->steps = 0;
	pending_chunks_take(&s->follow.held);
}

/*
 * While JDK 8 or 11 goes from one chunk to the next there are two that are not finished, and one
 * stays so forever if that fails.  1: another than the one that is open is finished, and is open
 * now; 0: none is; -1: *err is set.
 */
static int overtake(struct jfrec_stream *s, struct jfrec_error *err)
{
	struct follow_file file;
	int got = follow_next(&s->follow, &s->start, &file, err);

	if (got > 0 && tail_is_file(&s->tail, file.fd))
		got = 0;
	if (got > 0) {
		tail_close(&s->tail);
		got = open_file(s, &file, err);
	}
	follow_file_close(&file);
	return got;
}

/* Once in a while, and when it has got its name: what was finished before has its own by then. */
static bool may_be_overtaken(struct jfrec_stream *s)
{
	struct tail *t = &s->tail;
	const char *slash = strrchr(t->name, '/');

	if (!t->is_part)
		return false;
	t->has_name = follow_has_name(&s->follow, slash ? slash + 1 : t->name);
	return is_time_to_search(s) || !t->has_name;
}

/*
 * 1: there is something new, or to be reported; 0: there is not, perhaps forever; -1: *err is set.
 */
static int follow(struct jfrec_stream *s, struct jfrec_error *err)
{
	/* Asked first: what it wrote before its end is then seen. */
	bool abandoned = is_abandoned(s);
	int got = 0;

	take_new(s);
	tell_missed(s);
	if (s->tail.path && may_be_overtaken(s))
		got = overtake(s, err);
	if (got)
		return got;
	if (s->tail.path) {
		got = tail_refresh(&s->tail, abandoned, err);
		if (got > 0) {
			s->grown_at = deadline_now();
			due_note(&s->due, end_of(&s->tail.extent.header), real_now_ns(),
				 s->grown_at);
			return grown(s, err) < 0 ? -1 : 1;
		}
		if (got == 0 && (s->tail.is_finished || s->tail.is_lost || abandoned))
			return leave(s) < 0 ? jfrec_fail_memory(err) : 1;
	} else if (abandoned || is_time_to_search(s)) {
		got = search(s, abandoned, err);
		if (got == 0 && !s->waiting_since)
			s->waiting_since = deadline_now();
	}
	if (got == 0)
		conclude(s, abandoned);
	return got;
}

/* Steps ---------------------------------------------------------------------------------------- */

static int announce_types(struct jfrec_stream *s, struct jfrec_stream_step *step)
{
	s->has_types = false;
	*step = (struct jfrec_stream_step){ .kind = JFREC_STREAM_TYPES };
	return 1;
}

static int announce_flush(struct jfrec_stream *s, struct jfrec_stream_step *step)
{
	s->has_flush = false;
	if (s->flush_ns >= s->bounds.to_ns)
		s->end = JFREC_STREAM_TIME;
	*step = (struct jfrec_stream_step){ .kind = JFREC_STREAM_FLUSH, .ns = s->flush_ns };
	return 1;
}

/* What comes next, if anything does now. 1; 0: nothing, and if s->end is set nothing will; -1. */
static int try_step(struct jfrec_stream *s, struct jfrec_stream_step *step, struct jfrec_error *err)
{
	int got = 1;

	while (got > 0) {
		enum walked walked = WALKED_ALL;

		if (*s->stop)
			s->end = JFREC_STREAM_STOPPED;
		if (s->end)
			return 0;
		if (s->has_types)
			return announce_types(s, step);
		if (give_next(s, step))
			return 1;
		if (s->has_flush)
			return announce_flush(s, step);
		if (s->chunk)
			walked = walk_chunk(s);
		if (walked == WALKED_EVENT)
			return give(s, step);
		if (walked == WALKED_NO_MEMORY || sort_items(&s->batch) < 0)
			return jfrec_fail_memory(err);
		if (walked == WALKED_ALL && s->batch.count == 0)
			got = s->is_following ? follow(s, err) : next_of_file(s, err);
	}
	return got;
}

int jfrec_stream_pause_ms(const struct jfrec_stream *s)
{
	if (!s->chunk || s->tail.is_finished)
		return DUE_POLL_MS;
	return due_pause_ms(&s->due, deadline_now());
}

int jfrec_stream_fd(const struct jfrec_stream *s)
{
	return s->end ? -1 : s->follow.held.fd;
}

/* A signal ends it, and so does a chunk that has come, or a stop. */
static void pause_for(const struct jfrec_stream *s, int ms)
{
	struct pollfd fds[] = { { jfrec_stream_fd(s), POLLIN, 0 }, { s->stop_fd, POLLIN, 0 } };

	poll(fds, 2, ms);
}

int jfrec_stream_next(struct jfrec_stream *s, int timeout_ms, struct jfrec_stream_step *step,
		      struct jfrec_error *err)
{
	int64_t deadline = timeout_ms < 0 ? INT64_MAX : deadline_in_ms(timeout_ms);

	*step = (struct jfrec_stream_step){ 0 };
	event_room_clear(s->room);
	if (++s->steps >= TAKE_STEPS)
		take_new(s);
	for (;;) {
		int got = try_step(s, step, err), left, pause;

		if (got || s->end)
			return got;
		left = deadline_left_ms(deadline);
		if (left == 0)
			return 1; /* JFREC_STREAM_NOTHING */
		pause = jfrec_stream_pause_ms(s);
		pause_for(s, left < pause ? left : pause);
	}
}
