/* SPDX-License-Identifier: MIT */
/*
 * jfrec/query.h - questions about a recording, and their answers
 *
 *	struct jfrec_query *q = jfrec_query_new(reader, &err);
 *	int n = jfrec_query_add(q, "SELECT * FROM GarbageCollection", &err);
 *
 *	jfrec_query_run(q, &err);
 *	answer = jfrec_query_answer(q, n);
 *
 * Any number of questions is answered in one pass.  Memory grows with the
 * groups, or where there are none with the rows, of the tables; and with the
 * events of MEDIAN, percentiles, STDEV and LIST.
 */
#ifndef JFREC_QUERY_H
#define JFREC_QUERY_H

#include "jfrec/reader.h"

JFREC_BEGIN_DECLS

/* Views: queries with names -------------------------------------------------------------------- */

struct jfrec_view {
	const char *name, *label;
	/* "jvm", "environment", "application"; not the JDK's: "jfrec", "own" */
	const char *category;
	const char *query;
	bool is_form; /* the first row is meant to be shown, a line for each column */
};

struct jfrec_views;

/* Those of JDK 25.  To be given back with jfrec_views_free(); NULL with *err set. */
struct jfrec_views *jfrec_views_jdk(struct jfrec_error *err);

/* The same, and then those that only jfrec has; their category is "jfrec".  As above. */
struct jfrec_views *jfrec_views_all(struct jfrec_error *err);

/*
 * Those of a text such as settings/views/jdk.views.  NULL with *err set: JFREC_EEXPRESSION,
 * whose offset is the byte in the text; JFREC_ENOMEM.
 */
struct jfrec_views *jfrec_views_parse(const char *text, struct jfrec_error *err);

/*
 * Add those of a text after the others; their category becomes "own".  Names are of letters,
 * digits, '-', '_' and '.'; one that is taken is refused.  0, or -1 with *err set as above and
 * nothing added.
 */
int jfrec_views_add(struct jfrec_views *v, const char *text, struct jfrec_error *err);

/* Free the views. */
void jfrec_views_free(struct jfrec_views *v);

/* How many views there are. */
size_t jfrec_views_count(const struct jfrec_views *v);

/* View number i, in their order; NULL beyond the last.  It lives as long as v. */
const struct jfrec_view *jfrec_views_get(const struct jfrec_views *v, size_t i);

/* The one of that name, in any case of its letters; or NULL. */
const struct jfrec_view *jfrec_views_find(const struct jfrec_views *v, const char *name);

/* Queries -------------------------------------------------------------------------------------- */

struct jfrec_query;  /* queries that are asked of one recording, together */
struct jfrec_answer; /* the answer to one of them */

/*
 * Prepare queries of the recording that the reader has open, and from which nothing has been read
 * yet; this reads its types.  The reader must live longer.  The queries see only the events that
 * jfrec_reader_select(), jfrec_reader_where() and jfrec_reader_filter() select.
 *
 * To be freed with jfrec_query_free(); NULL with *err set: as jfrec_reader_next().
 */
struct jfrec_query *jfrec_query_new(struct jfrec_reader *r, struct jfrec_error *err);

/* Free the query and its tables. */
void jfrec_query_free(struct jfrec_query *q);

/* Only events that end at the first time or later and begin before the second, in ns; or NULL. */
void jfrec_query_set_span(struct jfrec_query *q, const int64_t *from_ns, const int64_t *to_ns);

/*
 * Add a query; returns its number: 0, 1, 2...  A name that the recording does not have is not an
 * error of this call: jfrec_query_missing() reports it.
 *
 * -1 with *err set: JFREC_EEXPRESSION, with the byte in the text, if it is not a query;
 * JFREC_ENOMEM.
 */
int jfrec_query_add(struct jfrec_query *q, const char *text, struct jfrec_error *err);

/* The same for a view, whose label is the table's title and which may be a form. */
int jfrec_query_add_view(struct jfrec_query *q, const struct jfrec_view *view,
			 struct jfrec_error *err);

/*
 * The same for the events of types: SELECT * FROM and this text, which may continue with WHERE and
 * so on.  The title is the type's label.  `marked`: of experimental types it says so, as
 * where the JDK is asked for one by its name.
 */
int jfrec_query_add_type(struct jfrec_query *q, const char *text, bool marked,
			 struct jfrec_error *err);

/*
 * What query n names and no event type of the recording has, in the JDK's words, of one or two
 * lines.  NULL: all is there.  Such a query has no table.
 */
const char *jfrec_query_missing(const struct jfrec_query *q, int n);

/*
 * The same as a message for the author of the query: 0 if nothing is missing, or -1 with *err set
 * and the byte in the text: JFREC_EEXPRESSION for an unknown name, JFREC_EINVAL for an invalid
 * operation such as bytes plus a duration.
 */
int jfrec_query_fault(const struct jfrec_query *q, int n, struct jfrec_error *err);

/* How many event types the recording has, one for each id. */
size_t jfrec_query_type_count(const struct jfrec_query *q);

/* The name of type number i, in the order of their declaration. */
const char *jfrec_query_type_name(const struct jfrec_query *q, size_t i);

/* Is type number i declared as experimental? */
bool jfrec_query_type_is_experimental(const struct jfrec_query *q, size_t i);

/* Does only a later chunk declare it, or is it not the first of its name? */
bool jfrec_query_type_is_late(const struct jfrec_query *q, size_t i);

