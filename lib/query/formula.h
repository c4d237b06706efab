/* SPDX-License-Identifier: MIT */
/*
 * formula.h - arithmetic on numbers, and what its result is
 *
 * A duration divided by a duration is a number, bytes divided by a duration are bytes per second,
 * a time minus a time is a duration.  What makes no sense, such as bytes plus a duration, is
 * refused before any event is read.
 */
#ifndef JFREC_QUERY_FORMULA_H
#define JFREC_QUERY_FORMULA_H

#include "query/field.h"
#include "query/value.h"

struct formula_term {
	uint8_t kind;	  /* enum term_kind */
	bool is_span;	  /* the result is a length of time, in whatever it was calculated */
	unsigned operand; /* its place among the values */
	struct value value; /* TERM_LITERAL */
};

/* In postfix order. */
struct formula {
	struct formula_term *terms;
	unsigned count;
};

/*
 * Make one of what was parsed, whose operands have these looks.  *why: a sentence in the arena if
 * it makes no sense, else NULL.  False: no memory.
 */
bool formula_make(struct arena *a, const struct arithmetic *from, const struct look *looks,
		  struct formula *to, struct look *look, const char **why);

/* Null where an operand is, and where something is divided by zero. */
struct value formula_value(const struct formula *f, const struct value *operands);

#endif
