/* SPDX-License-Identifier: MIT */
/*
 * chunk_moments.c - what a chunk has that may have happened in one of the requests
 */
#include "trace/chunk_moments.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/code_owner.h"
#include "format/event_time.h"
#include "read/during.h"
#include "trace/cpu.h"
#include "trace/texts.h"

/* How events of a type are read. */
struct type_use {
	bool is_used, is_sample, may_be_request;
	struct during_use during;
	const struct kind_row *row;
	struct cpu_type cpu;
	const struct jfrec_type *stack_type;
	uint16_t stack;
	uint32_t name, label; /* in the names; NAME_NONE as yet */
};

/* What is known of a chunk while its events are read. */
struct reading {
	const struct requests *requests;
	struct chunk_task *task;
	struct type_use *uses; /* by the index of the type */
	struct traces traces;
	struct periods periods;
	struct idmap sites; /* key of a stack trace, to the method's number + 1; 0: it has none */
	struct chunk_moments *out;
};

/* Types ---------------------------------------------------------------------------------------- */

static bool is_type_of_request(const struct requests *q, const char *name)
{
	for (uint32_t i = 0; i < q->types.count; i++) {
		if (strcmp(q->types.list[i].text, name) == 0)
			return true;
	}
	return false;
}

static void find_use(const struct reading *r, const struct jfrec_type *t, struct type_use *u)
{
	const struct jfrec_field *stack = object_field(t, "stackTrace");
	bool has_duration = plan_of(t)->duration_step != PLAN_NO_STEP;

	u->name = u->label = NAME_NONE;
	u->stack = NO_SLOT;
	u->during = during_use_of(t);
	u->row = kind_row_of(t->name);
	u->is_sample = cpu_type_of(t, r->traces.is_async_profiler, &u->cpu);
	u->is_used = u->during.slots && (u->is_sample || has_duration) &&
		     (u->during.thread_type || u->row->is_global);
	if (stack && stack->constant) {
		u->stack = plan_of(t)->first_step[stack->index];
		u->stack_type = stack->type;
	}
	u->may_be_request = has_duration && is_type_of_request(r->requests, t->name);
}

static struct type_set find_types(struct reading *r)
{
	const struct metadata *m = r->task->chunk->metadata;
	struct type_set set = { 0 };

	for (uint32_t i = 0; i < m->type_count; i++) {
		const struct jfrec_type *t = &m->types[i];

		if (!t->is_event || plan_of(t)->fault)
			continue;
		find_use(r, t, &r->uses[i]);
		if (r->uses[i].is_used || periods_need(&r->periods, t))
			type_set_add(&set, t->id);
	}
	return set;
}

/* Names ---------------------------------------------------------------------------------------- */

static bool put_name(struct reading *r, const char *text, uint32_t *number)
{
	*number = name_set_put_clipped(&r->out->book.names, text, strlen(text));
	return *number != NAME_NONE;
}

static bool put_type(struct reading *r, const struct jfrec_type *t, struct type_use *u)
{
	if (u->name != NAME_NONE)
		return true;
	return put_name(r, t->name, &u->name) &&
	       put_name(r, t->label && *t->label ? t->label : t->name, &u->label);
}

/* The innermost method that is not the JDK's, or else the innermost one: its name, or NAME_NONE. */
static uint32_t site_of(struct reading *r, const struct type_use *u, const uint64_t *slots)
{
	const struct frames *frames = &r->out->book.frames;
	uint64_t key = u->stack == NO_SLOT ? 0 : slots[u->stack];
	struct trace trace;
	uint32_t *known, site = NAME_NONE;

	if (!key)
		return NAME_NONE;
	known = idmap_put(&r->sites, key, IDMAP_NONE - 1);
	if (known && *known != IDMAP_NONE - 1)
		return *known ? *known - 1 : NAME_NONE;
	if (traces_get(&r->traces, u->stack_type, key, &trace) && trace.count) {
		site = frames->list[trace.frames[0]].name;
		for (uint32_t i = 0; i < trace.count; i++) {
			uint32_t name = frames->list[trace.frames[i]].name;

			if (is_jdk_method(r->out->book.names.list[name].text))
				continue;
			site = name;
			break;
		}
	}
	if (known)
		*known = site + 1;
	return site;
}

