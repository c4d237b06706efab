/* SPDX-License-Identifier: MIT */
/*
 * rows.c - a pass over the rows of some tables, pulled one after the other
 */
#include "tables/rows.h"

#include <stdlib.h>

#include "base/error.h"
#include "tables/chunk_rows.h"
#include "tables/filler.h"

struct jfrec_rows {
	struct jfrec_tables *tables;
	struct recording recording;
	struct extent extent;
	bool **wanted; /* by the table: its columns; NULL: not wanted */
	struct chunk_rows at; /* the chunk and the row at hand */
	uint64_t found, first_chunk, last_chunk; /* chunks that there are; those to read */
};

struct jfrec_rows *jfrec_rows_new(struct jfrec_tables *t, struct jfrec_error *err)
{
	struct jfrec_rows *r = calloc(1, sizeof(*r));

	if (!r) {
		jfrec_fail_memory(err);
		return NULL;
	}
	r->tables = t;
	r->last_chunk = UINT64_MAX;
	r->wanted = calloc(t->count + 1, sizeof(*r->wanted));
	if (!r->wanted)
		jfrec_fail_memory(err);
	if (!r->wanted || chunk_rows_init(&r->at, t, r->wanted, err) < 0) {
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
	chunk_rows_fini(&r->at);
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
	r->at.bounds = (struct bounds){ from_ns, to_ns };
}

void jfrec_rows_set_chunks(struct jfrec_rows *r, uint64_t first, uint64_t count)
{
	r->first_chunk = first;
	r->last_chunk = count > UINT64_MAX - first ? UINT64_MAX : first + count - 1;
}

static int check_stop(const struct jfrec_rows *r, struct jfrec_error *err)
{
	if (source_check_stop(r->tables->source, err) < 0)
		return -1;
	return tables_are_late(r->tables) ? jfrec_fail(err, JFREC_ETIMEOUT, JFREC_NO_OFFSET,
				       "reading took longer than it may")
			  : 0;
}

/* Chunks --------------------------------------------------------------------------------------- */

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
	int got;

	if (check_stop(r, err) < 0)
		return -1;
	got = load_next(r, &c, err);
	if (got <= 0)
		return got;
	if (source_enter(r->tables->source, c, err) < 0) {
		chunk_unref(c);
		return -1;
	}
	return chunk_rows_enter(&r->at, r->tables->source, c) < 0 ? jfrec_fail_memory(err) : 1;
}

/* Rows ----------------------------------------------------------------------------------------- */

/* The first row of a chunk that follows. */
static int next_chunk_row(struct jfrec_rows *r, struct jfrec_error *err)
{
	int got;

	do {
		if (!chunk_rows_leave(&r->at))
			return jfrec_fail_memory(err);
		got = next_chunk(r, err);
		if (got <= 0)
			return got;
	} while (!chunk_rows_next(&r->at));
	return 1;
}

int jfrec_rows_next(struct jfrec_rows *r, struct jfrec_error *err)
{
	if (r->at.values.render.current && chunk_rows_next(&r->at))
		return 1;
	return next_chunk_row(r, err);
}

bool rows_fill(struct jfrec_rows *r, struct filler *f)
{
	return filler_add(f, &r->at.values, r->at.getters) && !r->at.values.out_of_memory;
}

size_t jfrec_rows_table(const struct jfrec_rows *r)
{
	return r->at.getters->table;
}

uint64_t jfrec_rows_chunk(const struct jfrec_rows *r)
{
	return r->at.values.chunk_number;
}

const char *jfrec_rows_recording(const struct jfrec_rows *r)
{
	return r->at.walk.chunk->name;
}

uint64_t jfrec_rows_offset(const struct jfrec_rows *r)
{
	return chunk_offset(r->at.walk.chunk, r->at.event.start);
}

void jfrec_rows_value(struct jfrec_rows *r, size_t column, struct jfrec_table_value *value)
{
	if (column < r->tables->tables[r->at.getters->table].info.column_count)
		values_get(&r->at.values, &r->at.getters->items[column], value);
	else
		*value = (struct jfrec_table_value){ .is_null = true,
						     .number = JFREC_TABLE_NO_NUMBER };
}

void rows_list_frames(struct jfrec_rows *r)
{
	r->at.values.lists_frames = true;
}

bool jfrec_rows_is_out_of_memory(const struct jfrec_rows *r)
{
	return r->at.values.out_of_memory;
}
