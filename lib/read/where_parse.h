/* SPDX-License-Identifier: MIT */
/*
 * where_parse.h - parse the text of an expression into a tree
 *
 *	or:         and ("or" and)...
 *	and:        not ("and" not)...
 *	not:        "not" not | "(" or ")" | comparison
 *	comparison: path [operator value | "is" ["not"] "null"] | value operator path
 *	path:       name ["[" number "]"] ("." name ["[" number "]"])...
 *
 * What a name means depends on the event type, so nothing is looked up here.
 */
#ifndef JFREC_READ_WHERE_PARSE_H
#define JFREC_READ_WHERE_PARSE_H

#include "base/arena.h"
#include "read/where_literal.h"

/* Bounds on what a caller may ask, so that no expression needs much of anything. */
#define MAX_EXPRESSION	16384
#define MAX_PARENTHESES 64
#define MAX_SEGMENTS	16

/* What is asked of a value; != and !~ and `is null` are the negations of others. */
enum relation {
	RELATION_EXISTS, /* is not null */
	RELATION_TRUE,	 /* a path alone */
	RELATION_EQUAL,
	RELATION_LESS,
	RELATION_LESS_EQUAL,
	RELATION_GREATER,
	RELATION_GREATER_EQUAL,
	RELATION_MATCH, /* a glob */
	RELATION_LIST,	/* globs parted by commas, as --threads takes them */
};

/* Whose value it is. */
enum subject {
	SUBJECT_FIELD,
	SUBJECT_EVENT,	  /* the names of the event's type */
	SUBJECT_CATEGORY, /* the elements of its category */
};

struct segment {
	const char *name; /* ends in NUL */
	size_t at;	  /* in the expression */
	bool has_index;
	uint64_t index;
};

/* One comparison. */
struct compare {
	struct compare *next;	/* of all of the expression */
	const char *expression; /* NULL: no one wrote it */
	size_t at, value_at;
	enum subject subject;
	bool own_field; /* the path begins with a field, not with a name of ours */
	struct segment segments[MAX_SEGMENTS];
	unsigned segment_count;
	enum relation relation;
	bool negated;
	struct literal value;
	/* What the types that were seen said to it: where_compile.c */
	bool used;
	unsigned nearness; /* how far the best of those came that could not take it */
	struct jfrec_error failure;
};

enum node_kind { NODE_COMPARISON, NODE_NOT, NODE_AND, NODE_OR };

struct node {
	enum node_kind kind;
	struct compare *comparison;
	/* The children from the last to the first: so a program is built from its end. */
	struct node *last;
	struct node *before; /* among the parent's children */
};

/* Set *err to what is wrong at that byte of the expression, its column in front. Returns -1. */
int where_fail(struct jfrec_error *err, const char *expression, size_t at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Parse an expression; all that is made lives in the arena, as does a copy of
 * it.  The comparisons are put before *comparisons.  NULL with *err set:
 * JFREC_EEXPRESSION, whose offset counts from `text`, or JFREC_ENOMEM.
 */
struct node *where_parse(struct arena *a, const char *text, struct compare **comparisons,
			 struct jfrec_error *err);

/* A node of no expression. NULL when memory is gone. */
struct node *node_new(struct arena *a, enum node_kind kind, struct node *last);

#endif
