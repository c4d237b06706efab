/* SPDX-License-Identifier: MIT */
/*
 * parse.h - the text of a query, taken apart
 *
 *	query  = [COLUMN text,...] [FORMAT prop;...,...] SELECT * | item [AS name],...
 *	         FROM type [AS name],... [WHERE field = 'text' AND ... | expression]
 *	         [GROUP BY field,...] [HAVING item = value AND ...]
 *	         [ORDER BY item [ASC|DESC],...] [LIMIT n [PER field [LIMIT n]]]
 *	item   = field | AGGREGATOR(field | *)
 *
 * The language of the JDK's views, with its messages.  What the JDK refuses and is understood
 * here:
 *
 *	SUM(a) / SUM(b), SUM(a + b)	+ - * / and parentheses (parse_item.c)
 *	P50(field), P99.99(field)	any percentile, with up to four digits after the point
 *	Q99.9(field)			the same, but null unless 10 values lie above it
 *	RATE(field | *)			the sum, or the number of events, per second
 *	SHARE(field | *)		the same as a share of that of all events
 *	AS p99, AS 'any text'		an alias in quotes is the label, too
 *	WHERE duration > 10ms or ...	what is not the JDK's is jfrec-where(7)
 *	HAVING item > 10ms AND ...	only rows whose columns are so; <, <=, =, !=, >=, >
 *	GROUP BY every(10s), ...	by the time of the events' start, cut to whole steps
 *	ORDER BY COUNT(*)		without an alias, selected or not
 *	LIMIT 3 PER field		so many rows at most for each value of the field
 */
#ifndef JFREC_QUERY_PARSE_H
#define JFREC_QUERY_PARSE_H

#include "base/arena.h"
#include "jfrec/base.h"
#include "read/where_literal.h"

/* Fewer values above it do not make a percentile. */
#define LEAST_ABOVE 10

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
	const char *label;     /* "Avg. ", before the field's; NULL: nothing */
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

/* How a sum or a count is shown. */
enum measure { MEASURE_ALL, MEASURE_RATE, MEASURE_SHARE };

enum term_kind {
	TERM_OPERAND,
	TERM_LITERAL,
	TERM_ADD,
	TERM_SUBTRACT,
	TERM_MULTIPLY,
	TERM_DIVIDE,
};

struct term {
	uint8_t kind;	 /* enum term_kind */
	unsigned operand; /* TERM_OPERAND: its number */
	struct literal literal;
};

#define MAX_TERMS 64

/* Arithmetic with fields and functions, in postfix order. */
struct arithmetic {
	struct term *terms;
	unsigned term_count;
	struct select_item *operands;
	unsigned operand_count;
};

struct select_item {
	/*
	 * "*" in COUNT(*), RATE(*) and SHARE(*) only; of arithmetic, its text.
	 */
	const char *field;
	const char *alias; /* NULL: none */
	uint8_t aggregator;
	uint8_t measure;      /* enum measure: of the sum, or of the count */
	bool is_quoted;	      /* the field: it may be an alias only */
	bool is_labelled;     /* the alias stood in quotes */
	const char *function; /* "P50", "RATE"; NULL: the aggregator's */
	double percentile;    /* 0.5 */
	unsigned least_above; /* it is null unless so many values lie above it */
	struct arithmetic *arithmetic; /* instead of all that; NULL: none */
	struct arithmetic *argument;   /* of the function, instead of a field; NULL: none */
	unsigned at;		       /* where it stands in the text */
};

struct from_item {
	const char *name, *alias;
	unsigned at;
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
	struct select_item item;
	uint8_t direction; /* enum direction */
};

/* All strings lie in the arena that the query was parsed into. */
struct parsed {
	const char **columns;
	struct column_format *formats;
	struct select_item *items; /* none: SELECT * */
	struct from_item *from;
	struct condition *conditions;
	const char *where; /* of ours: blanks as far as it begins in the text; NULL: none */
	const char *where_text; /* the same without them */
	const char **group_by;
	unsigned *group_at; /* where they stand in the text */
	int64_t every_ns;  /* GROUP BY every(): startTime is cut to these steps; 0: it is not */
	const char *every; /* "10s" */
	struct having *having;
	struct order_item *order_by;
	unsigned column_count, format_count, item_count, from_count, condition_count, group_count,
		group_at_count, having_count, order_count;
	bool has_limit;
	uint64_t limit;
	const struct select_item *per; /* LIMIT per_limit PER this; NULL: none */
	uint64_t per_limit;
};

/* 0, or -1 with *err set: JFREC_EEXPRESSION with the byte in the text, or JFREC_ENOMEM. */
int parse_query(struct arena *a, const char *text, struct parsed *p, struct jfrec_error *err);

#endif
