/* SPDX-License-Identifier: MIT */
/*
 * where_literal.h - values as they are written: numbers with units, times
 */
#ifndef JFREC_READ_WHERE_LITERAL_H
#define JFREC_READ_WHERE_LITERAL_H

#include "jfrec.h"

struct number {
	bool whole; /* .i holds it exactly; else .d does */
	bool huge;  /* .i is a uint64_t beyond INT64_MAX */
	int64_t i;
	double d;
};

enum literal_kind {
	LITERAL_NULL,
	LITERAL_BOOL,	/* .number.i */
	LITERAL_NUMBER, /* .number */
	LITERAL_AMOUNT, /* .number of bytes, or of .bits */
	LITERAL_SPAN,	/* .ns */
	LITERAL_TIME,	/* .ns since 1970 */
	LITERAL_TEXT,	/* .text of .len bytes, ending in NUL */
};

struct literal {
	enum literal_kind kind;
	char sign; /* '+' or '-', if it was written */
	bool bits;
	struct number number;
	int64_t ns;
	const char *text;
	size_t len;
};

/*
 * Take a number with its unit, or a date.  1: taken, *text is after it; 0:
 * there is none; -1: it is none that can be, and *why says so.
 */
int literal_read(const char **text, struct literal *l, const char **why);

#endif
