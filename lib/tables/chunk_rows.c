/* SPDX-License-Identifier: MIT */
/*
 * chunk_rows.c - the rows of one chunk after the other, however these are loaded
 */
#include "tables/chunk_rows.h"

#include "tables/filler.h"

/* Events between two looks at whether the caller wants it to stop. */
#define STOP_EVENTS 4096

int chunk_rows_init(struct chunk_rows *r, const struct jfrec_tables *t, bool *const *wanted,
		    struct jfrec_error *err)
{
	*r = (struct chunk_rows){ .tables = t, .wanted = wanted, .bounds = bounds_of(NULL, NULL) };
	return values_init(&r->values, err);
}

void chunk_rows_fini(struct chunk_rows *r)
{
	fillers_forget(&r->values);
	values_fini(&r->values);
}

/* Chunks --------------------------------------------------------------------------------------- */

/* The getters of the chunk's types, which those of the chunk before may have made. */
static int make_getters(struct chunk_rows *r, const struct metadata *m)
{
	for (uint32_t i = 0; i < m->type_count; i++) {
		long table =
			m->types[i].is_event ? tables_of_type(r->tables, m->types[i].name) : -1;

		if (table < 0 || !r->wanted[table] ||
		    !source_names(r->source, &m->types[i]))
			continue;
		if (values_want(&r->values, &m->types[i], &r->tables->tables[table], (size_t)table,
				r->wanted[table]) < 0)
			return -1;
	}
	return 0;
}

static struct type_set types_of(const struct chunk_rows *r, const struct metadata *m)
{
	struct type_set set = { 0 };

	for (uint32_t i = 0; i < m->type_count; i++) {
		if (r->values.getters[i])
			type_set_add(&set, m->types[i].id);
	}
	return set;
}

int chunk_rows_enter(struct chunk_rows *r, struct chunk_source *source, struct chunk *c)
{
	int known = values_enter(&r->values, c);

	r->source = source;
	if (known < 0 || (known == 0 && make_getters(r, c->metadata) < 0))
		return -1;
	r->types = types_of(r, c->metadata);
	r->walk = chunk_walk(c);
	return 0;
}

bool chunk_rows_leave(struct chunk_rows *r)
{
	if (r->values.out_of_memory || !fillers_settle(&r->values))
		return false;
	if (r->values.render.current)
		values_leave(&r->values);
	return true;
}

/* Rows ----------------------------------------------------------------------------------------- */

static bool is_bound(const struct bounds *b)
{
	return b->from_ns != INT64_MIN || b->to_ns != INT64_MAX;
}

static bool is_in_bounds(struct chunk_rows *r, const struct jfrec_type *t)
{
	const struct bounds *span = &r->tables->span;
	struct chunk *c = r->walk.chunk;
	struct ticks ticks;
	int64_t ns;

	if (!is_bound(&r->bounds) && !is_bound(span))
		return true;
	if (!event_ticks(c, t, &r->event, r->values.render.slots, &ticks))
		return false;
	ns = clock_time_ns(&c->clock, ticks.start);
	return ns >= r->bounds.from_ns && ns < r->bounds.to_ns &&
	       ticks_touch(&ticks, &c->clock, span);
}

/* Does the event become a row? */
static bool is_row(struct chunk_rows *r)
{
	const struct jfrec_type *t = chunk_type_of(r->walk.chunk, &r->event);
	struct chunk_source *source = r->source;

	r->getters = t ? values_getters(&r->values, t) : NULL;
	return r->getters && is_in_bounds(r, t) &&
	       (source_passes_all(source, t) ||
		(source_selects(source, t) &&
		 source_passes(source, r->walk.chunk, t, &r->event, r->values.render.slots))) &&
	       values_decode(&r->values, t, &r->event);
}

bool chunk_rows_next(struct chunk_rows *r)
{
	while (chunk_walk_any_of(&r->walk, &r->types, &r->event)) {
		if (is_row(r))
			return true;
		if (r->values.out_of_memory)
			return false;
		if (++r->until_stop % STOP_EVENTS == 0 &&
		    (*source_stop_flag(r->source) || tables_are_late(r->tables)))
			return false;
	}
	return false;
}
