/* SPDX-License-Identifier: MIT */
/*
 * during_read.c - when the events ran during which others are wanted
 *
 *	chunk --read_chunk(), by any thread--> sightings --merge_chunk(), in order--> intervals
 *
 * Where a field carries a key from thread to thread, the first pass collects the keys of the events
 * that match, and the second one all events, of any type, that have such a key.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/near.h"
#include "format/event_time.h"
#include "jfrec-tool.h"
#include "read/chunk_crew.h"
#include "read/reader.h"

/* An event that matches. */
struct sighting {
	int64_t begin_ns, end_ns;
	uint64_t thread, key;
	uint32_t label; /* in the chunk's labels */
	bool has_thread;
};

/* What a chunk has. */
struct sightings {
	struct sighting *items;
	size_t count, room;
	bool has_type, has_duration, has_thread, has_field, has_label; /* any selected type */
	struct label_spans labels; /* only their texts */
};

struct reading {
	const struct jfrec_during *what;
	struct during *during;
	struct jfrec_during_found *found;
	bool is_second; /* pass */
	bool has_type, has_duration, has_thread, has_field, has_label;
	struct idmap keys;
	struct near near;     /* names like the one that no type has */
	int64_t recording_ns; /* when it began */
};

/* Types ---------------------------------------------------------------------------------------- */

/* Are events of the type looked at in this pass? */
static bool is_asked(const struct reading *r, const struct chunk_source *s,
		     const struct jfrec_type *t)
{
	if (!t->is_event || plan_of(t)->fault)
		return false;
	return r->is_second ? object_field(t, r->what->by) != NULL : source_selects(s, t);
}

static void look_at_type(const struct reading *r, struct sightings *f, const struct jfrec_type *t)
{
	f->has_type = true;
	f->has_duration |= plan_of(t)->duration_step != PLAN_NO_STEP;
	f->has_thread |= during_use_of(t).thread_type != NULL;
	f->has_field |= r->what->by && object_field(t, r->what->by);
	f->has_label |= r->what->label && object_field(t, r->what->label);
}

/* Can any event of the type count? */
static bool is_useful(const struct reading *r, const struct jfrec_type *t)
{
	const struct plan *plan = plan_of(t);

	return plan->start_step != PLAN_NO_STEP &&
	       (r->is_second || plan->duration_step != PLAN_NO_STEP);
}

/* The types of the chunk that are looked at, and what is known of each by its index. */
static struct type_set types_asked(const struct reading *r, const struct chunk_task *task,
				   struct during_use *uses, struct sightings *f)
{
	const struct metadata *m = task->chunk->metadata;
	struct type_set set = { 0 };

	for (uint32_t i = 0; i < m->type_count; i++) {
		const struct jfrec_type *t = &m->types[i];

		if (!is_asked(r, task->source, t))
			continue;
		look_at_type(r, f, t);
		if (!is_useful(r, t))
			continue;
		uses[i] = during_use_of(t);
		type_set_add(&set, t->id);
	}
	return set;
}

/* Threads -------------------------------------------------------------------------------------- */

/* What is known of a chunk while its events are read. */
struct chunk_reading {
	struct objects objects;
	struct during_use *uses; /* by the index of the type; .slots 0: it is not looked at */
	struct idmap threads;	 /* key of a thread, to its place here: */
	uint64_t *ids;
	size_t id_count, id_room;
};

static void chunk_reading_fini(struct chunk_reading *c)
{
	arena_fini(&c->objects.scratch);
	free(c->uses);
	free(c->ids);
	idmap_fini(&c->threads);
}

/* during_thread(), of each thread once; without memory for that, again. */
static bool find_thread(struct chunk_reading *c, const struct during_use *u, const uint64_t *slots,
			uint64_t *thread)
{
	uint64_t key = u->thread_type ? slots[u->thread_slot] : 0;
	uint32_t place = key ? idmap_get(&c->threads, key) : IDMAP_NONE;

	if (place != IDMAP_NONE) {
		*thread = c->ids[place];
		return true;
	}
	if (!during_thread(&c->objects, u, slots, thread))
		return false;
	place = (uint32_t)c->id_count;
	if (array_push(c->ids, c->id_count, c->id_room, *thread))
		idmap_put(&c->threads, key, place);
	return true;
}

