/* SPDX-License-Identifier: MIT */
/*
 * parser.h - what the parts of the parser share
 */
#ifndef JFREC_QUERY_PARSER_H
#define JFREC_QUERY_PARSER_H

#include "query/lex.h"
#include "query/parse.h"

struct parser {
	struct lexer lexer;
	struct arena *arena;
	struct parsed *to;
	unsigned depth; /* of parentheses */
};

/* Add an item to a list of the query; NULL with the error set. */
void *parser_add(struct parser *p, void *list, unsigned *count, size_t size);

#define PARSER_ADD(p, of, list, count) \
	parser_add((p), &(of)->list, &(of)->count, sizeof(*(of)->list))

bool parser_accept(struct parser *p, const char *first, const char *second);
int parser_expect(struct parser *p, const char *word);

/* Where the next word is, as a byte of the text. */
unsigned parser_at(struct parser *p);

/*
 * The name of a field; *quoted: it stands in quotes, and may be anything.  NULL with the error set.
 */
const char *parser_field(struct parser *p, bool *quoted);

/* A number with its unit, or a time, up to white space or one of these.  0, or -1. */
int parser_literal(struct parser *p, const char *ends, struct literal *l, const char **written);

/* A field, a function, or arithmetic with them: parse_item.c.  0, or -1 with the error set. */
int parser_item(struct parser *p, struct select_item *item);

/* Do they say the same?  Their aliases do not count. */
bool item_is_same(const struct select_item *a, const struct select_item *b);

#endif
