/* SPDX-License-Identifier: MIT */
/*
 * resolve.h - what a query means for the event types of a recording
 *
 * An entry is one type of FROM, with the conditions that hold for it.  A column
 * takes its values from the events of some entries.  Entries of one type with
 * the same conditions are one listener: it is handed each event once.
 */
#ifndef JFREC_QUERY_RESOLVE_H
#define JFREC_QUERY_RESOLVE_H

#include "query/formula.h"
#include "query/text.h"

/* WHERE: the text of the field must be this one. */
struct filter {
	struct field field;
	struct look look;
	struct text text;
};

struct entry {
	unsigned type; /* in the schema */
	const char *alias;
	struct filter *filters;
	unsigned filter_count;
	unsigned listener;
};

struct column {
	struct field field; /* of the first source: its path and look serve all */
	struct look look;
	const char *label;
	unsigned *entries; /* the sources */
	unsigned entry_count;
	uint8_t aggregator;
	uint8_t measure;      /* enum measure */
	const char *function; /* as the item's */
	double percentile;
	unsigned least_above;
	unsigned words_of; /* 1 + the column before it that keeps its values; 0: itself */
	int64_t every_ns; /* of startTime: it is cut to such steps; 0: it is not */
	bool is_visible;
	bool is_key;   /* of GROUP BY */
	bool is_mixed; /* sources differ in type: values are texts */
	bool is_operand; /* of a formula, and of nothing else */
	/* What is calculated of other columns of the row, instead of being fed; NULL: nothing. */
	struct formula *formula;
	unsigned *operands; /* these columns */
	/*
	 * What is calculated of fields of the event, before the aggregator has it; NULL: nothing.
	 */
	struct formula *argument;
	struct field *atoms; /* these fields */
	unsigned atom_count;
	struct column_format format;
};

/* ORDER BY, by a column. */
struct order {
	unsigned column;
	uint8_t direction; /* enum direction */
};

struct listener {
	unsigned type; /* in the schema */
	unsigned before; /* 1 + the one of the same type before it; 0: none */
	const struct filter *filters;
	unsigned filter_count;
	unsigned *columns; /* that it feeds */
	unsigned column_count;
	unsigned *keys; /* of these, those of GROUP BY, in order */
	unsigned key_count;
};

struct resolved {
	struct entry *entries;
	struct column *columns; /* visible ones first */
	struct order *orders;
	struct listener *listeners;
	unsigned entry_count, column_count, visible_count, order_count, listener_count;
	unsigned width; /* this many columns make a group's row; those after them are keys only */
	bool has_aggregator, has_group, is_experimental, has_formula;
	bool has_per;
	unsigned per; /* the column of LIMIT PER */
	/* Why there can be no result, as the JDK says it; NULL: there can. */
	const char *failure;
	const char *fault;  /* the same in our words, if they are better; or NULL */
	unsigned failed_at; /* where in the text */
};

/*
 * 0; -1 when memory is gone.  What the query names and no type has is a failure of the query, not
 * of the call.  `late`: types that only later chunks declare are there, too.  All lies in the
 * arena, and refers to the schema.
 */
int resolve_query(struct arena *a, const struct schema *s, bool late, const struct parsed *p,
		  struct resolved *to);

#endif