/* Events --------------------------------------------------------------------------------------- */

/* What the field says, so that it means the same in all chunks; 0: nothing. */
static uint64_t key_of(struct objects *o, struct object event, const char *by)
{
	const struct jfrec_field *f = object_field(event.type, by);
	size_t len = 0;
	const char *text = f ? object_text(o, event, by, &len) : NULL;
	struct digest d = DIGEST_INIT;
	uint64_t key = 0;

	if (text && len) {
		digest_bytes(&d, text, len);
		key = d.a;
	} else if (f && !text && !f->constant) {
		key = (uint64_t)object_number(event, by, 0);
	}
	arena_recycle(&o->scratch);
	return key;
}

/* The text of the field that is the label, by its number among the chunk's; NO_LABEL: it is null.
 */
static uint32_t label_of(struct objects *o, struct object event, const char *name,
			 struct label_spans *labels)
{
	const struct jfrec_field *f = object_field(event.type, name);
	size_t len = 0;
	const char *text = f ? object_text(o, event, name, &len) : NULL;
	uint32_t label = NO_LABEL;
	char number[24];

	if (text) {
		label = label_spans_text(labels, text, len);
	} else if (f && !f->constant && f->type->wire >= WIRE_BOOLEAN &&
		   f->type->wire <= WIRE_LONG) {
		len = (size_t)snprintf(number, sizeof(number), "%" PRId64,
				       object_number(event, name, 0));
		label = label_spans_text(labels, number, len);
	}
	arena_recycle(&o->scratch);
	return label;
}

static struct sighting sighting_of(const struct reading *r, struct chunk_reading *c,
				   struct object event)
{
	const struct plan *plan = plan_of(event.type);
	const struct clock *clock = &c->objects.chunk->clock;
	int64_t start = (int64_t)event.slots[plan->start_step], duration = 0;
	struct sighting s = { 0 };

	if (plan->duration_step != PLAN_NO_STEP)
		duration = (int64_t)event.slots[plan->duration_step];
	s.begin_ns = clock_time_ns(clock, start);
	s.end_ns = clock_time_ns(clock, long_add(start, duration));
	/* One that takes no time has its own moment; one that never ends has all that follow. */
	if (duration > 0 && s.end_ns < s.begin_ns)
		s.end_ns = INT64_MAX;
	else if (s.end_ns <= s.begin_ns)
		s.end_ns = long_add(s.begin_ns, 1);
	s.has_thread = find_thread(c, &c->uses[event.type->index], event.slots, &s.thread);
	s.key = r->what->by ? key_of(&c->objects, event, r->what->by) : 0;
	return s;
}

/* 0, or -1 when memory is gone. */
static int take_event(const struct reading *r, struct chunk_reading *c, struct object event,
		      struct sightings *f)
{
	struct sighting s = sighting_of(r, c, event);

	if (r->is_second && (!s.key || idmap_get(&r->keys, s.key) == IDMAP_NONE))
		return 0;
	s.label = r->what->label ? label_of(&c->objects, event, r->what->label, &f->labels)
				 : NO_LABEL;
	return array_push(f->items, f->count, f->room, s) ? 0 : -1;
}

static bool matches(const struct reading *r, struct chunk_task *task, const struct jfrec_type *t,
		    const struct raw_event *e, uint64_t *slots)
{
	return (r->is_second || source_passes(task->source, task->chunk, t, e, slots)) &&
	       chunk_decode(task->chunk, t, e, slots);
}

/* 0, or -1 when memory is gone. */
static int read_events(const struct reading *r, struct chunk_task *task, struct chunk_reading *c,
		       struct sightings *f)
{
	const struct type_set types = types_asked(r, task, c->uses, f);
	uint64_t *slots = source_room(task->source)->slots;
	struct chunk_walk w = chunk_walk(task->chunk);
	struct raw_event e;
	int ret = 0;

