/* SPDX-License-Identifier: MIT */
/*
 * parse.h - the text of a query, taken apart
 *
 *	query  = [COLUMN text,...] [FORMAT prop;...,...] SELECT * | item,...
 *	         FROM type [AS name],... [WHERE field = 'text' AND ...]
 *	         [GROUP BY field,...] [ORDER BY field [ASC|DESC],...] [LIMIT n]
 *	item   = field | AGGREGATOR(field | *)   [AS name]
 *
 * The language of the JDK's views, with its messages.
 */
#ifndef JFREC_QUERY_PARSE_H
#define JFREC_QUERY_PARSE_H

#include "base/arena.h"
#include "jfrec/base.h"

enum aggregator {
	AGGREGATE_NONE,
	AGGREGATE_AVG,
	AGGREGATE_COUNT,
	AGGREGATE_DIFF,
	AGGREGATE_FIRST,
	AGGREGATE_LAST,
	AGGREGATE_LAST_BATCH,
	AGGREGATE_LIST,
	AGGREGATE_SET,
	AGGREGATE_MAX,
	AGGREGATE_MEDIAN,
	AGGREGATE_MIN,
	AGGREGATE_P90,
	AGGREGATE_P95,
	AGGREGATE_P99,
	AGGREGATE_P999,
	AGGREGATE_STDEV,
	AGGREGATE_SUM,
	AGGREGATE_UNIQUE,
	AGGREGATOR_COUNT,
};

struct aggregator_name {
	const char *name;      /* "AVG" */
	const char *long_name; /* "AVERAGE" */
	const char *label;     /* "Avg. ", in front of the field's; NULL: nothing */
};

extern const struct aggregator_name aggregator_names[AGGREGATOR_COUNT];

enum truncate { TRUNCATE_UNSET, TRUNCATE_BEGINNING, TRUNCATE_END };

/* FORMAT of one column. */
struct column_format {
	const char *text; /* as it was written */
	bool normalized;
	uint8_t truncate; /* enum truncate */
	int cell_height;  /* 0: unset */
	int precision;	  /* digits of milliseconds; -1: unset */
	const char *missing; /* NULL: unset */
};

struct select_item {
	const char *field; /* "*" in COUNT(*) only */
	const char *alias; /* NULL: none */
	uint8_t aggregator;
};

struct from_item {
	const char *name, *alias;
};

struct condition {
	const char *field, *value;
};

enum direction { DIRECTION_UNSET, ASCENDING, DESCENDING };

struct order_item {
	const char *field;
	uint8_t direction; /* enum direction */
};

/* All strings lie in the arena that the query was parsed into. */
struct parsed {
	const char **columns;
	struct column_format *formats;
	struct select_item *items; /* none: SELECT * */
	struct from_item *from;
	struct condition *conditions;
	const char **group_by;
	struct order_item *order_by;
	unsigned column_count, format_count, item_count, from_count, condition_count, group_count,
		order_count;
	bool has_limit;
	uint64_t limit;
};

/* 0, or -1 with *err set: JFREC_EEXPRESSION with the byte in the text, or JFREC_ENOMEM. */
int parse_query(struct arena *a, const char *text, struct parsed *p, struct jfrec_error *err);

#endif
