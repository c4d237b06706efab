/* SPDX-License-Identifier: MIT */
/*
 * where.c - select events by an expression over their fields
 */
#include "read/where.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/near.h"
#include "read/where_program.h"

struct where {
	struct arena arena;
	struct node *root; /* NODE_AND */
	struct compare *comparisons;
	struct programs programs; /* of the chunk entered last */
	struct runner runner;
	bool is_checked;    /* each name means something to some type, or nothing is selected */
	bool saw_selection; /* some type was selected */
	/* Of the recording, for times that are relative to it. */
	const struct recording *recording;
	bool has_span;
	int64_t start_ns, end_ns;
};

/*
 * A type may be declared only after its first event, in a later chunk: names
 * that the first one does not know are looked for in so many.
 */
#define LOOK_AHEAD 100

/* Making --------------------------------------------------------------------------------------- */

/* One without an expression. */
static struct where *where_alloc(void)
{
	struct where *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->runner.slots = malloc((size_t)MAX_ACCESS_DEPTH * PLAN_MAX_STEPS *
				 sizeof(*w->runner.slots));
	if (w->runner.slots)
		return w;
	free(w);
	return NULL;
}

static struct where *where_new(void)
{
	struct where *w = where_alloc();

	if (!w)
		return NULL;
	w->root = node_new(&w->arena, NODE_AND, NULL);
	if (w->root)
		return w;
	where_free(w);
	return NULL;
}

static void free_memos(struct programs *p)
{
	for (struct const_query *q = p->queries; q; q = q->next) {
		free(q->memo);
		q->memo = NULL;
	}
}

static void programs_fini(struct programs *p)
{
	free_memos(p);
	arena_fini(&p->arena);
	free(p->programs);
	free(p->tests);
	metadata_unref(p->metadata);
	*p = (struct programs){ 0 };
}

void where_free(struct where *w)
{
	if (!w)
		return;
	programs_fini(&w->programs);
	arena_fini(&w->runner.scratch);
	free(w->runner.slots);
	arena_fini(&w->arena);
	free(w);
}

static int ensure(struct where **w, struct jfrec_error *err)
{
	if (!*w)
		*w = where_new();
	return *w ? 0 : jfrec_fail_memory(err);
}

static void add(struct where *w, struct node *n)
{
	n->before = w->root->last;
	w->root->last = n;
	w->is_checked = false;
	programs_fini(&w->programs);
}

int where_add(struct where **w, const char *expression, struct jfrec_error *err)
{
	struct compare *comparisons;
	struct node *n;

	if (ensure(w, err) < 0)
		return -1;
	comparisons = (*w)->comparisons;
	n = where_parse(&(*w)->arena, expression, &comparisons, err);
	if (!n)
		return -1;
	(*w)->comparisons = comparisons;
	add(*w, n);
	return 0;
}

bool where_is_relative(const struct where *w)
{
	for (const struct compare *cmp = w ? w->comparisons : NULL; cmp; cmp = cmp->next) {
		if (cmp->value.kind == LITERAL_SPAN && cmp->value.sign)
			return true;
	}
	return false;
}

/*
 * A comparison that asks no more than whether a name is in a list, so it is right for every type.
 */
static struct node *filter_node(struct arena *a, enum jfrec_filter by, bool exclude,
				const char *globs)
{
	struct compare *cmp = arena_zalloc(a, 1, sizeof(*cmp));
	struct node *n = node_new(a, NODE_COMPARISON, NULL);
	char *copy = arena_strndup(a, globs, strlen(globs));

	if (!cmp || !n || !copy)
		return NULL;
	n->comparison = cmp;
	cmp->used = true;
	cmp->own_field = true;
	cmp->relation = RELATION_LIST;
	cmp->value = (struct literal){ .kind = LITERAL_TEXT, .text = copy, .len = strlen(copy) };
	if (by == JFREC_FILTER_THREADS) {
		cmp->segments[0] = (struct segment){ .name = "eventThread" };
		cmp->segments[1] = (struct segment){ .name = "javaName" };
		cmp->segment_count = 2;
	} else {
		cmp->subject = by == JFREC_FILTER_EVENTS ? SUBJECT_EVENT : SUBJECT_CATEGORY;
	}
	/* An event without a thread is in no list, and passes when that is excluded. */
	return exclude ? node_new(a, NODE_NOT, n) : n;
}

int where_add_filter(struct where **w, enum jfrec_filter by, bool exclude, const char *globs,
		     struct jfrec_error *err)
{
	struct node *n;

