/* SPDX-License-Identifier: MIT */
/*
 * engine.c - run all rules in one pass over the chunks of recordings
 */
#include "analyze/engine.h"

#include <stdlib.h>

#include "analyze/causes.h"
#include "analyze/untold.h"
#include "analyze/user_rules.h"
#include "base/array.h"
#include "base/error.h"
#include "base/options.h"
#include "format/equivalents.h"
#include "read/chunk_overlaps.h"
#include "read/chunk_source.h"

/* So many JVMs are judged apart; chunks of more are taken for the last one's. */
#define MAX_JVMS 256

static struct rule_choice *add_rule(struct jfrec_analysis *a, const struct rule *rule)
{
	struct rule_choice *choice = &a->choices[a->rule_count++];

	*choice = (struct rule_choice){
		.rule = rule,
		.info = rule->info.info,
		.warning = rule->info.warning,
		.is_wanted = true,
	};
	return choice;
}

/* Ask the built-in rules and these, for which there is room. False: no memory. */
static bool ask_all(struct jfrec_analysis *a, const struct jfrec_user_rules *own)
{
	for (size_t i = 0; all_rules[i]; i++)
		add_rule(a, all_rules[i]);
	for (const struct user_rule *r = own ? own->first : NULL; r; r = r->next) {
		struct rule_choice *choice = add_rule(a, &r->rule);

		choice->user_rule = r;
		/* It was parsed before, so only memory can be lacking. */
		if (r->where && where_add(&choice->where, r->where, NULL) < 0)
			return false;
	}
	return true;
}

struct jfrec_analysis *jfrec_analysis_new(const struct jfrec_analysis_options *options,
					  struct jfrec_error *err)
{
	struct jfrec_analysis_options o;
	struct jfrec_analysis *a;

	if (options_take(&o, sizeof(o), options, err) < 0)
		return NULL;
	a = calloc(1, sizeof(*a));
	if (a)
		a->choices = calloc(jfrec_rule_count() + (o.rules ? o.rules->count : 0) + 1,
				    sizeof(*a->choices));
	if (!a || !a->choices || !name_book_init(&a->names) || !ask_all(a, o.rules)) {
		jfrec_analysis_free(a);
		jfrec_fail_memory(err);
		return NULL;
	}
	if (secrets_init(&a->secrets, err) < 0) {
		jfrec_analysis_free(a);
		return NULL;
	}
	a->names.secrets = &a->secrets;
	a->bounds = bounds_of(o.from_ns, o.to_ns);
	a->zone = o.zone;
	a->zone_ctx = o.zone_ctx;
	a->is_live = o.is_live;
	a->host = o.host;
	return a;
}

static void jvm_free(struct jvm *jvm)
{
	if (!jvm)
		return;
	for (size_t i = 0; jvm->states && i < jvm->analysis->rule_count; i++) {
		if (jvm->states[i] && jvm->analysis->choices[i].rule->fini)
			jvm->analysis->choices[i].rule->fini(jvm->states[i]);
	}
	for (size_t i = 0; i < jvm->type_count; i++)
		free(jvm->types[i].settings);
	free(jvm->types);
	idmap_fini(&jvm->type_by_name);
	facts_fini(&jvm->facts);
	if (jvm->watched)
		jvm->analysis->watch->fini(jvm->watched);
	arena_fini(&jvm->arena);
	free(jvm);
}

void jfrec_analysis_free(struct jfrec_analysis *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->jvm_count; i++)
		jvm_free(a->jvms[i]);
	for (size_t i = 0; i < a->rule_count; i++)
		where_free(a->choices[i].where);
	free(a->jvms);
	free(a->choices);
	name_book_fini(&a->names);
	secrets_fini(&a->secrets);
	arena_fini(&a->arena);
	missing_fini(a);
	free(a);
}

/* Whose chunk it is ---------------------------------------------------------------------------- */

static struct jvm *jvm_new(struct jfrec_analysis *a, const struct chunk *c)
{
	struct jvm *jvm = calloc(1, sizeof(*jvm));