/* Can the name be written in a query? */
bool jfrec_query_type_is_plain(const struct jfrec_query *q, size_t i);

/* Does query n take events of type i? */
bool jfrec_query_uses(const struct jfrec_query *q, int n, size_t i);

/* Have events be counted by their type, also where no query takes them. To be called before. */
int jfrec_query_count_types(struct jfrec_query *q, struct jfrec_error *err);

/* How many events of type i there were, where they were counted. */
uint64_t jfrec_query_type_events(const struct jfrec_query *q, size_t i);

/*
 * Keep no rows beyond a query's LIMIT, for jfrec_answer_sort(), jfrec_answer_limit() or the widths
 * of columns: a query without groups then keeps the first rows only, and needs no memory for the
 * others.  To be called before it is run.
 */
void jfrec_query_keep_limits(struct jfrec_query *q);

/*
 * Where memory was gone (JFREC_ENOMEM): the number of the query that has the most in its table so
 * far, and how many groups or rows that is.  -1: none has any.
 */
int jfrec_query_largest(const struct jfrec_query *q, uint64_t *rows, bool *is_grouped);

/* Read the recording, once.  0, or -1 with *err set: as jfrec_reader_next(). */
int jfrec_query_run(struct jfrec_query *q, struct jfrec_error *err);

/* The answer to query n, once they were run; NULL if something that it names is missing. */
struct jfrec_answer *jfrec_query_answer(const struct jfrec_query *q, int n);

/* Answers -------------------------------------------------------------------------------------- */

struct jfrec_answer_column {
	const char *label; /* over the column */
	const char *field; /* in the event */
	const char *alias; /* of AS; or NULL */
	const char *aggregator; /* "COUNT"; "" where there is none */
	/*
	 * JFREC_KIND_STRING, _BOOL, _TIME, _SPAN, or _FLOAT: a number, whose cells are
	 * JFREC_KIND_INT or _FLOAT.
	 */
	enum jfrec_kind kind;
	enum jfrec_unit unit; /* JFREC_UNIT_NS of spans, _TIME of times */
	bool is_left; /* aligned */
};

struct jfrec_cell {
	/* JFREC_KIND_NULL; _BOOL or _INT, also of times and spans: .i; _FLOAT: .d; _STRING */
	enum jfrec_kind kind;
	int64_t i;
	double d;
	const char *text; /* UTF-8; ends in NUL; until the next cell of the table is asked for */
	size_t len;
};

/* The name of the view, or NULL.  It lives as long as the query. */
const char *jfrec_answer_name(const struct jfrec_answer *t);

/* The title of the view, or NULL.  It lives as long as the query. */
const char *jfrec_answer_title(const struct jfrec_answer *t);

/* Is it shown as a form, with a line for each column? */
bool jfrec_answer_is_form(const struct jfrec_answer *t);

/* How many columns it has. */
size_t jfrec_answer_column_count(const struct jfrec_answer *t);

/* Column number i; NULL beyond the last.  Valid until another one is asked for. */
const struct jfrec_answer_column *jfrec_answer_column_get(struct jfrec_answer *t, size_t i);

/* Rows within LIMIT, in their order. */
size_t jfrec_answer_row_count(const struct jfrec_answer *t);

/* The value, in base units. */
struct jfrec_cell jfrec_answer_cell(struct jfrec_answer *t, size_t row, size_t column);

/* How deep a stack trace in the cell is. */
size_t jfrec_answer_frame_count(const struct jfrec_answer *t, size_t row, size_t column);

/* Its method number i, from the top; NULL beyond the last. */
const char *jfrec_answer_frame_get(const struct jfrec_answer *t, size_t row, size_t column,
				   size_t i);

/* The column with this label, alias or field, in any case of its letters; or -1. */
int jfrec_answer_find_column(const struct jfrec_answer *t, const char *name);

enum jfrec_direction {
	JFREC_DIRECTION_DEFAULT = 0, /* descending for durations and shares */
	JFREC_ASCENDING = 1,
	JFREC_DESCENDING = 2,
};

/* Sort all rows, also those beyond LIMIT, by a column. 0, or -1 with *err set (JFREC_ENOMEM). */
int jfrec_answer_sort(struct jfrec_answer *t, size_t column, enum jfrec_direction direction,
		      struct jfrec_error *err);

/* Limit the table to this many rows, instead of its query's LIMIT. */
void jfrec_answer_limit(struct jfrec_answer *t, uint64_t rows);

struct jfrec_answer_options {
	size_t struct_size; /* sizeof(struct jfrec_answer_options) */
	int width;	 /* characters; 0: what is needed, from 40 or 80 to 120; a form: 80 */
	int cell_height; /* lines of a cell at most; 0: as the query says, or 1 */
	bool truncate_beginning, truncate_end; /* of long texts; neither: as the query says */
	bool verbose; /* the fields under the labels, and after a view its query */
	jfrec_zone_fn *zone; /* in which times are shown; NULL: UTC */
	void *zone_ctx;
};

/*
 * Write the table, or form, as `jfr view` of JDK 25 does.  o: NULL for all defaults.  0, or -1 with
 * *err set: JFREC_EOUTPUT, JFREC_ENOMEM.
 */
int jfrec_answer_print(const struct jfrec_answer *t, const struct jfrec_answer_options *o,
		       jfrec_write_fn *write, void *ctx, struct jfrec_error *err);

JFREC_END_DECLS

#endif
