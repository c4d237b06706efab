/* SPDX-License-Identifier: MIT */
/*
 * parse.h - the text of a query, taken apart
 *
 *	query  = [COLUMN text,...] [FORMAT prop;...,...] SELECT * | item,...
 *	         FROM type [AS name],... [WHERE field = 'text' AND ...]
 *	         [GROUP BY field,...] [HAVING item = value AND ...]
 *	         [ORDER BY field [ASC|DESC],...] [LIMIT n]
 *	item   = field | AGGREGATOR(field | *)   [AS name]
 *
 * The language of the JDK's views, with its messages.  What the JDK refuses and is understood
 * here:
 *
 *	P50(field), P99.99(field)	any percentile, with up to four digits after the point
 *	RATE(field | *)			the sum, or the number of events, per second
 *	SHARE(field | *)		the same as a share of that of all events
 *	HAVING item > 10ms AND ...	only rows whose columns are so; <, <=, =, !=, >=, >
 *	GROUP BY every(10s), ...	by the time of the events' start, cut to whole steps
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
	AGGREGATE_PERCENTILE, /* any, by its number; not one of the JDK's */
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

/* What is told of a sum or a count. */
enum measure { MEASURE_ALL, MEASURE_RATE, MEASURE_SHARE };

struct select_item {
	const char *field; /* "*" in COUNT(*), RATE(*) and SHARE(*) only */
	const char *alias; /* NULL: none */
	uint8_t aggregator;
	uint8_t measure;      /* enum measure: of the sum, or of the count */
	const char *function; /* "P50", "RATE"; NULL: the aggregator's */
	double percentile;    /* 0.5 */
};

struct from_item {
	const char *name, *alias;
};

struct condition {
	const char *field, *value;
};

enum comparison { LESS, LESS_OR_EQUAL, EQUAL, NOT_EQUAL, GREATER_OR_EQUAL, GREATER };

/* Numbers are in base units. */
enum having_kind { HAVING_NUMBER, HAVING_SPAN, HAVING_TIME, HAVING_TEXT };

struct having {
	unsigned item; /* of SELECT */
	uint8_t comparison, kind;
	double number;
	int64_t ns;
	const char *text; /* as it was written; without its quotes */
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
	int64_t every_ns;  /* GROUP BY every(): startTime is cut to these steps; 0: it is not */
	const char *every; /* "10s" */
	struct having *having;
	struct order_item *order_by;
	unsigned column_count, format_count, item_count, from_count, condition_count, group_count,
		having_count, order_count;
	bool has_limit;
	uint64_t limit;
};

/* 0, or -1 with *err set: JFREC_EEXPRESSION with the byte in the text, or JFREC_ENOMEM. */
int parse_query(struct arena *a, const char *text, struct parsed *p, struct jfrec_error *err);

#endif
