/* SPDX-License-Identifier: MIT */
/*
 * requests.c - the first pass: which events are requests, and which of them are the slowest
 *
 *	chunk --read_chunk(), by any thread--> sightings --merge_chunk(), in order--> all requests
 *	all requests --choose()--> the slowest, none in another
 */
#include "trace/requests.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/near.h"
#include "format/event_time.h"
#include "read/chunk_crew.h"
#include "read/during.h"
#include "trace/kinds.h"

/* An event that may be a request. */
struct sighting {
	int64_t begin_ns, end_ns;
	uint64_t thread;
	uint32_t type; /* by its index */
	bool has_thread;
};

/* What a chunk has. */
struct sightings {
	struct sighting *items;
	size_t count, room;
	uint32_t *counts; /* of all events that could be named as requests, by the type's index */
	bool has_type, has_duration, has_thread; /* any selected type */
};

/* A type, by the number of its name. */
struct candidate {
	enum likeness likeness;
	uint64_t events;
};

struct finding {
	struct requests *requests;
	const struct jfrec_trace_options *options;
	struct candidate *candidates;
	size_t candidate_count, candidate_room;
	struct idmap threads; /* during_thread(), to its number */
	struct near near;
	bool has_type, has_duration, has_thread;
};

void requests_fini(struct requests *q)
{
	free(q->items);
	free(q->threads);
	chunk_jvms_fini(&q->jvms);
	name_set_fini(&q->types);
	intervals_fini(&q->times);
	idmap_fini(&q->marks);
	*q = (struct requests){ 0 };
}

/* A chunk -------------------------------------------------------------------------------------- */

static bool is_asked(const struct finding *f, const struct chunk_source *s,
		     const struct jfrec_type *t)
{
	return t->is_event && !plan_of(t)->fault && (!f->options->events || source_selects(s, t));
}

/* The types that are looked at; what is known of each by its index. */
static struct type_set types_asked(const struct finding *f, const struct chunk_task *task,
				   struct during_use *uses, struct sightings *s)
{
	const struct metadata *m = task->chunk->metadata;
	struct type_set set = { 0 };

	for (uint32_t i = 0; i < m->type_count; i++) {
		const struct jfrec_type *t = &m->types[i];
		struct during_use use;

		if (!is_asked(f, task->source, t))
			continue;
		use = during_use_of(t);
		s->has_type = true;
		s->has_duration |= plan_of(t)->duration_step != PLAN_NO_STEP;
		s->has_thread |= use.thread_type != NULL;
		if (!use.thread_type || plan_of(t)->duration_step == PLAN_NO_STEP)
			continue;
		uses[i] = use;
		type_set_add(&set, t->id);
	}
	return set;
}

struct chunk_finding {
	const struct finding *finding;
	struct chunk_task *task;
	struct objects objects;
	struct during_use *uses;
	struct bounds bounds;
	struct sightings *out;
};

/* 0, or -1 when memory is gone. */
static int take_event(struct chunk_finding *c, const struct jfrec_type *t, const uint64_t *slots)
{
	const struct plan *plan = plan_of(t);
	const struct clock *clock = &c->task->chunk->clock;
	int64_t start = (int64_t)slots[plan->start_step];
	struct sighting s = { .type = t->index };

	s.begin_ns = clock_time_ns(clock, start);
	s.end_ns = clock_time_ns(clock, long_add(start, (int64_t)slots[plan->duration_step]));
	if ((int64_t)slots[plan->duration_step] > 0 && s.end_ns < s.begin_ns)
		s.end_ns = INT64_MAX; /* it never ended */
	if (s.end_ns <= s.begin_ns || s.end_ns < c->bounds.from_ns || s.begin_ns >= c->bounds.to_ns)
		return 0;
	s.has_thread = during_thread(&c->objects, &c->uses[t->index], slots, &s.thread);
	return array_push(c->out->items, c->out->count, c->out->room, s) ? 0 : -1;
}

