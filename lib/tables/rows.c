/* SPDX-License-Identifier: MIT */
/*
 * rows.c - a pass over the rows of some tables, pulled one after the other
 */
#include "tables/rows.h"

#include <stdlib.h>

#include "base/deadline.h"
#include "base/error.h"
#include "tables/filler.h"
#include "tables/tables.h"

/* Events between two looks at whether the caller wants it to stop. */
#define STOP_EVENTS 4096

struct jfrec_rows {
	struct jfrec_tables *tables;
	struct recording recording;
	struct extent extent;
	bool **wanted; /* by the table: its columns; NULL: not wanted */
	struct bounds bounds;
	struct values values;
	/* The chunk at hand; values.render.current is NULL: none. */
	struct chunk_walk walk;
	struct type_set types;
	uint64_t found, first_chunk, last_chunk; /* chunks that there are; those to read */
	unsigned until_stop;
	/* The row at hand. */
	const struct value_getters *getters;
	struct raw_event event;
};

struct jfrec_rows *jfrec_rows_new(struct jfrec_tables *t, struct jfrec_error *err)
{
	struct jfrec_rows *r = calloc(1, sizeof(*r));

	if (!r) {
		jfrec_fail_memory(err);
		return NULL;
	}
	r->tables = t;
	r->bounds = bounds_of(NULL, NULL);
	r->last_chunk = UINT64_MAX;
	r->wanted = calloc(t->count + 1, sizeof(*r->wanted));
	if (!r->wanted)
		jfrec_fail_memory(err);
	if (!r->wanted || values_init(&r->values, err) < 0) {
		free(r->wanted);
		free(r);
		return NULL;
	}
	if (source_again(t->source, &r->recording, err) < 0) {
		r->recording = (struct recording){ .in.fd = -1 };
		jfrec_rows_free(r);
		return NULL;
	}
	r->recording.problems.fn = tables_tell;
	r->recording.problems.ctx = t;
	/*
	 * The rows of several files are those of each: of a fleet, too, and however it is divided.
	 */
	r->recording.clock_by_file = true;
	return r;
}

void jfrec_rows_free(struct jfrec_rows *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->tables->count; i++)
		free(r->wanted[i]);
	free(r->wanted);
	fillers_forget(&r->values);
	values_fini(&r->values);
	recording_close(&r->recording);
	free(r);
}

int jfrec_rows_want(struct jfrec_rows *r, size_t table, const size_t *columns, size_t count,
		    struct jfrec_error *err)
{
	size_t all;

	if (table >= r->tables->count)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "there is no table %zu", table);
	all = r->tables->tables[table].info.column_count;
	if (!r->wanted[table])
		r->wanted[table] = calloc(all + 1, sizeof(bool));
	if (!r->wanted[table])
		return jfrec_fail_memory(err);
	for (size_t i = 0; i < (columns ? count : all); i++) {
		size_t column = columns ? columns[i] : i;

		if (column < all)
			r->wanted[table][column] = true;
	}
	return 0;
}

void jfrec_rows_set_span(struct jfrec_rows *r, int64_t from_ns, int64_t to_ns)
{
	r->bounds = (struct bounds){ from_ns, to_ns };
}

void jfrec_rows_set_chunks(struct jfrec_rows *r, uint64_t first, uint64_t count)
{
	r->first_chunk = first;
	r->last_chunk = count > UINT64_MAX - first ? UINT64_MAX : first + count - 1;
}

/* Is there no time left? */
static bool is_late(const struct jfrec_rows *r)
{
	return r->tables->deadline_ns && deadline_now() > r->tables->deadline_ns;
}

static int check_stop(const struct jfrec_rows *r, struct jfrec_error *err)
{
	if (source_check_stop(r->tables->source, err) < 0)
		return -1;
	return is_late(r) ? jfrec_fail(err, JFREC_ETIMEOUT, JFREC_NO_OFFSET,
				       "reading took longer than it may")
			  : 0;
}

/* Chunks --------------------------------------------------------------------------------------- */

/* The getters of the chunk's types, which those of the chunk before may have made. */
static int make_getters(struct jfrec_rows *r, const struct metadata *m)
{
	for (uint32_t i = 0; i < m->type_count; i++) {
		long table =
			m->types[i].is_event ? tables_of_type(r->tables, m->types[i].name) : -1;

		if (table < 0 || !r->wanted[table] ||
		    !source_names(r->tables->source, &m->types[i]))
			continue;
		if (values_want(&r->values, &m->types[i], &r->tables->tables[table], (size_t)table,
				r->wanted[table]) < 0)
			return -1;
	}
	return 0;
}

