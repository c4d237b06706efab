/* SPDX-License-Identifier: MIT */
/*
 * worker.c - the queries, asked of the events of one chunk
 *
 * Events are handed out flush by flush: all between two flushes, sorted by the
 * time of their end.  Within a chunk a JVM writes each thread's buffer on its
 * own, so sorting whole chunks would give another order.
 */
#include "query/worker.h"

#include <stdlib.h>
#include <string.h>

#include "query/programs.h"

/* A chunk is larger than the nearer caches: ask for the bytes of later events early. */
#define AHEAD 2048

/* The query's expression, as it is for this chunk. */
static bool make_where(struct worker *w, unsigned query)
{
	const struct query *q = w->queries->queries[query];
	struct where **to = &w->wheres[query];
	struct selection from = { .events = (char *)(uintptr_t)q->from };

	if (!q->where || q->resolved.failure)
		return true;
	if (where_add(to, q->parsed.where, NULL) < 0)
		return false;
	where_trust(*to, q->where);
	return where_enter(*to, w->reading.chunk, source_recording(w->queries->source), &from,
			   NULL) == 0;
}

static bool begin(struct worker *w)
{
	const struct metadata *m = w->reading.chunk->metadata;
	const struct jfrec_query *q = w->queries;
	struct arena *a = &w->reading.arena;

	w->selected = source_selected(w->source, m);
	w->types = arena_zalloc(a, m->type_count + 1, sizeof(*w->types));
	w->schema_types = arena_zalloc(a, m->type_count + 1, sizeof(*w->schema_types));
	w->counts = arena_zalloc(a, q->schema.type_count + 1, sizeof(*w->counts));
	w->met = arena_zalloc(a, m->type_count + 1, sizeof(*w->met));
	w->partials = arena_zalloc(&w->arena, q->query_count + 1, sizeof(*w->partials));
	w->pending = arena_zalloc(a, q->query_count + 1, sizeof(*w->pending));
	w->wheres = arena_zalloc(&w->arena, q->query_count + 1, sizeof(*w->wheres));
	if (!w->selected || !w->types || !w->schema_types || !w->counts || !w->met ||
	    !w->partials || !w->pending || !w->wheres)
		return false;
	for (unsigned i = 0; i < q->query_count; i++) {
		if (!partial_init(&w->partials[i], &q->queries[i]->resolved, &w->arena) ||
		    !make_where(w, i))
			return false;
	}
	for (uint32_t i = 0; i < m->type_count; i++) {
		w->schema_types[i] =
			m->types[i].is_event ? schema_find(&q->schema, m->types[i].name) : -1;
	}
	return true;
}

/* Events --------------------------------------------------------------------------------------- */

static bool passes(struct worker *w, const struct program *p, const struct jfrec_type *t,
		   const struct raw_event *e)
{
	const struct listener *l = p->listener;
	struct where *where = w->wheres[p->query];

	if (where && !where_passes(where, w->reading.chunk, t, e, w->slots))
		return false;

	for (unsigned i = 0; i < l->filter_count; i++) {
		const struct filter *f = &l->filters[i];
		struct value v = getter_get(&w->reading, &p->filters[i], w->slots);
		struct text is = cell_text(&w->writer, &f->look, NULL, &v, false);

		if (is.len != f->text.len || memcmp(is.s, f->text.s, is.len) != 0)
			return false;
	}
	return true;
}

/* A column whose sources have different types shows them as texts. */
static struct value as_text(struct worker *w, const struct column *c, const struct value *v)
{
	struct text t;

	if (value_is_null(v))
		return *v;
	t = cell_text(&w->writer, &c->look, NULL, v, false);
	return value_of_object(objects_string(&w->reading.objects, t.s, t.len));
}

static struct value argument(struct worker *w, const struct column *c, const struct getter *atoms)
{
	struct value values[MAX_TERMS];

	for (unsigned i = 0; i < c->atom_count; i++)
		values[i] = getter_get(&w->reading, &atoms[i], w->slots);
	return formula_value(c->argument, values);
}

