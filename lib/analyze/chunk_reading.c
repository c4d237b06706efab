/* SPDX-License-Identifier: MIT */
/*
 * chunk_reading.c - give the events of recordings to the rules, chunk by chunk
 *
 *	chunk --read_ahead(), by any thread--> tape --read_rest(), in the order of chunks--> rules
 *
 * What rules know grows from event to event, so one thread at a time gives them theirs; those that
 * are ahead filter and decode. One thread alone needs no tape.
 */
#include <stdlib.h>

#include "analyze/engine.h"
#include "analyze/user_rules.h"
#include "base/array.h"
#include "base/error.h"
#include "format/equivalents.h"
#include "read/chunk_overlaps.h"
#include "read/chunk_source.h"

/* A chunk on its way to the rules. */
struct chunk_reading {
	struct chunk_source *source; /* as the thread sees it */
	struct chunk_view view;
	struct chunk_walk walk; /* as far as it was read ahead */
	bool *wanted;		/* by type */
	uint64_t *counts;	/* of events that pass, by type */
	uint32_t *places;	/* by type: among those of the JVM */
	struct tape tape;
};

/* Who reads what ------------------------------------------------------------------------------- */

static bool have_read(struct chunk_view *v, const struct fact_reader *readers, size_t who)
{
	for (const struct fact_reader *f = readers; f->inputs; f++) {
		for (unsigned i = 0; f->inputs[i].type; i++) {
			if (!chunk_view_listen(v, &f->inputs[i], i, f->take, who, f->is_always))
				return false;
		}
	}
	return true;
}

static bool listen(const struct jfrec_analysis *a, struct chunk_view *v)
{
	if (!have_read(v, fact_readers, state_of_facts(a)) ||
	    (a->watch && !have_read(v, a->watch->readers, state_of_watch(a))))
		return false;
	for (size_t r = 0; r < a->rule_count; r++) {
		const struct rule *rule = a->choices[r].rule;

		if (!a->choices[r].is_wanted)
			continue;
		if (a->choices[r].user_rule && !user_rule_listen(a->choices[r].user_rule, v, r))
			return false;
		for (unsigned i = 0; rule->take && rule->inputs[i].type; i++) {
			if (rule->inputs[i].fields[0] &&
			    !chunk_view_listen(v, &rule->inputs[i], i, rule->take, r, false))
				return false;
		}
	}
	return true;
}

/* Once it is known whose chunk it is. */
static bool enter_user_rules(const struct jfrec_analysis *a, struct jvm *jvm, struct chunk_view *v)
{
	for (size_t r = 0; r < a->rule_count; r++) {
		const struct rule_choice *choice = &a->choices[r];

		if (choice->user_rule && choice->is_wanted &&
		    !user_rule_enter(jvm->states[r], v, r, choice->where,
				     source_recording(a->source)))
			return false;
	}
	return true;
}

/* Events --------------------------------------------------------------------------------------- */

/* Does the event count, or does it at most describe the JVM? */
static bool passes(const struct jfrec_analysis *a, struct chunk_source *s, struct chunk *c,
		   const struct jfrec_type *t, const struct raw_event *e, const bool *wanted,
		   uint64_t *slots)
{
	struct ticks ticks;

	if (!wanted[t->index])
		return false;
	if ((a->bounds.from_ns != INT64_MIN || a->bounds.to_ns != INT64_MAX) &&
	    (!event_ticks(c, t, e, slots, &ticks) || !ticks_touch(&ticks, &c->clock, &a->bounds)))
		return false;
	return source_passes_all(s, t) || source_passes(s, c, t, e, slots);
}

/* An event that someone reads. */
struct read_event {
	const struct jfrec_type *type;
	struct event event;
	bool only_always;
};

/* The next event that someone reads; false: there is none, or the caller wants it to stop. */
static bool next_event(const struct jfrec_analysis *a, struct chunk_reading *r, uint64_t *slots,
		       struct read_event *e)
{
	struct chunk *c = r->view.chunk;
	struct jfrec_type *t;
	struct raw_event raw;