static int look_at_event(struct chunk_finding *c, const struct jfrec_type *t,
			 const struct raw_event *e)
{
	uint64_t *slots = source_room(c->task->source)->slots;
	bool is_named = c->finding->options->events != NULL;

	c->out->counts[t->index] += c->out->counts[t->index] < UINT32_MAX;
	if (!is_named && likeness_of(t->name) == IS_OF_JVM)
		return 0;
	if (is_named && !source_passes(c->task->source, c->task->chunk, t, e, slots))
		return 0;
	return chunk_decode(c->task->chunk, t, e, slots) ? take_event(c, t, slots) : 0;
}

static int read_events(struct chunk_finding *c)
{
	struct chunk *chunk = c->task->chunk;
	const struct type_set types = types_asked(c->finding, c->task, c->uses, c->out);
	struct chunk_walk w = chunk_walk(chunk);
	struct raw_event e;
	int ret = 0;

	while (ret == 0 && chunk_walk_any_of(&w, &types, &e)) {
		const struct jfrec_type *t = chunk_type_of(chunk, &e);

		if (t && c->uses[t->index].slots)
			ret = look_at_event(c, t, &e);
	}
	return ret;
}

static void drop_chunk(void *ctx, void *found)
{
	struct sightings *s = found;

	(void)ctx;
	free(s->items);
	free(s->counts);
	free(s);
}

static void *read_chunk(void *ctx, struct chunk_task *task)
{
	const struct finding *f = ctx;
	struct sightings *s = calloc(1, sizeof(*s));
	size_t types = (size_t)task->chunk->metadata->type_count + 1;
	struct chunk_finding c = { .finding = f,
				   .task = task,
				   .objects.chunk = task->chunk,
				   .uses = calloc(types, sizeof(*c.uses)),
				   .bounds = bounds_of(f->options->from_ns, f->options->to_ns),
				   .out = s };
	int ret = -1;

	if (s)
		s->counts = calloc(types, sizeof(*s->counts));
	if (s && s->counts && c.uses)
		ret = read_events(&c);
	arena_fini(&c.objects.scratch);
	free(c.uses);
	chunk_tell_end(task->chunk);
	if (ret == 0)
		return s;
	if (s)
		drop_chunk(ctx, s);
	return NULL;
}

/* Chunks in their order ------------------------------------------------------------------------ */

/* The number of the type's name, which has a candidate; NAME_NONE when memory is gone. */
static uint32_t candidate_number(struct finding *f, const char *name)
{
	uint32_t number = name_set_put(&f->requests->types, name, strlen(name));
	struct candidate new = { .likeness = likeness_of(name) };

	if (number == f->candidate_count &&
	    !array_push(f->candidates, f->candidate_count, f->candidate_room, new))
		return NAME_NONE;
	return number;
}

static uint32_t thread_number(struct finding *f, uint64_t thread)
{
	struct requests *q = f->requests;
	uint32_t *number = idmap_put(&f->threads, thread, (uint32_t)q->thread_count);

	if (!number)
		return IDMAP_NONE;
	if (*number == q->thread_count &&
	    !array_push(q->threads, q->thread_count, q->thread_room, thread))
		return IDMAP_NONE;
	return *number;
}

/* 0, or -1 when memory is gone. */
static int add_request(struct finding *f, const struct sighting *s, uint32_t jvm, const char *type)
{
	struct requests *q = f->requests;
	struct request r = { .begin_ns = s->begin_ns, .end_ns = s->end_ns, .jvm = jvm };

	if (!s->has_thread) {
		q->without_thread++;
		return 0;
	}
	r.id = during_id(jvm, s->thread);
	r.thread = thread_number(f, s->thread);
	r.type = candidate_number(f, type);
	if (r.thread == IDMAP_NONE || r.type == NAME_NONE)
		return -1;
	return array_push(q->items, q->count, q->room, r) ? 0 : -1;
}