static struct value refined(struct worker *w, const struct column *c, struct value v)
{
	if (c->every_ns)
		v = value_cut(&v, c->every_ns);
	return c->is_mixed ? as_text(w, c, &v) : v;
}

static void make_values(struct worker *w, const struct program *p)
{
	const struct column *columns = w->queries->queries[p->query]->resolved.columns;

	for (unsigned i = 0; i < p->column_count; i++) {
		const struct column_program *c = &p->columns[i];

		if (c->how == TAKE_CALCULATED)
			*c->made = argument(w, &columns[c->column], p->arguments[i]);
		else if (c->is_refined)
			*c->made = refined(w, &columns[c->column], c->source->value);
	}
}

static void get_values(struct worker *w, const struct program *p)
{
	for (unsigned i = 0; i < p->asked_count; i++) {
		struct event_value *v = p->asked[i];

		if (v->event != w->event) {
			v->value = getter_get(&w->reading, &v->getter, w->slots);
			v->event = w->event;
		}
	}
	if (p->makes_values)
		make_values(w, p);
}

/* Java makes a set of several keys; null before the others is left out. */
static struct value set_of(struct worker *w, const struct value *key, const struct value *more)
{
	size_t count = key->kind == VALUE_LIST ? key->list->count : 1;
	const struct value *old = key->kind == VALUE_LIST ? key->list->items : key;
	struct value_list *list = arena_alloc(&w->arena, sizeof(*list));
	struct value *items = arena_alloc(&w->arena, (count + 1) * sizeof(*items));

	if (!list || !items) {
		w->out_of_memory = true;
		return *key;
	}
	memcpy(items, old, count * sizeof(*items));
	items[count] = *more;
	*list = (struct value_list){ count + 1, items };
	for (size_t i = 0; i < count; i++) {
		if (value_is_same(&items[i], more))
			list->count = count;
	}
	return (struct value){ .kind = VALUE_LIST, .list = list };
}

/* What the event is grouped by. */
static struct value key_of_several(struct worker *w, const struct program *p)
{
	struct value key = value_null();

	for (unsigned i = 0; i < p->listener->key_count; i++) {
		const struct value *v = p->columns[p->keys[i]].value;

		if (value_is_null(&key))
			key = *v;
		else
			key = set_of(w, &key, v);
	}
	return key;
}

static void add_row(struct worker *w, struct partial *to, const struct program *p)
{
	struct value *row = partial_add_row(to, &w->arena);

	if (!row) {
		w->out_of_memory = true;
		return;
	}
	for (unsigned i = 0; i < p->column_count; i++)
		row[p->columns[i].column] = *p->columns[i].value;
}

/* Add to what a group's listener counted. */
static void count_more(struct partial *to, const struct listener *l, uint32_t group, uint64_t more)
{
	struct cell *cells = to->groups.items[group].cells;

	for (unsigned i = 0; i < l->column_count; i++) {
		if (to->query->columns[l->columns[i]].aggregator == AGGREGATE_COUNT)
			cells[l->columns[i]].count += (int64_t)more;
	}
}

/* The group of an event whose values are there.  NULL: no memory. */
static struct group *group_of(struct worker *w, struct program *p, struct partial *to)
{
	const struct value *key;
	struct value several;
	struct group *g;

	if (p->group) {
		to->groups.seen_again = true;
		return &to->groups.items[p->group - 1];
	}
	if (p->listener->key_count == 1) {
		key = p->columns[p->keys[0]].value;
	} else {
		several = key_of_several(w, p);
		key = &several;
	}
	g = groups_get(&to->groups, key, to->query->width, &w->arena);
	if (g && p->has_fixed_key)
		p->group = to->groups.latest + 1;
	return g;
}

static bool add_values(struct worker *w, const struct program *p, struct partial *to,
		       struct group *g, int64_t end_ns)
{
	for (unsigned i = 0; i < p->cell_count; i++) {
		const struct column_program *c = &p->columns[i];
		enum aggregator by = (enum aggregator)c->aggregator;

		if (!cell_add(&g->cells[c->column], by, c->value, end_ns, &w->arena))
			return false;
		if (by == AGGREGATE_LAST_BATCH)
			partial_note_batch(to, c->column, end_ns);
	}
	return true;
}

