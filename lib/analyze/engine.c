/* SPDX-License-Identifier: MIT */
/*
 * engine.c - an analysis: the rules that are asked, the JVMs that were met, what was found
 */
#include "analyze/engine.h"

#include <stdlib.h>

#include "analyze/causes.h"
#include "analyze/untold.h"
#include "analyze/user_rules.h"
#include "base/array.h"
#include "base/error.h"
#include "base/options.h"

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
	jvm->states = arena_zalloc(&jvm->arena, analysis_state_count(a), sizeof(*jvm->states));
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
	if (jvm->states) {
		jvm->states[state_of_facts(a)] = &jvm->facts;
		jvm->states[state_of_watch(a)] = jvm->watched;
	}
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