/* Events --------------------------------------------------------------------------------------- */

/* Could a request have been running in the thread, of whichever JVM? */
static bool touches(const struct reading *r, uint64_t thread, int64_t begin_ns, int64_t end_ns)
{
	uint32_t number = intervals_thread(&r->requests->times, thread);

	return intervals_touch(&r->requests->times, number, begin_ns, end_ns);
}

/* What an event says that may be a request.  Its place + 1; 0 when memory is gone. */
static uint32_t tell_request(struct reading *r, const struct type_use *u, struct object event)
{
	struct chunk_told told = { .thread_name = NAME_NONE,
				   .first_field = r->out->field_count };
	struct objects *o = &r->traces.objects;
	char text[TEXT_MOST];

	thread_text(o,
		    object_constant(o, u->during.thread_type, event.slots[u->during.thread_slot]),
		    text);
	if (*text && !put_name(r, text, &told.thread_name))
		return 0;
	for (unsigned i = 0; i < event.type->field_count; i++) {
		const struct jfrec_field *f = &event.type->fields[i];
		struct chunk_field field = { .text = NAME_NONE };

		if (!is_own_field(f))
			continue;
		field.kind = (uint8_t)field_text(o, event, f, text, &field.number);
		if (!put_name(r, f->name, &field.name) ||
		    (field.kind != JFREC_KIND_NULL && !put_name(r, text, &field.text)) ||
		    !array_push(r->out->fields, r->out->field_count, r->out->field_room, field))
			return 0;
		told.field_count++;
	}
	if (!array_push(r->out->told, r->out->told_count, r->out->told_room, told))
		return 0;
	return (uint32_t)r->out->told_count;
}

/* Is there a request of that time exactly, in a thread of that number? */
static bool is_request(const struct reading *r, const struct chunk_moment *m)
{
	uint64_t mark = requests_mark(m->thread, m->begin_ns, m->end_ns);

	return idmap_get(&r->requests->marks, mark) != IDMAP_NONE;
}

/* 0, or -1 when memory is gone. */
static int take_moment(struct reading *r, struct type_use *u, struct object event,
		       struct chunk_moment m)
{
	struct objects *o = &r->traces.objects;
	char text[TEXT_MOST];

	m.kind = (uint8_t)kind_of_event(u->row, o, event);
	if (m.kind == JFREC_TRACE_SPAN && u->row->is_global)
		return 0;
	if (!put_type(r, event.type, u))
		return -1;
	m.type = u->name;
	m.label = u->label;
	m.detail = NAME_NONE;
	m.site = site_of(r, u, event.slots);
	if (u->may_be_request && is_request(r, &m)) {
		m.told = tell_request(r, u, event);
		if (!m.told)
			return -1;
	} else {
		detail_text(o, u->row, event, text);
		if (*text && !put_name(r, text, &m.detail))
			return -1;
	}
	return array_push(r->out->moments, r->out->moment_count, r->out->moment_room, m) ? 0 : -1;
}

static int take_sample(struct reading *r, struct type_use *u, struct object event, uint64_t thread,
		       int64_t at_ns)
{
	struct chunk_sample s = { .at_ns = at_ns, .thread = thread };

	if (!cpu_is_running(&u->cpu, &r->traces.objects, event.slots))
		return 0;
	if (!put_type(r, event.type, u))
		return -1;
	s.type = u->name;
	s.rank = (uint8_t)u->cpu.source.rank;
	s.samples = cpu_samples(&u->cpu, event.slots);
	s.ns = cpu_value_ns(&u->cpu, &r->task->chunk->clock, event.slots);
	s.site = site_of(r, u, event.slots);
	return array_push(r->out->samples, r->out->sample_count, r->out->sample_room, s) ? 0 : -1;
}