static void feed(struct worker *w, struct program *p, int64_t end_ticks)
{
	struct partial *to = &w->partials[p->query];
	int64_t end_ns = 0;
	struct group *g;

	if (p->only_counts && p->group) {
		p->again++;
		to->groups.seen_again = true;
		return;
	}
	p->fed++;
	get_values(w, p);
	if (!partial_has_groups(to->query)) {
		add_row(w, to, p);
		if (!keep_limit(w->queries, p->query, to))
			w->out_of_memory = true;
		return;
	}
	if (to->batch_ns)
		end_ns = clock_time_ns(&w->reading.chunk->clock, end_ticks);
	g = group_of(w, p, to);
	if (!g || !add_values(w, p, to, g, end_ns))
		w->out_of_memory = true;
}

static bool decode(struct worker *w, const struct jfrec_type *t, const struct raw_event *e)
{
	struct chunk *c = w->reading.chunk;
	struct cursor at = event_payload(e, c->end);

	w->event++;
	plan_decode(&w->types[t->index].plan, &at, w->slots);
	/* What ran past its end is noted, and told with the others at the end of the chunk. */
	return !event_overran(e, &at) || chunk_decode(c, t, e, w->slots);
}

static bool have_same_columns(const struct listener *a, const struct listener *b)
{
	return a->column_count == b->column_count &&
	       memcmp(a->columns, b->columns, a->column_count * sizeof(*a->columns)) == 0;
}

/* Feed the event that waits. */
static void feed_pending(struct worker *w, unsigned query)
{
	struct pending *d = &w->pending[query];
	struct program *p = d->program;

	d->program = NULL;
	if (p && decode(w, d->type, &d->event))
		feed(w, p, d->end_ticks);
}

/* Feed the first event, and let each other one wait for the next. */
static void feed_ends(struct worker *w, struct program *p, const struct jfrec_type *t,
		      const struct raw_event *e, int64_t end_ticks)
{
	struct pending *d = &w->pending[p->query];
	bool is_next = d->program && have_same_columns(d->program->listener, p->listener);

	if (d->program && (!is_next || !p->has_begun)) {
		feed_pending(w, p->query);
		decode(w, t, e); /* the slots were another event's */
		is_next = false;
	}
	if (!p->has_begun) {
		p->has_begun = true;
		feed(w, p, end_ticks);
		return;
	}
	if (is_next)
		d->program->again++;
	*d = (struct pending){ p, t, *e, end_ticks };
}

/* An event that is one of the ends of its segment. */
static void feed_light(struct worker *w, const struct jfrec_type *t, const struct raw_event *e,
		       int64_t end_ticks)
{
	for (struct program *p = w->types[t->index].light.first; p; p = p->next) {
		if (p->only_ends)
			feed_ends(w, p, t, e, end_ticks);
		else if (p->group)
			w->partials[p->query].groups.seen_again = true;
		else
			feed(w, p, end_ticks);
	}
}

static void hand_out(struct worker *w, const struct jfrec_type *t, const struct raw_event *e,
		     int64_t end_ticks)
{
	struct type_programs *to = &w->types[t->index];
	uint64_t at = (uint64_t)(e->start - w->reading.chunk->bytes);

	if (!decode(w, t, e)) {
		to->met -= to->in_segment > 0;
		return;
	}
	if (to->in_segment && (at == to->earliest.value || at == to->latest.value))
		feed_light(w, t, e, end_ticks);
	for (struct program *p = to->all.first; p; p = p->next) {
		if (!passes(w, p, t, e))
			continue;
		if (p->only_ends)
			feed_ends(w, p, t, e, end_ticks);
		else
			feed(w, p, end_ticks);
	}
}

/* Walking -------------------------------------------------------------------------------------- */

static void count(struct worker *w, const struct jfrec_type *t)
{
	uint32_t place = idmap_get(&w->queries->schema.by_id, t->id);

	if (place != IDMAP_NONE)
		w->counts[place]++;
	w->events++;
}

