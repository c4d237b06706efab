/* SPDX-License-Identifier: MIT */
/*
 * jfrec/tables.h - events as tables: a row for each event, a column for each value
 *
 *	struct jfrec_tables *tables = jfrec_tables_new(reader, &err);
 *	struct jfrec_rows *rows = jfrec_rows_new(tables, &err);
 *
 *	jfrec_rows_want(rows, jfrec_tables_find(tables, "jdk.GCPhasePause"), NULL, 0, &err);
 *	while ((got = jfrec_rows_next(rows, &err)) > 0)
 *		jfrec_rows_value(rows, column, &value);
 *
 * Each event type is a table.  jfrec-tables(5) describes the mapping; everything that hands
 * events to a database or a data frame uses it: SQL, SQLite, Parquet, Arrow, Python.
 *
 * Memory grows with the largest chunk, not with the recording.
 */
#ifndef JFREC_TABLES_H
#define JFREC_TABLES_H

#include "jfrec/reader.h"

JFREC_BEGIN_DECLS

struct jfrec_tables; /* the tables of a recording, or of several that are read as one */
struct jfrec_rows;   /* a pass over the rows of some of them */

struct jfrec_table_column {
	const char *name;  /* the only one of this name in its table, in any case of its letters */
	const char *field; /* its dotted path in the event, as recorded */
	const char *label; /* of the last field of the path; or NULL */
	const char *type;  /* the field's type as recorded: "java.lang.String" */
	/*
	 * JFREC_KIND_BOOL to _SPAN, without _INT, _UINT, _FLOAT and _CHAR: .i of the value, or .d
	 * of _FLOAT32 and _FLOAT64; _STRING to _JSON, without _THREAD: .text.  Whatever it is, a
	 * value may be null.
	 */
	enum jfrec_kind kind;
	const char *unit; /* "ns", "bytes", "bits", "bytes/s", "bits/s", "Hz", "address"; "ratio",
			   * of which 1.0 is all; or NULL */
	bool is_nullable; /* it may be null in some row */
	/*
	 * If the field does not have the same type in all chunks: another type that it has; .kind
	 * holds both.  Else NULL.
	 */
	const char *other_type;
};

struct jfrec_table_info {
	const char *name; /* the only one of this name, in any case of its letters */
	const char *type; /* of the events, as recorded: "jdk.GCPhasePause" */
	const char *label, *description; /* or NULL */
	const char *category; /* "Java Virtual Machine / GC"; or NULL */
	size_t column_count;
};

/*
 * The tables of the recording that the reader has open: its event types, in the order of their
 * declaration, as far as jfrec_reader_select() selects them.  Reads the types of all chunks, and
 * reports as problems which columns have changed their type in between.  Nothing else may have
 * been read; the reader must live longer and be used for nothing else but jfrec_reader_stop(),
 * and jfrec_reader_damage().
 *
 * To be freed with jfrec_tables_free(); NULL with *err set: as jfrec_reader_next(), and as
 * jfrec_reader_spool() for a pipe, which is read several times.
 */
struct jfrec_tables *jfrec_tables_new(struct jfrec_reader *r, struct jfrec_error *err);

/* Free the tables; all their rows must be freed before. */
void jfrec_tables_free(struct jfrec_tables *t);

/*
 * Have jfrec_write_sqlite() refuse to make more than `most` tables, with JFREC_EOUTPUT and ERANGE
 * in .sys.  0: no limit.
 */
void jfrec_tables_limit(struct jfrec_tables *t, uint64_t most);

/*
 * From now on have rows only of events that end at the first time or later and begin before the
 * second, in ns since 1970; NULL: without that bound.
 */
void jfrec_tables_set_span(struct jfrec_tables *t, const int64_t *from_ns, const int64_t *to_ns);

/* How many tables there are. */
size_t jfrec_tables_count(const struct jfrec_tables *t);

/* Table number i; NULL beyond the last.  What it points to lives as long as t. */
const struct jfrec_table_info *jfrec_tables_get(const struct jfrec_tables *t, size_t i);