static int take_event(struct reading *r, const struct jfrec_type *t, const uint64_t *slots)
{
	struct type_use *u = &r->uses[t->index];
	const struct plan *plan = plan_of(t);
	const struct clock *clock = &r->task->chunk->clock;
	struct object event = { t, slots };
	struct chunk_moment m = { .thread = ANY_THREAD };
	int64_t start = (int64_t)slots[plan->start_step], duration = 0;
	int ret = 0;

	if (!u->row->is_global && !during_thread(&r->traces.objects, &u->during, slots, &m.thread))
		return 0;
	if (plan->duration_step != PLAN_NO_STEP)
		duration = (int64_t)slots[plan->duration_step];
	m.begin_ns = clock_time_ns(clock, start);
	m.end_ns = clock_time_ns(clock, long_add(start, duration));
	if (duration > 0 && m.end_ns < m.begin_ns)
		m.end_ns = INT64_MAX;
	if (m.end_ns < m.begin_ns || !touches(r, m.thread, m.begin_ns, m.end_ns))
		return 0;
	if (u->is_sample)
		ret = take_sample(r, u, event, m.thread, m.begin_ns);
	else if (m.end_ns > m.begin_ns)
		ret = take_moment(r, u, event, m);
	arena_recycle(&r->traces.objects.scratch);
	return r->traces.is_out_of_memory ? -1 : ret;
}

/* 0, or -1 when memory is gone. */
static int read_events(struct reading *r)
{
	struct chunk *chunk = r->task->chunk;
	uint64_t *slots = source_room(r->task->source)->slots;
	const struct type_set types = find_types(r);
	struct chunk_walk w = chunk_walk(chunk);
	struct raw_event e;
	int ret = 0;

	while (ret == 0 && chunk_walk_any_of(&w, &types, &e)) {
		const struct jfrec_type *t = chunk_type_of(chunk, &e);

		if (!t || (!r->uses[t->index].is_used && !periods_need(&r->periods, t)) ||
		    !chunk_decode(chunk, t, &e, slots))
			continue;
		ret = r->uses[t->index].is_used ? take_event(r, t, slots)
						: periods_add(&r->periods, t, slots);
	}
	return ret;
}

/* What samples stand for by a setting, which may have come after them. */
static void weigh_samples(struct reading *r)
{
	const struct metadata *m = r->task->chunk->metadata;

	for (uint32_t i = 0; i < m->type_count; i++) {
		const struct type_use *u = &r->uses[i];

		for (size_t j = 0; u->is_sample && j < r->out->sample_count; j++) {
			struct chunk_sample *s = &r->out->samples[j];

			if (s->type == u->name && s->ns < 0)
				s->ns = cpu_period_ns(&u->cpu, &r->periods, &m->types[i],
						      s->samples);
		}
	}
}

void chunk_moments_free(struct chunk_moments *m)
{
	if (!m)
		return;
	book_fini(&m->book);
	free(m->moments);
	free(m->samples);
	free(m->fields);
	free(m->told);
	free(m);
}

struct chunk_moments *chunk_moments_read(const struct requests *q, struct chunk_task *task)
{
	static const struct naming naming = { .with_dots = true, .normalizes = true };
	struct chunk_moments *m = calloc(1, sizeof(*m));
	struct reading r = { .requests = q, .task = task, .out = m };
	int ret = -1;

	if (!m)
		return NULL;
	r.uses = calloc((size_t)task->chunk->metadata->type_count + 1, sizeof(*r.uses));
	traces_init(&r.traces, task->chunk, &m->book, &naming);
	periods_init(&r.periods, task->chunk);
	if (r.uses)
		ret = read_events(&r);
	if (ret == 0)
		weigh_samples(&r);
	traces_fini(&r.traces);
	periods_fini(&r.periods);
	idmap_fini(&r.sites);
	free(r.uses);
	chunk_tell_end(task->chunk);
	if (ret == 0)
		return m;
	chunk_moments_free(m);
	return NULL;
}
