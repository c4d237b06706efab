/* SPDX-License-Identifier: MIT */
/*
 * programs.c - what the queries do with the events of each type of a chunk
 */
#include "query/programs.h"

#include <string.h>

#include "query/worker.h"

static void need(struct type_programs *t, const struct getter *g)
{
	if (g->needs > t->plan.step_count)
		t->plan.step_count = g->needs;
}

static unsigned place_of(const struct listener *l, unsigned column)
{
	unsigned i = 0;

	while (i < l->column_count && l->columns[i] != column)
		i++;
	return i;
}

/* The getters of a calculation's fields. */
static bool make_arguments(struct worker *w, const struct jfrec_type *t, const struct column *c,
			   struct program *p, unsigned i)
{
	struct type_programs *to = &w->types[t->index];
	struct arena *a = &w->reading.arena;

	if (!p->arguments)
		p->arguments = arena_zalloc(a, p->listener->column_count, sizeof(*p->arguments));
	if (!p->arguments)
		return false;
	p->arguments[i] = arena_zalloc(a, c->atom_count, sizeof(*p->arguments[i]));
	for (unsigned k = 0; p->arguments[i] && k < c->atom_count; k++) {
		getter_make(&w->reading, t, &c->atoms[k], &p->arguments[i][k]);
		need(to, &p->arguments[i][k]);
	}
	return p->arguments[i] != NULL;
}