/* Does any query listen to events of the type? */
static bool is_heard(const struct worker *w, const struct jfrec_type *t)
{
	const struct jfrec_query *q = w->queries;
	int type = w->schema_types[t->index];

	return type >= 0 && q->first_heard[type] < q->first_heard[type + 1];
}

/* Is there something to be done with them?  Most chunks have events of few types only. */
static bool is_wanted(struct worker *w, const struct jfrec_type *t)
{
	struct type_programs *to = &w->types[t->index];

	if (__builtin_expect(!to->are_made, 0) && is_heard(w, t) && !programs_make(w, t))
		w->out_of_memory = true;
	return to->all.first || to->light.first;
}

/* Does anybody want the event?  Those of no use are counted at most. */
static bool is_selected(struct worker *w, const struct jfrec_type *t, const struct raw_event *e,
			struct ticks *ticks)
{
	const struct jfrec_query *q = w->queries;
	struct chunk *c = w->reading.chunk;
	bool has_bounds = q->bounds.from_ns != INT64_MIN || q->bounds.to_ns != INT64_MAX;

	if (!w->selected[t->index])
		return false;
	if (!is_wanted(w, t) && !q->counts)
		return false;
	if (has_bounds && (!event_ticks(c, t, e, w->slots, ticks) ||
			   !ticks_touch(ticks, &c->clock, &q->bounds)))
		return false;
	if (!source_passes(w->source, c, t, e, w->slots))
		return false;
	count(w, t);
	if (!is_wanted(w, t))
		return false;
	return has_bounds || event_ticks(c, t, e, w->slots, ticks);
}

/* An event of a type that has light programs.  Of equal times the first in the file comes first. */
static void note_end(struct worker *w, const struct jfrec_type *t, const struct sort_item *item)
{
	struct type_programs *to = &w->types[t->index];

	to->met++;
	if (!to->in_segment++) {
		w->met[w->met_count++] = t->index;
		to->earliest = to->latest = *item;
	}
	if (item->key < to->earliest.key)
		to->earliest = *item;
	if (item->key >= to->latest.key)
		to->latest = *item;
}

static void add_to_segment(struct worker *w, const struct jfrec_type *t,
			   const struct sort_item *item)
{
	const struct type_programs *to = &w->types[t->index];

	if (to->light.first)
		note_end(w, t, item);
	if (to->all.first && sort_add(&w->segment, item->key, item->value) < 0)
		w->out_of_memory = true;
}

static bool find_ends(struct worker *w)
{
	int failed = 0;

	w->ends.count = 0;
	for (uint32_t i = 0; i < w->met_count; i++) {
		const struct type_programs *to = &w->types[w->met[i]];
		const struct sort_item *a = &to->earliest, *b = &to->latest;

		if (to->all.first)
			continue;
		failed |= sort_add(&w->ends, (int64_t)a->value, (uint64_t)a->key);
		if (a->value != b->value)
			failed |= sort_add(&w->ends, (int64_t)b->value, (uint64_t)b->key);
	}
	return !failed && sort_items(&w->ends) == 0;
}

/* The ends of types that are not in the segment's list, to where they are in the file. */
static bool add_ends(struct worker *w)
{
	struct sort_list *l = &w->segment;
	size_t from = l->count, more, to;

	if (!find_ends(w))
		return false;
	for (more = 0; more < w->ends.count; more++) {
		if (sort_add(l, 0, 0) < 0)
			return false;
	}
	for (to = l->count; more; to--) {
		const struct sort_item *end = &w->ends.items[more - 1];

		if (from && l->items[from - 1].value > (uint64_t)end->key) {
			l->items[to - 1] = l->items[--from];
		} else {
			l->items[to - 1] =
				(struct sort_item){ (int64_t)end->value, (uint64_t)end->key };
			more--;
		}
	}
	return true;
}