	while (!*source_stop_flag(r->source) && chunk_walk_any(&r->walk, &raw)) {
		t = chunk_type_of(c, &raw);
		if (!t)
			continue;
		e->only_always = !passes(a, r->source, c, t, &raw, r->wanted, slots);
		r->counts[t->index] += !e->only_always;
		e->type = t;
		if (r->view.types[t->index].first &&
		    chunk_view_decode(&r->view, t, &raw, slots, &e->event))
			return true;
	}
	return false;
}

/* As far as the tape goes. */
static void read_ahead(const struct jfrec_analysis *a, struct chunk_reading *r)
{
	uint64_t slots[PLAN_MAX_STEPS];
	struct read_event e;

	while (tape_reserve(&r->tape) && next_event(a, r, slots, &e)) {
		struct taped *to =
			tape_add(&r->tape, r->view.types[e.type->index].plan.step_count);

		to->type = e.type->index;
		to->only_always = e.only_always;
		to->start_ns = e.event.start_ns;
		to->end_ns = e.event.end_ns;
		to->at = e.event.at;
		memcpy(to->slots, slots, to->slot_count * sizeof(*slots));
	}
}

static void give_taped(struct jfrec_analysis *a, struct chunk_reading *r)
{
	const struct jfrec_type *types = r->view.chunk->metadata->types;
	const struct taped *t;

	while (!a->names.no_memory && !*source_stop_flag(r->source) && (t = tape_next(&r->tape))) {
		struct event e = {
			.start_ns = t->start_ns,
			.end_ns = t->end_ns,
			.slots = t->slots,
			.at = t->at,
			.view = &r->view,
		};

		chunk_view_give(&r->view, &types[t->type], t->only_always, &e);
	}
}

/* What was not read ahead. */
static void read_rest(struct jfrec_analysis *a, struct chunk_reading *r)
{
	uint64_t slots[PLAN_MAX_STEPS];
	struct read_event e;

	while (!a->names.no_memory && next_event(a, r, slots, &e))
		chunk_view_give(&r->view, e.type, e.only_always, &e.event);
}

/* Chunks --------------------------------------------------------------------------------------- */

static void reading_free(struct chunk_reading *r)
{
	if (!r)
		return;
	if (r->view.chunk)
		chunk_view_fini(&r->view);
	tape_fini(&r->tape);
	free(r->wanted);
	free(r->counts);
	free(r->places);
	free(r);
}

/* NULL: no memory. */
static struct chunk_reading *reading_new(struct jfrec_analysis *a, struct chunk_task *task)
{
	struct chunk_reading *r = calloc(1, sizeof(*r));
	struct chunk *c = task->chunk;
	size_t types = c->metadata->type_count + (size_t)1;

	if (!r)
		return NULL;
	r->source = task->source;
	r->walk = chunk_walk(c);
	r->tape.stock = &a->tapes;
	r->wanted = source_selected(task->source, c->metadata);
	r->counts = calloc(types, sizeof(*r->counts));
	r->places = calloc(types, sizeof(*r->places));
	if (r->wanted && r->counts && r->places && chunk_view_init(&r->view, c, &a->names) &&
	    listen(a, &r->view))
		return r;
	reading_free(r);
	return NULL;
}

/* All that the chunk declares, each with its place among those of the JVM. */
static bool declare_types(struct jvm *jvm, const struct metadata *m, uint32_t *place_of)
{
	char buffer[JDK_NAME_MAX];

	for (uint32_t i = 0; i < m->type_count; i++) {
		const char *name;
		struct type_fact *t;

		if (!m->types[i].is_event)
			continue;
		name = jdk_name_of(m->types[i].name, buffer);
		t = jvm_type(jvm, name_book_put(&jvm->analysis->names, name, strlen(name)));
		if (!t)
			return false;
		t->is_declared = true;
		place_of[i] = (uint32_t)(t - jvm->types);
	}
	return true;
}