	while (ret == 0 && chunk_walk_any_of(&w, &types, &e)) {
		const struct jfrec_type *t = chunk_type_of(task->chunk, &e);

		if (t && c->uses[t->index].slots && matches(r, task, t, &e, slots))
			ret = take_event(r, c, (struct object){ t, slots }, f);
	}
	return ret;
}

static void drop_chunk(void *ctx, void *found)
{
	struct sightings *f = found;

	(void)ctx;
	free(f->items);
	label_spans_fini(&f->labels);
	free(f);
}

static void *read_chunk(void *ctx, struct chunk_task *task)
{
	const struct reading *r = ctx;
	struct sightings *f = calloc(1, sizeof(*f));
	size_t types = (size_t)task->chunk->metadata->type_count + 1;
	struct chunk_reading c = { .objects.chunk = task->chunk,
				   .uses = calloc(types, sizeof(*c.uses)) };
	int ret = f && c.uses ? read_events(r, task, &c, f) : -1;

	chunk_reading_fini(&c);
	chunk_tell_end(task->chunk);
	if (ret == 0)
		return f;
	if (f)
		drop_chunk(ctx, f);
	return NULL;
}

/* Chunks in their order ------------------------------------------------------------------------ */

static void count_event(struct reading *r, const struct sighting *s)
{
	if (r->is_second) {
		r->found->joined++;
		return;
	}
	r->found->events++;
	r->found->without_thread += !s->has_thread;
	r->found->without_key += r->what->by && !s->key;
	r->found->began_before += s->begin_ns < r->recording_ns;
}

/* 0, or -1 when memory is gone. */
static int merge_label(struct reading *r, const struct sighting *s, const struct label_spans *of,
		       uint64_t thread)
{
	struct during *d = r->during;
	struct labelled one = { s->begin_ns, s->end_ns, intervals_thread(&d->intervals, thread),
				NO_LABEL };
	const char *text;

	if (s->label == NO_LABEL || one.thread == NO_THREAD)
		return 0;
	text = of->texts[s->label];
	one.label = label_spans_text(&d->labels, text, strlen(text));
	return one.label == NO_LABEL ? -1 : label_spans_add(&d->labels, one);
}

/* 0, or -1 when memory is gone. */
static int merge_event(struct reading *r, const struct sighting *s,
		       const struct label_spans *labels, uint32_t jvm)
{
	uint64_t thread = r->what->all_threads ? ANY_THREAD : s->thread;

	count_event(r, s);
	if (r->what->by && !r->is_second)
		return !s->key || idmap_put(&r->keys, s->key, 0) ? 0 : -1;
	if (!s->has_thread && !r->what->all_threads)
		return 0;
	if (intervals_add(&r->during->intervals, during_id(jvm, thread), s->begin_ns, s->end_ns) <
	    0)
		return -1;
	return merge_label(r, s, labels, during_id(jvm, thread));
}

static void offer_names(struct reading *r, const struct metadata *m)
{
	for (uint32_t i = 0; i < m->type_count && !r->has_type; i++) {
		if (m->types[i].is_event)
			near_offer(&r->near, m->types[i].name);
	}
}

static int merge_chunk(void *ctx, const struct chunk_task *task, void *found,
		       struct jfrec_error *err)
{
	struct reading *r = ctx;
	const struct sightings *f = found;
	uint32_t jvm = chunk_jvms_number(&r->during->jvms, task->chunk);

	if (jvm == IDMAP_NONE)
		return jfrec_fail_memory(err);
	r->has_type |= f->has_type;
	r->has_duration |= f->has_duration;
	r->has_thread |= f->has_thread;
	r->has_field |= f->has_field;
	r->has_label |= f->has_label;
	offer_names(r, task->chunk->metadata);
	for (size_t i = 0; i < f->count; i++) {
		if (merge_event(r, &f->items[i], &f->labels, jvm) < 0)
			return jfrec_fail_memory(err);
	}
	return 0;
}

/* The passes ----------------------------------------------------------------------------------- */

/* What was asked for is not there: say why. */
#define FAIL(err, ...) jfrec_fail(err, JFREC_ENOEVENT, JFREC_NO_OFFSET, __VA_ARGS__)

