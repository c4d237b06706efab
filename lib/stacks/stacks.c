/* SPDX-License-Identifier: MIT */
/*
 * stacks.c - the profiles of one or two recordings: options, reading, results
 */
#include "stacks/stacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/near.h"
#include "base/options.h"
#include "format/event_time.h"
#include "read/chunk_crew.h"
#include "read/code_name.h"
#include "stacks/java_regex.h"

/* Options -------------------------------------------------------------------------------------- */

/* The symbol of a function of C++ or Rust finds the name that it stands for. */
static int compile(regex_t *regex, const char *text, bool is_jfrconv, struct jfrec_error *err)
{
	struct arena arena = { 0 };
	char why[128];
	int code;

	if (is_jfrconv)
		return java_regex_compile(regex, text, err);
	code = regcomp(regex, code_pattern(&arena, text, "^.[]$()|*+?{}\\"), REG_EXTENDED | REG_NOSUB);
	arena_fini(&arena);
	if (code == 0)
		return 0;
	regerror(code, regex, why, sizeof(why));
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "'%s' is not a regular expression: %s", text, why);
}

static int take_options(struct jfrec_stacks *s, struct jfrec_error *err)
{
	struct jfrec_stack_options *o = &s->options;

	if (o->include && compile(&s->include, o->include, o->is_jfrconv, err) < 0)
		return -1;
	s->has_include = o->include != NULL;
	if (o->exclude && compile(&s->exclude, o->exclude, o->is_jfrconv, err) < 0)
		return -1;
	s->has_exclude = o->exclude != NULL;
	if (o->states && !(s->states = strdup(o->states)))
		return jfrec_fail_memory(err);
	if (o->within_tag && !(s->within_tag = strdup(o->within_tag)))
		return jfrec_fail_memory(err);
	s->leak_tail = o->leak_tail ? *o->leak_tail : LEAK_TAIL;
	o->include = o->exclude = o->within_tag = NULL;
	o->leak_tail = NULL;
	o->states = s->states;
	s->gathering = (struct gathering){
		.naming = { .with_dots = !o->with_slashes,
			    .is_simple = o->is_simple,
			    .normalizes = !o->keeps_numbers,
			    .is_jfrconv = o->is_jfrconv },
		.with_threads = o->with_threads,
		.with_category = o->with_category,
		.with_lines = o->with_lines,
		.with_bci = o->with_bci,
		.drops_stackless = o->is_jfrconv,
		.with_times = o->keeps_times,
		.packs_times = o->packs_times,
		.counts = o->counts,
		.with_markers = o->keeps_times,
		.states = s->states,
		.threads = o->threads,
		.grain = o->grain,
		.from_ns = o->is_jfrconv ? o->from_ns : NULL,
		.to_ns = o->is_jfrconv ? o->to_ns : NULL,
	};
	return 0;
}

struct jfrec_stacks *jfrec_stacks_new(const struct jfrec_stack_options *options,
				      struct jfrec_error *err)
{
	struct jfrec_stacks *s = calloc(1, sizeof(*s));

	if (!s) {
		jfrec_fail_memory(err);
		return NULL;
	}
	if (options_take(&s->options, sizeof(s->options), options, err) < 0 ||
	    take_options(s, err) < 0) {
		jfrec_stacks_free(s);
		return NULL;
	}
	return s;
}

static void kind_of_type_free(struct kind_of_type *k)
{
	if (!k)
		return;
	free(k->type);
	free(k->weight);
	free(k);
}

static void profile_fini(struct profile *p)
{
	for (unsigned i = 0; i < MAX_RANKS; i++) {
		tree_fini(&p->trees[i]);
		sample_list_fini(&p->samples[i]);
		times_fini(&p->times[i]);
		free(p->waiting[i]);
	}
	leaks_fini(&p->leaks);
	idmap_fini(&p->threads_seen);
}

void jfrec_stacks_free(struct jfrec_stacks *s)
{
	if (!s)
		return;
	for (unsigned side = 0; side < MAX_SIDES; side++) {
		for (size_t i = 0; s->profiles[side] && i < s->kind_count; i++)
			profile_fini(&s->profiles[side][i]);
		free(s->profiles[side]);
	}
	if (s->has_include)
		regfree(&s->include);
	if (s->has_exclude)
		regfree(&s->exclude);
	book_fini(&s->book);
	for (size_t i = 0; i < s->type_kind_count; i++)
		kind_of_type_free(s->kinds_of_types[i]);
	free(s->kinds_of_types);
	free(s->kinds);
	free(s->states);
	free(s->within_tag);
	free(s->label);
	intervals_fini(&s->within);
	for (size_t i = 0; i < s->recording_count; i++)
		free(s->recordings[i]);
	free(s->recordings);
	damage_fini(&s->damage);
	marker_list_fini(&s->markers);
	free(s->title);
	free(s->note);
	free(s->folded);
	free(s->matches);
	free(s);
}