	if (!jvm)
		return NULL;
	jvm->analysis = a;
	jvm->clock = c->clock;
	facts_init(&jvm->facts);
	jvm->states = arena_zalloc(&jvm->arena, a->rule_count + 1, sizeof(*jvm->states));
	for (size_t i = 0; jvm->states && i < a->rule_count; i++) {
		const struct rule *r = a->choices[i].rule;

		if (!a->choices[i].is_wanted)
			continue;
		jvm->states[i] = arena_zalloc(&jvm->arena, 1, r->state_size + 1);
		if (!jvm->states[i])
			jvm->states = NULL;
		else if (a->choices[i].user_rule)
			user_rule_init(jvm->states[i], a->choices[i].user_rule);
	}
	if (jvm->states && a->watch)
		jvm->watched = arena_zalloc(&jvm->arena, 1, a->watch->state_size);
	if (!jvm->states || (a->watch && !jvm->watched) ||
	    !array_push(a->jvms, a->jvm_count, a->jvm_room, jvm)) {
		jvm->states = NULL;
		jvm_free(jvm);
		return NULL;
	}
	return jvm;
}

/* The process and its start, as the chunk's jdk.JVMInformation has them. */
static bool identity_of(struct chunk *c, int64_t *pid, int64_t *start)
{
	const struct jfrec_type *t = view_type_named(c->metadata, "jdk.JVMInformation");
	struct chunk_walk walk = chunk_walk(c);
	uint64_t slots[PLAN_MAX_STEPS];
	struct type_set set = { 0 };
	struct jfrec_type *type;
	struct raw_event e;

	walk.is_quiet = true;
	if (!t || plan_of(t)->fault)
		return false;
	type_set_add(&set, t->id);
	while (chunk_walk_any_of(&walk, &set, &e)) {
		if (e.type_id != t->id || (type = chunk_type_of(c, &e)) != t ||
		    !chunk_decode(c, t, &e, slots))
			continue;
		*pid = object_number((struct object){ t, slots }, "pid", -1);
		*start = object_number((struct object){ t, slots }, "jvmStartTime", -1);
		return *pid >= 0 || *start >= 0;
	}
	return false;
}

/* A profiler in the JVM says it started some milliseconds earlier than the JVM does. */
static bool is_near(int64_t a_ms, int64_t b_ms)
{
	int64_t apart = long_subtract(a_ms, b_ms);

	return apart >= -1000 && apart <= 1000;
}

static struct jvm *jvm_of(struct jfrec_analysis *a, struct chunk *c)
{
	struct jvm *last = a->jvm_count ? a->jvms[a->jvm_count - 1] : NULL, *jvm;
	int64_t pid, start;

	if (!identity_of(c, &pid, &start))
		return last ? last : jvm_new(a, c);
	for (size_t i = 0; i < a->jvm_count; i++) {
		jvm = a->jvms[i];
		if (jvm->is_known && jvm->pid == pid && is_near(jvm->start_ms, start))
			return jvm;
	}
	/* Chunks before it said nothing of theirs: they are this one's. */
	jvm = last && (!last->is_known || a->jvm_count == MAX_JVMS) ? last : jvm_new(a, c);
	if (jvm && !jvm->is_known) {
		jvm->is_known = true;
		jvm->pid = pid;
		jvm->start_ms = start;
	}
	return jvm;
}

struct jvm *analysis_jvm_of(struct jfrec_analysis *a, struct chunk *c)
{
	if (a->asked_chunk != c)
		a->asked_jvm = jvm_of(a, c);
	a->asked_chunk = c;
	return a->asked_jvm;
}

/* Chunks --------------------------------------------------------------------------------------- */

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

static bool have_read(struct chunk_view *v, const struct fact_reader *readers, void *state)
{
	for (const struct fact_reader *f = readers; f->inputs; f++) {
		for (unsigned i = 0; f->inputs[i].type; i++) {
			if (!chunk_view_listen(v, &f->inputs[i], i, f->take, state, f->is_always))
				return false;
		}
	}
	return true;
}

static bool listen(struct jvm *jvm, struct chunk_view *v, const struct recording *recording)
{
	const struct jfrec_analysis *a = jvm->analysis;

	if (!have_read(v, fact_readers, &jvm->facts) ||
	    (a->watch && !have_read(v, a->watch->readers, jvm->watched)))
		return false;
	for (size_t r = 0; r < a->rule_count; r++) {
		const struct rule *rule = a->choices[r].rule;

		if (a->choices[r].user_rule && a->choices[r].is_wanted &&
		    !user_rule_listen(jvm->states[r], v, a->choices[r].where, recording))
			return false;
		for (unsigned i = 0; a->choices[r].is_wanted && rule->take && rule->inputs[i].type;
		     i++) {
			if (rule->inputs[i].fields[0] &&
			    !chunk_view_listen(v, &rule->inputs[i], i, rule->take, jvm->states[r],
					       false))
				return false;
		}
	}
	return true;
}