	if (ensure(w, err) < 0)
		return -1;
	n = filter_node(&(*w)->arena, by, exclude, globs);
	if (!n)
		return jfrec_fail_memory(err);
	add(*w, n);
	return 0;
}

/* Programs for a chunk ------------------------------------------------------------------------- */

static int find_span(void *ctx, int64_t *start_ns, int64_t *end_ns, struct jfrec_error *err)
{
	struct where *w = ctx;

	if (!w->has_span && recording_span(w->recording, &w->start_ns, &w->end_ns, err) < 0)
		return -1;
	w->has_span = true;
	*start_ns = w->start_ns;
	*end_ns = w->end_ns;
	return 0;
}

/* Returns 0, or -1 when memory is gone. */
static int make_programs(struct where *w, struct programs *p, struct metadata *m,
			 const struct selection *selection)
{
	struct maker maker = { .programs = p, .span = find_span, .span_ctx = w };

	p->metadata = metadata_ref(m);
	p->programs = calloc((size_t)m->type_count + 1, sizeof(*p->programs));
	if (!p->programs)
		return -1;
	for (uint32_t i = 0; i < m->type_count; i++) {
		p->programs[i].entry = PROGRAM_REJECT;
		if (!selection_has(selection, &m->types[i]))
			continue;
		w->saw_selection = true;
		program_make(&maker, w->root, &m->types[i]);
	}
	return maker.out_of_memory ? -1 : 0;
}

/* Names that mean nothing ---------------------------------------------------------------------- */

static struct compare *unused_comparison(const struct where *w)
{
	struct compare *found = NULL;

	/* They are in the order from the last to the first. */
	for (struct compare *cmp = w->comparisons; cmp; cmp = cmp->next) {
		if (!cmp->used)
			found = cmp;
	}
	return found;
}

static void offer_own_names(struct near *near)
{
	static const char *const ours[] = { "event", "category", "thread", "endTime" };

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		near_offer(near, ours[i]);
}

static int fail_unknown(const struct where *w, const struct compare *cmp,
			const struct selection *selection, struct jfrec_error *err)
{
	const struct metadata *m = w->programs.metadata;
	struct near near = { .name = cmp->segments[0].name };
	char list[NEAR_LIST_MAX];

	offer_own_names(&near);
	for (uint32_t i = 0; i < m->type_count; i++) {
		const struct jfrec_type *t = &m->types[i];

		for (unsigned k = 0; k < t->field_count && selection_has(selection, t); k++)
			near_offer(&near, t->fields[k].name);
	}
	return where_fail(err, cmp->expression, cmp->segments[0].at,
			  "no %sevent type has a field %.60s%s",
			  selection_is_all(selection) ? "" : "selected ", near.name,
			  near_list(&near, list));
}

/* The metadata of the next chunk, to be given back; NULL if there is none. */
static struct metadata *next_metadata(struct recording *r, struct extent *x)
{
	while (recording_next(r, x, NULL) > 0) {
		struct chunk *c;
		struct metadata *m;

		if (chunk_load(r, x, &c, NULL) <= 0)
			continue;
		m = metadata_ref(c->metadata);
		chunk_unref(c);
		return m;
	}
	return NULL;
}

/* Ask the types of other chunks about the comparisons that mean nothing to those of this one. */
static int look_ahead(struct where *w, const struct recording *recording,
		      const struct selection *selection)
{
	struct recording again;
	struct extent x = { 0 };
	struct metadata *m;
	int ret = 0;

	if (recording_again(recording, &again, NULL) < 0)
		return 0;
	for (unsigned i = 0; i < LOOK_AHEAD && ret == 0 && unused_comparison(w); i++) {
		struct programs p = { 0 };

		m = next_metadata(&again, &x);
		if (!m)
			break;
		ret = make_programs(w, &p, m, selection);
		programs_fini(&p);
		metadata_unref(m);
	}
	recording_close(&again);
	return ret;
}

static int check(struct where *w, const struct recording *recording,
		 const struct selection *selection, struct jfrec_error *err)
{
	const struct compare *cmp;

	if (unused_comparison(w) && look_ahead(w, recording, selection) < 0)
		return jfrec_fail_memory(err);
	cmp = unused_comparison(w);
	if (cmp && w->saw_selection) {
		if (!cmp->nearness)
			return fail_unknown(w, cmp, selection, err);
		if (err)
			*err = cmp->failure;
		return -1;
	}
	w->is_checked = true;
	return 0;
}