static bool is_same_path(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool get_the_same(const struct getter *a, const struct getter *b)
{
	return a->kind == b->kind && a->slot == b->slot && a->field == b->field &&
	       a->follow == b->follow && is_same_path(a->path, b->path);
}

/* The value that the getter gets, which several columns may share.  NULL: no memory. */
static struct event_value *share_value(struct worker *w, struct type_programs *to,
				       const struct getter *g)
{
	bool is_fixed = g->kind == GET_FIXED || g->kind == GET_NOTHING;
	struct event_value *v = is_fixed ? NULL : to->values;

	while (v && !get_the_same(&v->getter, g))
		v = v->next;
	if (v)
		return v;
	v = arena_zalloc(&w->reading.arena, 1, sizeof(*v));
	if (!v)
		return NULL;
	v->getter = *g;
	if (is_fixed) {
		v->value = getter_get(&w->reading, g, w->slots);
		return v;
	}
	v->next = to->values;
	to->values = v;
	need(to, g);
	return v;
}

/* Its columns ask for that value; others may have done so. */
static void ask(struct program *p, struct event_value *v)
{
	for (unsigned i = 0; i < p->asked_count; i++) {
		if (p->asked[i] == v)
			return;
	}
	p->asked[p->asked_count++] = v;
}

/* The column has a value of its own, made for each event.  False: no memory. */
static bool make_own_value(struct worker *w, struct program *p, struct column_program *to)
{
	to->made = arena_zalloc(&w->reading.arena, 1, sizeof(*to->made));
	to->value = to->made;
	p->makes_values = true;
	return to->made != NULL;
}

/* How one column of a program is fed.  False: no memory. */
static bool make_column(struct worker *w, const struct jfrec_type *t, const struct resolved *r,
			struct program *p, unsigned i)
{
	static const struct value nothing;
	unsigned column = p->listener->columns[i];
	const struct column *c = &r->columns[column];
	struct column_program *to = &p->columns[i];
	struct getter g;

	*to = (struct column_program){ .value = &nothing,
				       .column = column,
				       .aggregator = (uint8_t)c->aggregator };
	if (column < r->width)
		p->cell_count = i + 1; /* they ascend */
	if (c->argument) {
		to->how = TAKE_CALCULATED;
		return make_own_value(w, p, to) && make_arguments(w, t, c, p, i);
	}
	if (c->aggregator == AGGREGATE_COUNT || c->words_of) {
		to->how = TAKE_NOTHING;
		to->aggregator = AGGREGATE_COUNT;
		return true;
	}
	getter_make(&w->reading, t, &c->field, &g);
	to->how = g.kind == GET_FIXED || g.kind == GET_NOTHING ? TAKE_FIXED : TAKE_VALUE;
	to->is_refined = c->every_ns || c->is_mixed;
	to->source = share_value(w, &w->types[t->index], &g);
	if (!to->source)
		return false;
	to->value = &to->source->value;
	if (to->how == TAKE_VALUE)
		ask(p, to->source);
	return !to->is_refined || make_own_value(w, p, to);
}

static bool gets_fixed(const struct column_program *c)
{
	return c->source && c->source->getter.kind == GET_FIXED;
}

/* Is it what GROUP BY names, and the same in all events of the type? */
static bool is_fixed_key(const struct resolved *r, const struct program *p, unsigned column)
{
	const struct listener *l = p->listener;
	const struct column *c = &r->columns[l->columns[column]];

	if (!gets_fixed(&p->columns[column]) || c->is_mixed || c->argument ||
	    c->aggregator != AGGREGATE_NONE)
		return false;
	for (unsigned i = 0; i < l->key_count; i++) {
		if (strcmp(r->columns[l->keys[i]].field.path, c->field.path) == 0)
			return true;
	}
	return false;
}

/* How many events there are of each type is asked of all events. */
static bool only_counts(const struct resolved *r, const struct program *p)
{
	const struct listener *l = p->listener;

	for (unsigned i = 0; i < l->column_count; i++) {
		if (r->columns[l->columns[i]].aggregator != AGGREGATE_COUNT &&
		    !is_fixed_key(r, p, i))
			return false;
	}
	return r->has_aggregator && l->key_count > 0;
}

/* A summary of all events, such as how many there were, and when the first and the last one was. */
static bool only_ends(const struct resolved *r, const struct listener *l)
{
	for (unsigned i = 0; i < l->column_count; i++) {
		const struct column *c = &r->columns[l->columns[i]];

		if (c->aggregator != AGGREGATE_COUNT && c->aggregator != AGGREGATE_FIRST &&
		    c->aggregator != AGGREGATE_LAST &&
		    !(c->aggregator == AGGREGATE_DIFF && c->look.is_time))
			return false;
	}
	return r->has_aggregator && l->key_count == 0;
}

static bool has_fixed_key(const struct resolved *r, const struct program *p)
{
	const struct listener *l = p->listener;

	for (unsigned i = 0; i < l->key_count; i++) {
		const struct column *c = &r->columns[l->keys[i]];

		if (!gets_fixed(&p->columns[p->keys[i]]) || c->is_mixed || c->argument)
			return false;
	}
	return true;
}

/*
 * Is it enough to count the events, and to see the ends of each segment?  Events of chunks that are
 * not sound may turn out not to be any.
 */
static bool is_light(const struct worker *w, const struct program *p)
{
	return (p->only_counts || p->only_ends) && !p->listener->filter_count &&
	       !w->wheres[p->query] && w->reading.chunk->pages.count;
}

static void list_add(struct program_list *l, struct program *p)
{
	if (l->last)
		l->last->next = p;
	else
		l->first = p;
	l->last = p;
}

/* False: no memory. */
static bool make_program(struct worker *w, const struct jfrec_type *t, unsigned query,
			 const struct listener *l)
{
	const struct resolved *r = &w->queries->queries[query]->resolved;
	struct type_programs *to = &w->types[t->index];
	struct arena *a = &w->reading.arena;
	struct program *p = arena_zalloc(a, 1, sizeof(*p));

	if (!p)
		return false;
	*p = (struct program){
		.query = query,
		.listener = l,
		.column_count = l->column_count,
		.filters = arena_zalloc(a, l->filter_count + 1, sizeof(*p->filters)),
		.columns = arena_zalloc(a, l->column_count + 1, sizeof(*p->columns)),
		.asked = arena_zalloc(a, l->column_count + 1, sizeof(struct event_value *)),
		.keys = arena_zalloc(a, l->key_count + 1, sizeof(*p->keys)),
	};
	if (!p->filters || !p->columns || !p->asked || !p->keys)
		return false;
	for (unsigned i = 0; i < l->filter_count; i++) {
		getter_make(&w->reading, t, &l->filters[i].field, &p->filters[i]);
		need(to, &p->filters[i]);
	}
	for (unsigned i = 0; i < l->column_count; i++) {
		if (!make_column(w, t, r, p, i))
			return false;
	}
	for (unsigned i = 0; i < l->key_count; i++)
		p->keys[i] = place_of(l, l->keys[i]);
	p->only_counts = only_counts(r, p);
	p->only_ends = only_ends(r, l);
	p->has_fixed_key = has_fixed_key(r, p);
	list_add(is_light(w, p) ? &to->light : &to->all, p);
	return true;
}

bool programs_make(struct worker *w, const struct jfrec_type *t)
{
	const struct jfrec_query *q = w->queries;
	struct type_programs *to = &w->types[t->index];
	const struct plan *whole = plan_of(t);
	int type = w->schema_types[t->index];

	to->are_made = true;
	if (whole->fault)
		return true;
	to->plan = *whole;
	to->plan.step_count = 0;
	for (size_t i = q->first_heard[type]; i < q->first_heard[type + 1]; i++) {
		const struct hearing *h = &q->hearings[i];

		if (w->wheres[h->query] && !where_selects(w->wheres[h->query], t))
			continue;
		if (!make_program(w, t, h->query, h->listener))
			return false;
	}
	return true;
}

/* Once for all chunks ------------------------------------------------------------------------- */

/* So many listen to each type, at the place of the second type after it. */
static void count_listeners(struct jfrec_query *q)
{
	for (unsigned i = 0; i < q->query_count; i++) {
		const struct resolved *r = &q->queries[i]->resolved;

		for (unsigned k = 0; !r->failure && k < r->listener_count; k++)
			q->first_heard[r->listeners[k].type + 2]++;
	}
}

/* What begins at the place after a type's comes to begin where the next type's do. */
static void place_listeners(struct jfrec_query *q)
{
	for (unsigned i = 0; i < q->query_count; i++) {
		const struct resolved *r = &q->queries[i]->resolved;

		for (unsigned k = 0; !r->failure && k < r->listener_count; k++)
			q->hearings[q->first_heard[r->listeners[k].type + 1]++] =
				(struct hearing){ i, &r->listeners[k] };
	}
}

bool programs_prepare(struct jfrec_query *q)
{
	unsigned types = q->schema.type_count;

	q->first_heard = arena_zalloc(&q->arena, (size_t)types + 2, sizeof(*q->first_heard));
	if (!q->first_heard)
		return false;
	count_listeners(q);
	for (unsigned i = 0; i < types; i++)
		q->first_heard[i + 2] += q->first_heard[i + 1];
	q->hearings = arena_zalloc(&q->arena, q->first_heard[types + 1] + 1, sizeof(*q->hearings));
	if (!q->hearings)
		return false;
	place_listeners(q);
	return true;
}