/* Does the event count, or does it at most describe the JVM? */
static bool passes(struct jfrec_analysis *a, struct chunk_source *s, struct chunk *c,
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

static void walk_events(struct jfrec_analysis *a, struct chunk_source *s, struct chunk_view *v,
			const bool *wanted, uint64_t *counts)
{
	struct chunk *c = v->chunk;
	struct chunk_walk walk = chunk_walk(c);
	uint64_t slots[PLAN_MAX_STEPS];
	struct jfrec_type *t;
	struct raw_event e;
	bool passed;

	while (!a->names.no_memory && !*source_stop_flag(s) && chunk_walk_any(&walk, &e)) {
		t = chunk_type_of(c, &e);
		if (!t)
			continue;
		passed = passes(a, s, c, t, &e, wanted, slots);
		counts[t->index] += passed;
		if (v->types[t->index].first)
			chunk_view_take(v, t, &e, !passed, slots);
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

/* of: the source that `s` is of; they differ where several threads work. */
static int read_chunk(struct jfrec_analysis *a, struct chunk_source *s, struct chunk_source *of,
		      struct chunk *c)
{
	uint32_t types = c->metadata->type_count;
	struct jvm *jvm = analysis_jvm_of(a, c);
	bool *wanted = source_selected(s, c->metadata);
	uint32_t *places = calloc(types + 1, sizeof(*places));
	uint64_t *counts = calloc(types + 1, sizeof(*counts));
	struct chunk_view v = { 0 };
	int ret = -1;

	/* The next chunk may be at the same place in memory. */
	a->asked_chunk = NULL;
	if (jvm && wanted && places && counts && declare_types(jvm, c->metadata, places) &&
	    chunk_view_init(&v, c, &a->names)) {
		v.jvm = jvm;
		note_chunk(jvm, c, !chunk_is_of_jvm(c->metadata));
		jvm->facts.is_async_profiler |= v.traces.is_async_profiler;
		jvm->facts.is_native |= c->metadata->is_native;
		if (listen(jvm, &v, source_recording(of))) {
			walk_events(a, s, &v, wanted, counts);
			ret = 0;
		}
	}
	for (uint32_t i = 0; ret == 0 && i < types; i++) {
		if (counts[i])
			jvm->types[places[i]].count += counts[i];
		jvm->facts.events += counts[i];
	}
	if (v.chunk)
		chunk_view_fini(&v);
	free(wanted);
	free(places);
	free(counts);
	return a->names.no_memory ? -1 : ret;
}

static int merge_chunk(void *ctx, const struct chunk_task *task, void *found,
		       struct jfrec_error *err)
{
	struct jfrec_analysis *a = ctx;

	(void)found;
	return read_chunk(a, task->source, a->source, task->chunk) < 0 ? jfrec_fail_memory(err) : 0;
}

void analysis_ride(struct jfrec_analysis *a, struct chunk_source *source,
		   struct chunk_rider *rider)
{
	static const struct chunk_work how = { .merge = merge_chunk };

	a->source = source;
	*rider = (struct chunk_rider){ &how, a };
}

int jfrec_analysis_read(struct jfrec_analysis *a, struct jfrec_reader *r, struct jfrec_error *err)
{
	struct chunk_source *source = reader_source(r);
	struct chunk *c;
	int got;

	if (a->is_finished)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "an analysis that is finished reads no more");
	while ((got = source_next(source, &c, err)) > 0) {
		int ret = read_chunk(a, source, source, c);

		chunk_tell_end(c);
		chunk_unref(c);
		if (ret < 0)
			return jfrec_fail_memory(err);
		if (source_check_stop(source, err) < 0)
			return -1;
	}
	a->damage += jfrec_reader_damage(r);
	return got;
}

/* Findings ------------------------------------------------------------------------------------- */

static enum about about_what(const struct jfrec_rule_finding *f)
{
	return ((const struct rule *)f->rule)->about; /* of which it is the first member */
}

/* What has no limits is so or not: it goes before what is more or less so. */
static double rank_of(const struct jfrec_rule_finding *f)
{
	if (!isnan(f->score))
		return f->score;
	return f->rule->info == 0 && f->rule->warning == 0 ? 101 : -1;
}

static int compare_findings(const void *a, const void *b)
{
	const struct jfrec_rule_finding *x = a, *y = b;
	double p = rank_of(x), q = rank_of(y);

	if (x->severity != y->severity)
		return x->severity > y->severity ? -1 : 1;
	/* What follows from another one comes after all that does not. */
	if (!x->explained_by != !y->explained_by)
		return x->explained_by ? 1 : -1;
	if (about_what(x) != about_what(y))
		return about_what(x) < about_what(y) ? -1 : 1;
	if (p != q)
		return p > q ? -1 : 1;
	return strcmp(x->rule->id, y->rule->id);
}

static void describe(struct jvm *jvm)
{
	const struct facts *f = &jvm->facts;
	const struct name *names = jvm->analysis->names.book.names.list;
	struct judging j = { .facts = f, .analysis = jvm->analysis, .jvm = jvm };
	int64_t lost =
		f->lost_bytes > f->lost_largest_total ? f->lost_bytes : f->lost_largest_total;

	jvm->shown = (struct jfrec_analyzed_jvm){
		.start_ns = f->start_ns,
		.end_ns = f->end_ns,
		.jvm_start_ns = f->jvm_start_ns,
		.pid = f->pid,
		.jdk = f->jdk,
		.version = f->version ? names[f->version].text : NULL,
		.vm = f->vm ? names[f->vm].text : NULL,
		.collector = collector_name(&j),
		.heap_max = f->heap_max,
		.hw_threads = f->hw_threads > 0 ? (int)f->hw_threads : 0,
		.cpus = usable_cpus(&j),
		.chunks = f->chunk_count,
		.events = f->events,
		.lost_bytes = (uint64_t)lost,
		.recorded_ns = f->recorded_ns,
	};
}

static bool judge_jvm(struct jfrec_analysis *a, struct jvm *jvm)
{
	jvm->findings = arena_zalloc(&jvm->arena, a->rule_count + 1, sizeof(*jvm->findings));
	if (!jvm->findings)
		return false;
	facts_finish(jvm);
	describe(jvm);
	for (size_t i = 0; i < a->rule_count; i++) {
		if (a->choices[i].is_wanted)
			judge_rule(a, jvm, i, &jvm->findings[jvm->finding_count++]);
	}
	find_causes(jvm);
	if (jvm->finding_count)
		qsort(jvm->findings, jvm->finding_count, sizeof(*jvm->findings), compare_findings);
	jvm->shown.verdict = verdict_of(jvm);
	jvm->shown.untold = untold_of(jvm);
	return true;
}

static int compare_jvms(const void *a, const void *b)
{
	const struct facts *x = &(*(struct jvm *const *)a)->facts,
			   *y = &(*(struct jvm *const *)b)->facts;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->pid > y->pid) - (x->pid < y->pid);
}

int jfrec_analysis_finish(struct jfrec_analysis *a, struct jfrec_error *err)
{
	if (a->is_finished)
		return 0;
	a->is_finished = true;
	if (a->jvm_count)
		qsort(a->jvms, a->jvm_count, sizeof(*a->jvms), compare_jvms);
	for (size_t i = 0; i < a->jvm_count; i++) {
		if (!judge_jvm(a, a->jvms[i]))
			return jfrec_fail_memory(err);
	}
	return a->names.no_memory ? jfrec_fail_memory(err) : 0;
}

size_t jfrec_analysis_jvm_count(const struct jfrec_analysis *a)
{
	return a->is_finished ? a->jvm_count : 0;
}

const struct jfrec_analyzed_jvm *jfrec_analysis_jvm_get(const struct jfrec_analysis *a, size_t jvm)
{
	return jvm < jfrec_analysis_jvm_count(a) ? &a->jvms[jvm]->shown : NULL;
}

size_t jfrec_analysis_finding_count(const struct jfrec_analysis *a, size_t jvm)
{
	return jvm < jfrec_analysis_jvm_count(a) ? a->jvms[jvm]->finding_count : 0;
}

const struct jfrec_rule_finding *jfrec_analysis_finding_get(const struct jfrec_analysis *a,
							    size_t jvm, size_t i)
{
	return i < jfrec_analysis_finding_count(a, jvm) ? &a->jvms[jvm]->findings[i] : NULL;
}