size_t jfrec_stacks_names_count(void)
{
	size_t n = 0;

	while (profile_kind_at(n))
		n++;
	return n;
}

const char *jfrec_stacks_names_get(size_t i)
{
	const struct profile_kind *k = profile_kind_at(i);

	return k ? k->name : NULL;
}

static int fail_unknown(const char *profile, struct jfrec_error *err)
{
	struct near near = { .name = profile };
	char list[NEAR_LIST_MAX];

	for (size_t i = 0; profile_kind_at(i); i++)
		near_offer(&near, profile_kind_at(i)->name);
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "unknown profile '%.60s'%s", profile,
			  near_list(&near, list));
}

int jfrec_stacks_add(struct jfrec_stacks *s, const char *profile, struct jfrec_error *err)
{
	const struct profile_kind *k = s->options.is_jfrconv ? jfrconv_kind_named(profile)
							     : profile_kind_named(profile);

	if (!k)
		return fail_unknown(profile, err);
	return array_push(s->kinds, s->kind_count, s->kind_room, k) ? 0 : jfrec_fail_memory(err);
}

int jfrec_stacks_add_type(struct jfrec_stacks *s, const char *type, const char *weight,
			  struct jfrec_error *err)
{
	struct kind_of_type *k = calloc(1, sizeof(*k));

	if (!k || !(k->type = strdup(type)) || (weight && !(k->weight = strdup(weight)))) {
		kind_of_type_free(k);
		return jfrec_fail_memory(err);
	}
	k->source = (struct stack_source){
		.type = k->type,
		.thread = "eventThread",
		.value_from = weight ? VALUE_FIELD : VALUE_NONE,
		.value = k->weight,
	};
	k->kind = (struct profile_kind){ k->type, k->type, UNIT_SAMPLES, &k->source, 1,
					 .has_unit_of_field = weight != NULL };
	if (!array_push(s->kinds_of_types, s->type_kind_count, s->type_kind_room, k)) {
		kind_of_type_free(k);
		return jfrec_fail_memory(err);
	}
	return array_push(s->kinds, s->kind_count, s->kind_room, &k->kind) ? 0
									   : jfrec_fail_memory(err);
}

/* Reading -------------------------------------------------------------------------------------- */

/* Of the time that is asked for, what the chunk covers. */
static void note_times(struct span_ns *s, const struct jfrec_chunk_info *c,
		       const struct bounds *bounds)
{
	int64_t end_ns = long_add(c->start_ns, c->duration_ns), start_ns = c->start_ns;

	start_ns = start_ns < bounds->from_ns ? bounds->from_ns : start_ns;
	end_ns = end_ns > bounds->to_ns ? bounds->to_ns : end_ns;
	if (start_ns > end_ns)
		return;
	if (!s->start_ns || start_ns < s->start_ns)
		s->start_ns = start_ns;
	if (end_ns > s->end_ns)
		s->end_ns = end_ns;
}

/* What the weights of the caller's types are measured in, as soon as a chunk says so. */
static void take_units(struct jfrec_stacks *s, const struct gathered_chunk *c)
{
	for (size_t i = 0; i < s->type_kind_count; i++) {
		struct kind_of_type *k = s->kinds_of_types[i];

		for (size_t j = 0; !k->has_unit && j < s->kind_count; j++) {
			if (s->kinds[j] != &k->kind || !c->has_unit[j])
				continue;
			k->has_unit = true;
			k->kind.unit = c->units[j];
		}
	}
}

/* What a thread found in a chunk: rows whose frames are numbers in a book of their own. */
struct found {
	struct gathered_chunk gathered;
	struct book book;
};

static void drop_found(void *ctx, void *found)
{
	struct found *f = found;

	(void)ctx;
	gathered_fini(&f->gathered);
	book_fini(&f->book);
	free(f);
}