/* Column number i of a table; NULL beyond the last.  What it points to lives as long as t. */
const struct jfrec_table_column *jfrec_tables_column_get(const struct jfrec_tables *t, size_t table,
							 size_t i);

/*
 * The number of the table of that name, in any case of its letters.  Without such a table, the one
 * of an event type with this simple name ("GCPhasePause") if there is only one.  -1: none.
 */
int jfrec_tables_find(const struct jfrec_tables *t, const char *name);

/* The number of the column of that name, in any case of its letters; -1: none. */
int jfrec_tables_find_column(const struct jfrec_tables *t, size_t table, const char *name);

/* Rows ----------------------------------------------------------------------------------------- */

/* As a column's kind has them. */
struct jfrec_table_value {
	bool is_null;
	uint32_t len; /* of .text */
	/*
	 * Of a text that is kept once for many rows: its number.  Within one chunk, values of the
	 * same column with the same number are the same.  JFREC_TABLE_NO_NUMBER: it has none.
	 */
	uint32_t number;
	union {
		int64_t i;
		double d;
		const char *text; /* UTF-8, without NUL at its end; until the next row */
	};
};

#define JFREC_TABLE_NO_NUMBER UINT32_MAX

/*
 * A pass over the recording, from its beginning.  Several can be made, one after the other or side
 * by side, by one thread.  To be freed with jfrec_rows_free(); NULL with *err set: JFREC_ENOMEM,
 * JFREC_EIO.
 */
struct jfrec_rows *jfrec_rows_new(struct jfrec_tables *t, struct jfrec_error *err);

/* Free it. */
void jfrec_rows_free(struct jfrec_rows *r);

/*
 * Have the pass stop at the rows of a table, and be ready for the values of these columns; NULL: of
 * all.  To be called before the first row, once for each table.
 * 0, or -1 with *err set (JFREC_ENOMEM).
 */
int jfrec_rows_want(struct jfrec_rows *r, size_t table, const size_t *columns, size_t count,
		    struct jfrec_error *err);

/* Skip events that began before `from_ns`, or at `to_ns` or later; INT64_MIN, INT64_MAX: none. */
void jfrec_rows_set_span(struct jfrec_rows *r, int64_t from_ns, int64_t to_ns);

/*
 * Read `count` chunks from number `first` on (1 is the first) of those that jfrec_reader_chunks()
 * finds: as a whole pass reads them, so that passes over all parts have the rows of the whole.
 * `count` is at least 1.  To be called before the first row.
 */
void jfrec_rows_set_chunks(struct jfrec_rows *r, uint64_t first, uint64_t count);

/*
 * Step to the next row, in the order of the recording.  1: there is one; 0: no more; -1: *err is
 * set, JFREC_ECANCELED after jfrec_reader_stop(), and the rows can only be freed.  Damage is
 * reported as problems of the reader, once for all passes.
 */
int jfrec_rows_next(struct jfrec_rows *r, struct jfrec_error *err);

/* The table that the row belongs to. */
size_t jfrec_rows_table(const struct jfrec_rows *r);

/*
 * The number of the row's chunk in this pass, from 1 on, over all recordings: numbers of texts
 * mean nothing beyond it.
 */
uint64_t jfrec_rows_chunk(const struct jfrec_rows *r);

/* The recording that the row is from, as it was opened; lives as long as the row. */
const char *jfrec_rows_recording(const struct jfrec_rows *r);

/* Where the event begins, in bytes from the beginning of that recording. */
uint64_t jfrec_rows_offset(const struct jfrec_rows *r);

/* A value of the row, of a column that jfrec_rows_want() named.  It is null for others,
 * or without memory. */
void jfrec_rows_value(struct jfrec_rows *r, size_t column, struct jfrec_table_value *value);

/* Was there no memory for some value? */
bool jfrec_rows_is_out_of_memory(const struct jfrec_rows *r);

JFREC_END_DECLS

#endif