static struct type_set types_of(const struct jfrec_rows *r, const struct metadata *m)
{
	struct type_set set = { 0 };

	for (uint32_t i = 0; i < m->type_count; i++) {
		if (r->values.getters[i])
			type_set_add(&set, m->types[i].id);
	}
	return set;
}

/*
 * The next chunk that is to be read and can be.  Those before the first one only give the clock,
 * and what is wrong with them is for the passes over them to tell.  1, 0 or -1.
 */
static int load_next(struct jfrec_rows *r, struct chunk **c, struct jfrec_error *err)
{
	int got;

	while (r->found < r->last_chunk) {
		r->recording.problems.fn = r->found + 1 < r->first_chunk ? NULL : tables_tell;
		got = recording_next(&r->recording, &r->extent, err);
		if (got <= 0)
			return got;
		if (++r->found < r->first_chunk)
			recording_clock(&r->recording, &r->extent.header);
		else if ((got = chunk_load(&r->recording, &r->extent, c, err)) != 0)
			return got;
	}
	return 0;
}

/* 1: there is another chunk; 0: no more; -1: *err is set. */
static int next_chunk(struct jfrec_rows *r, struct jfrec_error *err)
{
	struct chunk *c = NULL;
	int got, known;

	if (check_stop(r, err) < 0)
		return -1;
	got = load_next(r, &c, err);
	if (got <= 0)
		return got;
	if (source_enter(r->tables->source, c, err) < 0) {
		chunk_unref(c);
		return -1;
	}
	known = values_enter(&r->values, c);
	if (known < 0 || (known == 0 && make_getters(r, c->metadata) < 0))
		return jfrec_fail_memory(err);
	r->types = types_of(r, c->metadata);
	r->walk = chunk_walk(c);
	return 1;
}

/* Rows ----------------------------------------------------------------------------------------- */

static bool is_bound(const struct bounds *b)
{
	return b->from_ns != INT64_MIN || b->to_ns != INT64_MAX;
}

static bool is_in_bounds(struct jfrec_rows *r, const struct jfrec_type *t)
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
static bool is_row(struct jfrec_rows *r)
{
	const struct jfrec_type *t = chunk_type_of(r->walk.chunk, &r->event);
	struct chunk_source *source = r->tables->source;

	r->getters = t ? values_getters(&r->values, t) : NULL;
	return r->getters && is_in_bounds(r, t) &&
	       (source_passes_all(source, t) ||
		(source_selects(source, t) &&
		 source_passes(source, r->walk.chunk, t, &r->event, r->values.render.slots))) &&
	       values_decode(&r->values, t, &r->event);
}

static bool next_in_chunk(struct jfrec_rows *r)
{
	while (chunk_walk_any_of(&r->walk, &r->types, &r->event)) {
		if (is_row(r))
			return true;
		if (r->values.out_of_memory)
			return false;
		if (++r->until_stop % STOP_EVENTS == 0 &&
		    (*source_stop_flag(r->tables->source) || is_late(r)))
			return false;
	}
	return false;
}

int jfrec_rows_next(struct jfrec_rows *r, struct jfrec_error *err)
{
	int got;

	for (;;) {
		if (r->values.render.current && next_in_chunk(r))
			return 1;
		if (r->values.out_of_memory || !fillers_settle(&r->values))
			return jfrec_fail_memory(err);
		if (r->values.render.current)
			values_leave(&r->values);
		got = next_chunk(r, err);
		if (got <= 0)
			return got;
	}
}

bool rows_fill(struct jfrec_rows *r, struct filler *f)
{
	return filler_add(f, &r->values, r->getters) && !r->values.out_of_memory;
}

size_t jfrec_rows_table(const struct jfrec_rows *r)
{
	return r->getters->table;
}

uint64_t jfrec_rows_chunk(const struct jfrec_rows *r)
{
	return r->values.chunk_number;
}

const char *jfrec_rows_recording(const struct jfrec_rows *r)
{
	return r->walk.chunk->name;
}

uint64_t jfrec_rows_offset(const struct jfrec_rows *r)
{
	return chunk_offset(r->walk.chunk, r->event.start);
}

void jfrec_rows_value(struct jfrec_rows *r, size_t column, struct jfrec_table_value *value)
{
	if (column < r->tables->tables[r->getters->table].info.column_count)
		values_get(&r->values, &r->getters->items[column], value);
	else
		*value = (struct jfrec_table_value){ .is_null = true,
						     .number = JFREC_TABLE_NO_NUMBER };
}

void rows_list_frames(struct jfrec_rows *r)
{
	r->values.lists_frames = true;
}

bool jfrec_rows_is_out_of_memory(const struct jfrec_rows *r)
{
	return r->values.out_of_memory;
}
