/* SPDX-License-Identifier: MIT */
/*
 * lex.h - the words of a query
 *
 * A word ends at white space or at one of = , ; ( ) which are words themselves.
 * Quotes inside it are removed and protect both.  Keywords are read as the
 * JDK does: whatever the text goes on with, so ORDERBYx is ORDER BY x.
 */
#ifndef JFREC_QUERY_LEX_H
#define JFREC_QUERY_LEX_H

#include "base/arena.h"
#include "jfrec/base.h"

struct lexer {
	const char *text, *at;
	struct arena *arena;
	struct jfrec_error *err;
	const char *word; /* where the last word begins; NULL: another one was expected there */
};

/* Skip white space.  False at the end. */
bool lex_more(struct lexer *l);

/* Step over the words, white space before each, whatever case they are in. False: not there. */
bool lex_accept(struct lexer *l, const char *first, const char *second);

/*
 * The next word without its quotes; NULL with the error set. *quote: the one it begins with, or 0.
 */
const char *lex_next(struct lexer *l, char *quote);

/* The same, and go back. */
const char *lex_peek(struct lexer *l, char *quote);

/* Would the lexer split this name, so that it cannot be asked for? */
bool lex_splits(const char *name);

/* Set the error, at the last word or where another was expected.  Returns -1. */
int lex_fail(struct lexer *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
