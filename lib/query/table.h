/* SPDX-License-Identifier: MIT */
/*
 * table.h - what a query found: rows of values, in their order
 */
#ifndef JFREC_QUERY_TABLE_H
#define JFREC_QUERY_TABLE_H

#include "jfrec/query.h"
#include "query/cell_text.h"
#include "query/partial.h"

struct jfrec_answer {
	const struct parsed *parsed;
	const struct resolved *query;
	const char *name, *title; /* of the view, or NULL */
	bool is_form;
	const struct value **rows; /* all of them, hidden columns included */
	size_t row_count;	   /* of all */
	size_t shown;		   /* those within LIMIT */
	double *sums;		   /* of normalized columns, by their number */
	double seconds;	       /* that the recording lasted */
	struct arena *arena;
	struct cell_writer writer; /* for texts that a caller asks for */
	struct jfrec_answer_column column; /* the one that a caller asked for */
};

/* The rows of the result, sorted.  False: no memory. */
bool table_fill(struct jfrec_answer *t, const struct partial *p, struct arena *a);

/*
 * If there are many more rows than LIMIT lets through, keep those, in their order.  The rows have
 * no groups.  False: no memory.
 */
bool table_keep_limit(struct partial *p, const struct parsed *parsed);

/* The value of a cell; of a normalized column, the share. */
struct value table_value(const struct jfrec_answer *t, size_t row, unsigned column);

/* Sort the rows again, by one column.  False: no memory. */
bool table_sort(struct jfrec_answer *t, unsigned column, enum direction direction);

/* The text of a cell, until the next one is asked for with the same writer. */
struct text table_text(const struct jfrec_answer *t, struct cell_writer *w, size_t row,
		       unsigned column, bool brief);

#endif