static void end_segment(struct worker *w)
{
	const struct chunk *c = w->reading.chunk;

	if (!add_ends(w) || sort_items(&w->segment) < 0)
		w->out_of_memory = true;
	for (size_t i = 0; i < w->segment.count && !w->out_of_memory; i++) {
		struct cursor at = { .pos = c->bytes + w->segment.items[i].value, .end = c->end };
		struct raw_event e;

		/*
		 * Time jumps about among the threads' buffers: ask for the bytes early, and for
		 * where they are.
		 */
		if (i + 8 < w->segment.count) {
			__builtin_prefetch(&w->segment.items[i] + 32);
			__builtin_prefetch(c->bytes + w->segment.items[i + 8].value);
		}
		walk_next(&at, &e);
		hand_out(w, metadata_type(c->metadata, e.type_id), &e, w->segment.items[i].key);
	}
	w->segment.count = 0;
	for (; w->met_count; w->met_count--)
		w->types[w->met[w->met_count - 1]].in_segment = 0;
}

/* What the queries take events of, and what ends a segment; or all. */
static struct type_set types_of(const struct worker *w)
{
	const struct metadata *m = w->reading.chunk->metadata;
	struct type_set set = { 0 };

	type_set_add(&set, TYPE_CHECKPOINT);
	for (uint32_t i = 0; i < m->type_count; i++) {
		if (is_heard(w, &m->types[i]))
			type_set_add(&set, m->types[i].id);
	}
	if (w->queries->counts)
		memset(&set, 0xff, sizeof(set));
	return set;
}

static void count_again(struct worker *w, const struct program *p, uint64_t again)
{
	struct partial *to = &w->partials[p->query];
	uint32_t group = p->group ? p->group - 1 : 0; /* without a key there is but one */

	if (again && group < to->groups.count)
		count_more(to, p->listener, group, again);
}

/* What was put off. */
static void finish_programs(struct worker *w)
{
	const struct metadata *m = w->reading.chunk->metadata;

	for (unsigned i = 0; i < w->queries->query_count; i++)
		feed_pending(w, i);
	for (uint32_t i = 0; i < m->type_count; i++) {
		const struct type_programs *of = &w->types[i];

		for (const struct program *p = of->all.first; p; p = p->next)
			count_again(w, p, p->again);
		for (const struct program *p = of->light.first; p; p = p->next)
			count_again(w, p, of->met - p->fed);
	}
}

static void walk_events(struct worker *w)
{
	const struct type_set types = types_of(w);
	struct chunk *c = w->reading.chunk;
	struct chunk_walk walk = chunk_walk(c);
	const atomic_int *stop = source_stop_flag(w->source);
	struct raw_event e;
	struct ticks ticks;
	int64_t flushed;

	while (!w->out_of_memory && !*stop &&
	       chunk_walk_any_of(&walk, &types, &e)) {
		const struct jfrec_type *t = chunk_type_of(c, &e);

		__builtin_prefetch(e.start + AHEAD);
		if (!t) {
			if (chunk_is_flush(&e, &flushed))
				end_segment(w);
		} else if (is_selected(w, t, &e, &ticks)) {
			add_to_segment(w, t,
				       &(struct sort_item){ ticks.end,
							    (uint64_t)(e.start - c->bytes) });
		}
	}
	end_segment(w);
	finish_programs(w);
}

void worker_run(struct worker *w, const struct jfrec_query *q, struct chunk_task *task)
{
	memset(w, 0, offsetof(struct worker, slots));
	w->queries = q;
	w->source = task->source;
	w->reading.chunk = task->chunk;
	w->reading.schema = &q->schema;
	w->reading.has_own_ids = q->parts != NULL; /* parts are JVMs */
	if (begin(w))
		walk_events(w);
	else
		w->out_of_memory = true;
	for (unsigned i = 0; w->wheres && i < q->query_count; i++)
		w->out_of_memory |= w->wheres[i] && where_is_out_of_memory(w->wheres[i]);
	w->out_of_memory |= w->reading.out_of_memory || w->reading.objects.out_of_memory;
}

void worker_fini(struct worker *w)
{
	for (unsigned i = 0; w->wheres && i < w->queries->query_count; i++)
		where_free(w->wheres[i]);
	reading_fini(&w->reading);
	arena_fini(&w->arena);
	free(w->selected);
	sort_fini(&w->segment);
	sort_fini(&w->ends);
	cell_writer_fini(&w->writer);
}