int where_enter(struct where *w, const struct chunk *c, const struct recording *recording,
		const struct selection *selection, struct jfrec_error *err)
{
	w->runner.chunk = c;
	w->recording = recording;
	if (w->programs.metadata == c->metadata) {
		free_memos(&w->programs);
		return 0;
	}
	programs_fini(&w->programs);
	if (make_programs(w, &w->programs, c->metadata, selection) < 0)
		return jfrec_fail_memory(err);
	return w->is_checked ? 0 : check(w, recording, selection, err);
}

/* One event type ------------------------------------------------------------------------------- */

static int fail_unknown_to(const struct compare *cmp, const struct jfrec_type *t,
			   struct jfrec_error *err)
{
	struct near near = { .name = cmp->segments[0].name };
	char list[NEAR_LIST_MAX];

	offer_own_names(&near);
	for (unsigned i = 0; i < t->field_count; i++)
		near_offer(&near, t->fields[i].name);
	return where_fail(err, cmp->expression, cmp->segments[0].at, "%.80s has no field %.60s%s",
			  t->name, near.name, near_list(&near, list));
}

/* The program of this type into *p, in which there is room for it. */
static int make_program(struct where *w, struct maker *maker, const struct jfrec_type *t,
			struct jfrec_error *err)
{
	const struct compare *cmp;

	for (struct compare *c = w->comparisons; c; c = c->next) {
		c->used = false;
		c->nearness = 0;
	}
	program_make(maker, w->root, t);
	if (maker->out_of_memory)
		return jfrec_fail_memory(err);
	cmp = unused_comparison(w);
	if (!cmp)
		return 0;
	if (!cmp->nearness)
		return fail_unknown_to(cmp, t, err);
	if (err)
		*err = cmp->failure;
	return -1;
}

int where_enter_type(struct where *w, const struct chunk *c, const struct recording *recording,
		     const struct jfrec_type *t, struct jfrec_error *err)
{
	struct programs *p = &w->programs;
	struct maker maker = { .programs = p, .span = find_span, .span_ctx = w };

	w->runner.chunk = c;
	w->recording = recording;
	w->has_span = false;
	programs_fini(p);
	p->metadata = metadata_ref(c->metadata);
	p->programs = calloc((size_t)c->metadata->type_count + 1, sizeof(*p->programs));
	if (!p->programs)
		return jfrec_fail_memory(err);
	for (uint32_t i = 0; i < c->metadata->type_count; i++)
		p->programs[i].entry = PROGRAM_REJECT;
	return make_program(w, &maker, t, err);
}

/* Without a recording any time is as good. */
static int no_span(void *ctx, int64_t *start_ns, int64_t *end_ns, struct jfrec_error *err)
{
	(void)ctx;
	(void)err;
	*start_ns = *end_ns = 0;
	return 0;
}

int where_check_type(struct where *w, const struct jfrec_type *t, struct jfrec_error *err)
{
	struct programs p = { .programs = calloc((size_t)t->index + 1, sizeof(*p.programs)) };
	struct maker maker = { .programs = &p, .span = no_span };
	int ret = p.programs ? make_program(w, &maker, t, err) : jfrec_fail_memory(err);

	programs_fini(&p);
	return ret;
}

struct where *where_take(struct where *w)
{
	struct where *taken = where_alloc();

	if (!taken)
		return NULL;
	taken->runner.chunk = w->runner.chunk;
	taken->programs = w->programs;
	w->programs = (struct programs){ 0 };
	return taken;
}

void where_trust(struct where *w, const struct where *other)
{
	w->is_checked = true;
	w->has_span = other->has_span;
	w->start_ns = other->start_ns;
	w->end_ns = other->end_ns;
}

bool where_is_out_of_memory(const struct where *w)
{
	return w->runner.out_of_memory;
}

bool where_selects(const struct where *w, const struct jfrec_type *t)
{
	return w->programs.programs[t->index].entry != PROGRAM_REJECT;
}

bool where_passes_all(const struct where *w, const struct jfrec_type *t)
{
	return w->programs.programs[t->index].entry == PROGRAM_ACCEPT;
}

bool where_passes(struct where *w, struct chunk *c, const struct jfrec_type *t,
		  const struct raw_event *e, uint64_t *slots)
{
	const struct program *p = &w->programs.programs[t->index];
	struct cursor at = event_payload(e, c->end);

	if (p->entry < 0)
		return p->entry == PROGRAM_ACCEPT;
	plan_decode(p->plan, &at, slots);
	/* What ran past its end is reported with all events that do. */
	if (event_overran(e, &at) && !chunk_decode(c, t, e, slots))
		return false;
	return program_run(&w->runner, &w->programs, p->entry, slots);
}