static int count_events(struct finding *f, const struct metadata *m, const struct sightings *s)
{
	for (uint32_t i = 0; i < m->type_count; i++) {
		const struct jfrec_type *t = &m->types[i];
		uint32_t number;

		if (t->is_event && f->near.name && !f->has_type)
			near_offer(&f->near, t->name);
		if (!s->counts[i])
			continue;
		number = candidate_number(f, t->name);
		if (number == NAME_NONE)
			return -1;
		f->candidates[number].events += s->counts[i];
	}
	return 0;
}

static int merge_chunk(void *ctx, const struct chunk_task *task, void *found,
		       struct jfrec_error *err)
{
	struct finding *f = ctx;
	const struct sightings *s = found;
	const struct metadata *m = task->chunk->metadata;
	uint32_t jvm = chunk_jvms_number(&f->requests->jvms, task->chunk);

	if (jvm == IDMAP_NONE || count_events(f, m, s) < 0)
		return jfrec_fail_memory(err);
	f->has_type |= s->has_type;
	f->has_duration |= s->has_duration;
	f->has_thread |= s->has_thread;
	for (size_t i = 0; i < s->count; i++) {
		if (add_request(f, &s->items[i], jvm, m->types[s->items[i].type].name) < 0)
			return jfrec_fail_memory(err);
	}
	return 0;
}

/* What was asked for is not there -------------------------------------------------------------- */

#define FAIL(err, ...) jfrec_fail(err, JFREC_ENOEVENT, JFREC_NO_OFFSET, __VA_ARGS__)

static int fail_named(const struct finding *f, struct jfrec_error *err)
{
	const char *name = f->options->events;
	char list[NEAR_LIST_MAX];

	if (!f->has_type)
		return FAIL(err, "there is no such event in this recording: %.80s%s", name,
			    near_list(&f->near, list));
	if (!f->has_duration)
		return FAIL(err, "events of %.80s have no duration, as requests do", name);
	if (!f->has_thread)
		return FAIL(err, "events of %.80s have no thread, whose time could be explained",
			    name);
	if (f->requests->without_thread)
		return FAIL(err, "no event of %.80s says which thread it ran in", name);
	if (f->options->where)
		return FAIL(err, "no event of %.80s matches %.120s", name, f->options->where);
	return FAIL(err, "no event of %.80s is in this recording", name);
}

/* ", jdk.SocketRead (1243 events)" for some of those there are most of. */
static void list_candidates(const struct finding *f, char *to, size_t size)
{
	uint64_t below = UINT64_MAX;
	size_t len = 0;

	to[0] = '\0';
	for (unsigned n = 0; n < 3; n++) {
		size_t best = SIZE_MAX;

		for (size_t i = 0; i < f->candidate_count; i++) {
			uint64_t events = f->candidates[i].events;

			if (events && events < below &&
			    (best == SIZE_MAX || events > f->candidates[best].events))
				best = i;
		}
		if (best == SIZE_MAX || len >= size)
			return;
		below = f->candidates[best].events;
		len += (size_t)snprintf(to + len, size - len, "%s%.48s (%" PRIu64 " event%s)",
					n ? ", " : "", f->requests->types.list[best].text, below,
					below == 1 ? "" : "s");
	}
}

static int fail_default(const struct finding *f, struct jfrec_error *err)
{
	char list[256];

	list_candidates(f, list, sizeof(list));
	if (!*list)
		return FAIL(err, "no event in this recording has a duration and a thread, as "
				 "requests have");
	return FAIL(err, "no event looks like a request; name those that are with --of, such as %s",
		    list);
}

/* The slowest ---------------------------------------------------------------------------------- */

static int by_thread_and_time(const void *x, const void *y)
{
	const struct request *a = x, *b = y;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	if (a->begin_ns != b->begin_ns)
		return a->begin_ns < b->begin_ns ? -1 : 1;
	return (a->end_ns < b->end_ns) - (a->end_ns > b->end_ns);
}

static int by_duration(const void *x, const void *y)
{
	const struct request *a = x, *b = y;
	uint64_t m = (uint64_t)a->end_ns - (uint64_t)a->begin_ns;
	uint64_t n = (uint64_t)b->end_ns - (uint64_t)b->begin_ns;

	return m != n ? (m < n) - (m > n) : by_thread_and_time(x, y);
}