static int check_types(const struct reading *r, struct jfrec_error *err)
{
	const char *name = r->what->events;
	char list[NEAR_LIST_MAX];

	if (!r->has_type)
		return FAIL(err, "there is no such event in this recording: %.80s%s", name,
			    near_list(&r->near, list));
	if (!r->has_duration)
		return FAIL(err, "events of %.80s have no duration: nothing happens during them",
			    name);
	if (!r->has_thread && !r->what->all_threads)
		return FAIL(err,
			    "events of %.80s have no thread; add `by time` to keep what all "
			    "threads did meanwhile",
			    name);
	if (r->what->by && !r->has_field)
		return FAIL(err, "events of %.80s have no field %.60s", name, r->what->by);
	if (r->what->label && !r->has_label)
		return FAIL(err, "events of %.80s have no field %.60s", name, r->what->label);
	return 0;
}

static int check_events(const struct reading *r, struct jfrec_error *err)
{
	const struct jfrec_during_found *f = r->found;
	const char *name = r->what->events;

	if (!f->events && r->what->where)
		return FAIL(err, "no event of %.80s matches %.200s", name, r->what->where);
	if (!f->events)
		return FAIL(err, "no event of %.80s is in this recording", name);
	if (r->what->by && f->events == f->without_key)
		return FAIL(err, "%.60s is null in all events of %.80s that match", r->what->by,
			    name);
	if (!r->what->all_threads && !r->what->by && f->events == f->without_thread)
		return FAIL(err, "no event of %.80s that matches says which thread it ran in",
			    name);
	return 0;
}

/* A pass over all by a reader of its own, which stops when the other one is stopped. */
static int pass(struct reading *r, const struct jfrec_reader *of, struct jfrec_error *err)
{
	static const struct chunk_work how = { read_chunk, merge_chunk, drop_chunk };
	struct jfrec_reader *again = jfrec_reader_again(of, err);
	int ret = -1;

	if (!again)
		return -1;
	again->source.task_of = &of->source;
	again->source.jobs = of->source.jobs;
	if (r->is_second ||
	    (jfrec_reader_select(again, r->what->events, NULL, err) == 0 &&
	     (!r->what->where || jfrec_reader_where(again, r->what->where, err) == 0)))
		ret = source_each_chunk(&again->source, NULL, &how, r, err);
	if (ret == 0)
		ret = source_check_stop(&of->source, err);
	jfrec_reader_close(again);
	return ret;
}

static int read_all(struct reading *r, struct jfrec_reader *of, struct jfrec_error *err)
{
	if (pass(r, of, err) < 0 || check_types(r, err) < 0 || check_events(r, err) < 0)
		return -1;
	r->is_second = r->what->by != NULL;
	if (r->is_second && pass(r, of, err) < 0)
		return -1;
	if (intervals_sort(&r->during->intervals) < 0 || label_spans_sort(&r->during->labels) < 0)
		return jfrec_fail_memory(err);
	r->found->threads = r->during->intervals.threads.count;
	return 0;
}

int jfrec_reader_during(struct jfrec_reader *r, const struct jfrec_during *d,
			struct jfrec_during_found *found, struct jfrec_error *err)
{
	struct reading reading = { .what = d, .found = found, .near = { .name = d->events } };
	int64_t end_ns;
	int ret = -1;

	*found = (struct jfrec_during_found){ 0 };
	reading.during = calloc(1, sizeof(*reading.during));
	if (!reading.during)
		return jfrec_fail_memory(err);
	reading.during->all_threads = d->all_threads;
	reading.during->outside = d->outside;
	reading.during->label_is_frame = d->label_is_frame;
	if (d->label && !(reading.during->label = strdup(d->label))) {
		during_free(reading.during);
		return jfrec_fail_memory(err);
	}
	if (jfrec_reader_spool(r, err) == 0 &&
	    jfrec_reader_span(r, &reading.recording_ns, &end_ns, err) == 0)
		ret = read_all(&reading, r, err);
	idmap_fini(&reading.keys);
	during_free(ret == 0 ? r->source.during : reading.during);
	if (ret == 0)
		r->source.during = reading.during;
	return ret;
}