/* One chunk, by one of several threads; chunk_crew.h. */
static void *work(void *ctx, struct chunk_task *task)
{
	const struct reading_side *r = ctx;
	struct found *f = calloc(1, sizeof(*f));
	struct gather *g = f ? gather_new(&r->stacks->gathering, task->chunk, &f->book) : NULL;
	bool is_frame, is_done;

	if (g && source_label_name(task->source, &is_frame))
		gather_by_label(g, task->source);
	is_done = g && gather_chunk(r->stacks, task->source, task->chunk, g) == 0 &&
		  gather_end(g, &f->gathered) == 0;

	gather_free(g);
	if (!is_done && f) {
		drop_found(ctx, f);
		f = NULL;
	}
	chunk_tell_end(task->chunk);
	return f;
}

static bool has_side(struct jfrec_stacks *s, unsigned side)
{
	if (s->profiles[side])
		return true;
	s->profiles[side] = calloc(s->kind_count + 1, sizeof(struct profile));
	for (size_t i = 0; s->profiles[side] && i < s->kind_count * MAX_RANKS; i++)
		s->profiles[side][i / MAX_RANKS].times[i % MAX_RANKS].most_spans =
			s->gathering.most_spans;
	return s->profiles[side];
}

static void note_producer(struct jfrec_stacks *s, const struct metadata *m)
{
	for (uint32_t i = 0; m && i < m->type_count && !s->producer; i++) {
		if (m->types[i].is_event)
			s->producer = producer_of(m->types[i].name);
	}
}

static int merge_found(void *ctx, const struct chunk_task *task, void *found,
		       struct jfrec_error *err)
{
	const struct reading_side *r = ctx;
	struct found *f = found;
	struct bounds bounds = bounds_of(r->stacks->options.from_ns, r->stacks->options.to_ns);
	unsigned side = r->side_of ? r->side_of(r->ctx, task) : r->side;

	if (side >= MAX_SIDES)
		return 0;
	if (!has_side(r->stacks, side))
		return jfrec_fail_memory(err);
	note_producer(r->stacks, task->chunk->metadata);
	take_units(r->stacks, &f->gathered);
	note_times(&r->stacks->spans[side], &task->chunk->info, &bounds);
	if (stacks_translate(r->stacks, &f->gathered, &f->book) < 0 ||
	    stacks_merge(r->stacks, side, &f->gathered) < 0)
		return jfrec_fail_memory(err);
	return 0;
}

static int begin_side(struct jfrec_stacks *s, unsigned side, struct jfrec_error *err)
{
	if (side >= DIFFERENCE_SIDES)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "there is no side %u", side);
	s->gathering.kinds = s->kinds;
	s->gathering.kind_count = s->kind_count;
	return has_side(s, side) ? 0 : jfrec_fail_memory(err);
}

static int note_label(struct jfrec_stacks *s, const struct chunk_source *source,
		      struct jfrec_error *err)
{
	const char *name = source_label_name(source, &s->label_is_frame);

	if (!name || s->label)
		return 0;
	s->label = strdup(name);
	return s->label ? 0 : jfrec_fail_memory(err);
}

/* Of later profiles than the first with samples not all was read. */
static void drop_later(struct jfrec_stacks *s, unsigned side)
{
	size_t i = 0;

	while (i < s->kind_count && !stacks_tree(s, side, i))
		i++;
	while (++i < s->kind_count) {
		profile_fini(&s->profiles[side][i]);
		s->profiles[side][i] = (struct profile){ 0 };
	}
}

static const struct chunk_work stacks_work = { work, merge_found, drop_found };

int jfrec_stacks_read(struct jfrec_stacks *s, unsigned side, struct jfrec_reader *r,
		      struct jfrec_error *err)
{
	struct reading_side reading = { .stacks = s, .side = side };

	if (begin_side(s, side, err) < 0)
		return -1;
	if (note_label(s, reader_source(r), err) < 0 ||
	    source_each_chunk(reader_source(r), NULL, &stacks_work, &reading, err) < 0 ||
	    kinds_of_types_check(s, reader_source(r), err) < 0)
		return -1;
	if (stacks_add_leaks(s, side) < 0)
		return jfrec_fail_memory(err);
	if (s->options.only_first)
		drop_later(s, side);
	return 0;
}

int stacks_ride(struct jfrec_stacks *s, struct reading_side *reading, struct chunk_rider *rider,
		struct jfrec_error *err)
{
	reading->stacks = s;
	reading->side = 0;
	*rider = (struct chunk_rider){ &stacks_work, reading };
	return begin_side(s, 0, err);
}

static int set_text(char **to, const char *text, struct jfrec_error *err)
{
	char *copy = text ? strdup(text) : NULL;

	if (text && !copy)
		return jfrec_fail_memory(err);
	free(*to);
	*to = copy;
	return 0;
}