/* Where types were not named: only those that look most like requests stay. */
static void keep_likely(struct finding *f)
{
	struct requests *q = f->requests;
	enum likeness best = IS_OF_JVM;
	size_t kept = 0;

	for (size_t i = 0; i < q->count; i++) {
		enum likeness likeness = f->candidates[q->items[i].type].likeness;

		best = likeness < best ? likeness : best;
	}
	for (size_t i = 0; i < q->count; i++) {
		if (f->candidates[q->items[i].type].likeness == best)
			q->items[kept++] = q->items[i];
	}
	q->count = kept;
}

/* Of those that overlap in a thread the first one stays, which encloses the others. */
static void keep_outermost(struct requests *q)
{
	size_t kept = 0;

	if (q->count)
		qsort(q->items, q->count, sizeof(*q->items), by_thread_and_time);
	for (size_t i = 0; i < q->count; i++) {
		const struct request *last = kept ? &q->items[kept - 1] : NULL;

		if (!last || last->id != q->items[i].id || last->end_ns <= q->items[i].begin_ns)
			q->items[kept++] = q->items[i];
	}
	q->found = kept;
	q->inner = q->count - kept;
	q->count = kept;
}

/* 0, or -1 when memory is gone. */
static int choose(struct requests *q, size_t top)
{
	keep_outermost(q);
	top = top && top < JFREC_TRACE_TOP ? top : JFREC_TRACE_TOP;
	if (q->count > top) {
		qsort(q->items, q->count, sizeof(*q->items), by_duration);
		q->count = top;
		qsort(q->items, q->count, sizeof(*q->items), by_thread_and_time);
	}
	for (size_t i = 0; i < q->count; i++) {
		const struct request *r = &q->items[i];

		if (intervals_add(&q->times, q->threads[r->thread], r->begin_ns, r->end_ns) < 0 ||
		    intervals_add(&q->times, ANY_THREAD, r->begin_ns, r->end_ns) < 0 ||
		    !idmap_put(&q->marks,
			       requests_mark(q->threads[r->thread], r->begin_ns, r->end_ns), 0))
			return -1;
	}
	return intervals_sort(&q->times);
}

static int find(struct finding *f, struct jfrec_reader *r, struct jfrec_error *err)
{
	static const struct chunk_work how = { read_chunk, merge_chunk, drop_chunk };
	const struct jfrec_trace_options *o = f->options;

	if (o->events && (jfrec_reader_select(r, o->events, NULL, err) < 0 ||
			  (o->where && jfrec_reader_where(r, o->where, err) < 0)))
		return -1;
	if (source_each_chunk(reader_source(r), NULL, &how, f, err) < 0)
		return -1;
	if (!o->events)
		keep_likely(f);
	if (!f->requests->count)
		return o->events ? fail_named(f, err) : fail_default(f, err);
	return choose(f->requests, o->top) < 0 ? jfrec_fail_memory(err) : 0;
}

int requests_find(struct requests *q, struct jfrec_reader *r, const struct jfrec_trace_options *o,
		  struct jfrec_error *err)
{
	struct finding f = { .requests = q, .options = o, .near = { .name = o->events } };
	int ret = find(&f, r, err);

	free(f.candidates);
	idmap_fini(&f.threads);
	return ret;
}

uint64_t requests_mark(uint64_t thread, int64_t begin_ns, int64_t end_ns)
{
	struct digest d = DIGEST_INIT;

	digest_word(&d, thread);
	digest_word(&d, (uint64_t)begin_ns);
	digest_word(&d, (uint64_t)end_ns);
	return d.a;
}

size_t requests_first(const struct requests *q, uint64_t id, int64_t begin_ns)
{
	size_t low = 0, high = q->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct request *r = &q->items[middle];

		if (r->id < id || (r->id == id && r->end_ns <= begin_ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