static void count_types(struct jvm *jvm, const struct metadata *m, const struct chunk_reading *r)
{
	for (uint32_t i = 0; i < m->type_count; i++) {
		if (r->counts[i])
			jvm->types[r->places[i]].count += r->counts[i];
		jvm->facts.events += r->counts[i];
	}
}

static void note_chunk(struct jvm *jvm, const struct chunk *c, bool is_of_profiler)
{
	struct facts *f = &jvm->facts;
	const struct bounds *b = &jvm->analysis->bounds;
	struct chunk_fact fact = {
		.start_ns = c->info.start_ns,
		.end_ns = long_add(c->info.start_ns, c->info.duration_ns),
		.is_unfinished = c->info.state != JFREC_FINISHED,
		.is_final = c->info.final,
		.is_of_profiler = is_of_profiler,
	};

	if (fact.end_ns < fact.start_ns)
		fact.end_ns = fact.start_ns;
	if (!array_push(f->chunks, f->chunk_count, f->chunk_room, fact))
		jvm->analysis->names.no_memory = true;
	if (fact.start_ns < f->start_ns)
		f->start_ns = fact.start_ns > b->from_ns ? fact.start_ns : b->from_ns;
	if (fact.end_ns > f->end_ns)
		f->end_ns = fact.end_ns < b->to_ns ? fact.end_ns : b->to_ns;
}

/* Give its events to the rules of its JVM. False: no memory. */
static bool reading_finish(struct jfrec_analysis *a, struct chunk_reading *r)
{
	struct chunk *c = r->view.chunk;
	struct jvm *jvm = analysis_jvm_of(a, c);

	/* The next chunk may be at the same place in memory. */
	a->asked_chunk = NULL;
	if (!jvm || !declare_types(jvm, c->metadata, r->places))
		return false;
	r->view.jvm = jvm;
	r->view.states = jvm->states;
	note_chunk(jvm, c, !chunk_is_of_jvm(c->metadata));
	jvm->facts.is_async_profiler |= r->view.traces.is_async_profiler;
	jvm->facts.is_native |= c->metadata->is_native;
	if (!enter_user_rules(a, jvm, &r->view))
		return false;
	give_taped(a, r);
	read_rest(a, r);
	count_types(jvm, c->metadata, r);
	return !r->view.traces.is_out_of_memory && !a->names.no_memory;
}

/* Riding --------------------------------------------------------------------------------------- */

static void *work(void *ctx, struct chunk_task *task)
{
	struct jfrec_analysis *a = ctx;
	struct chunk_reading *r = reading_new(a, task);

	if (r)
		read_ahead(a, r);
	return r;
}

static int merge(void *ctx, const struct chunk_task *task, void *found, struct jfrec_error *err)
{
	bool good = reading_finish(ctx, found);

	chunk_tell_end(task->chunk);
	return good ? 0 : jfrec_fail_memory(err);
}

static void drop(void *ctx, void *found)
{
	(void)ctx;
	reading_free(found);
}

void analysis_ride(struct jfrec_analysis *a, struct chunk_source *source,
		   struct chunk_rider *rider)
{
	static const struct chunk_work how = { work, merge, drop };

	a->source = source;
	tape_stock_init(&a->tapes, crew_jobs(source));
	*rider = (struct chunk_rider){ &how, a };
}

int jfrec_analysis_read(struct jfrec_analysis *a, struct jfrec_reader *r, struct jfrec_error *err)
{
	struct chunk_source *source = reader_source(r);
	struct chunk_rider rider;

	if (a->is_finished)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "an analysis that is finished reads no more");
	analysis_ride(a, source, &rider);
	if (source_each_chunk(source, NULL, rider.how, rider.ctx, err) < 0)
		return -1;
	a->damage += jfrec_reader_damage(r);
	return 0;
}