int jfrec_stacks_set_title(struct jfrec_stacks *s, const char *title, const char *note,
			   struct jfrec_error *err)
{
	return set_text(&s->title, title, err) < 0 ? -1 : set_text(&s->note, note, err);
}

int jfrec_stacks_add_problem(struct jfrec_stacks *s, const struct jfrec_problem *problem,
			     struct jfrec_error *err)
{
	return damage_add(&s->damage, problem) < 0 ? jfrec_fail_memory(err) : 0;
}

int jfrec_stacks_add_recording(struct jfrec_stacks *s, const char *name, struct jfrec_error *err)
{
	char *copy = strdup(name);

	if (copy && array_push(s->recordings, s->recording_count, s->recording_room, copy))
		return 0;
	free(copy);
	return jfrec_fail_memory(err);
}

/* Results -------------------------------------------------------------------------------------- */

struct tree *stacks_tree(const struct jfrec_stacks *s, unsigned side, size_t kind)
{
	struct profile *p = s->profiles[side] ? &s->profiles[side][kind] : NULL;

	for (unsigned i = 0; p && i < MAX_RANKS; i++) {
		if (p->trees[i].count && p->trees[i].nodes[0].total.samples)
			return &p->trees[i];
	}
	return NULL;
}

const struct sample_list *stacks_samples(const struct jfrec_stacks *s, unsigned side, size_t kind)
{
	const struct tree *t = stacks_tree(s, side, kind);
	const struct profile *p = t ? &s->profiles[side][kind] : NULL;

	return p && p->samples[t - p->trees].count ? &p->samples[t - p->trees] : NULL;
}

struct times *stacks_times(const struct jfrec_stacks *s, unsigned side, size_t kind)
{
	const struct tree *t = stacks_tree(s, side, kind);
	struct profile *p = t ? &s->profiles[side][kind] : NULL;

	return p ? &p->times[t - p->trees] : NULL;
}

size_t jfrec_stacks_count(const struct jfrec_stacks *s)
{
	return s->kind_count;
}

const char *jfrec_stacks_producer(const struct jfrec_stacks *s)
{
	return s->producer;
}

/* Samples of the ranks after that of the tree. */
static uint64_t left_out(const struct profile *p, const struct tree *t)
{
	uint64_t samples = 0;

	for (size_t i = (size_t)(t - p->trees) + 1; i < MAX_RANKS; i++) {
		if (p->trees[i].count)
			samples += p->trees[i].nodes[0].total.samples;
	}
	return samples;
}

static const enum jfrec_unit public_units[] = {
	[UNIT_SAMPLES] = JFREC_UNIT_NONE,
	[UNIT_NS] = JFREC_UNIT_NS,
	[UNIT_BYTES] = JFREC_UNIT_BYTES,
};

struct jfrec_stack_profile stacks_describe(const struct jfrec_stacks *s, unsigned side, size_t i)
{
	const struct profile_kind *k = s->kinds[i];
	const struct tree *t = stacks_tree(s, side, i);
	struct jfrec_stack_profile p = {
		.name = k->name,
		.label = k->label,
		.unit = public_units[stacks_unit(s, i)],
	};

	if (t) {
		p.samples = t->nodes[0].total.samples;
		p.value = stacks_weight(s, i, t->nodes[0].total);
		p.from = equivalent_of_rank(k, (unsigned)(t - s->profiles[side][i].trees));
		p.left_out = left_out(&s->profiles[side][i], t);
	}
	if (s->profiles[side]) {
		const struct doubts *d = &s->profiles[side][i].doubts;

		p.stackless = d->stackless;
		p.failed = d->failed;
		p.lost = d->lost;
		p.truncated = d->truncated;
		p.other = stacks_other(s, t).samples;
	}
	return p;
}

const struct jfrec_stack_profile *jfrec_stacks_get(struct jfrec_stacks *s, unsigned side, size_t i)
{
	if (i >= s->kind_count || side >= MAX_SIDES)
		return NULL;
	s->shown[side] = stacks_describe(s, side, i);
	return &s->shown[side];
}

bool stacks_side_has(const struct jfrec_stacks *s, unsigned side, size_t kind, size_t only)
{
	return (only == JFREC_STACKS_ALL || only == kind) && stacks_tree(s, side, kind);
}

bool stacks_has(const struct jfrec_stacks *s, size_t kind, size_t only)
{
	return stacks_side_has(s, 0, kind, only);
}
