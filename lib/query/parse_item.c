/* SPDX-License-Identifier: MIT */
/*
 * parse_item.c - the expressions of a query: fields, functions, arithmetic
 *
 *	item    = product { + | - product }
 *	product = atom { * | / atom }
 *	atom    = ( item ) | - atom | number | FUNCTION( argument ) | field
 *
 * An argument is the same without functions, or * where events are counted.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/near.h"
#include "query/parser.h"

const struct aggregator_name aggregator_names[AGGREGATOR_COUNT] = {
	[AGGREGATE_NONE] = { "", "", NULL },
	[AGGREGATE_AVG] = { "AVG", "AVERAGE", "Avg. " },
	[AGGREGATE_COUNT] = { "COUNT", "COUNT", NULL },
	[AGGREGATE_DIFF] = { "DIFF", "DIFFERENCE", "Difference " },
	[AGGREGATE_FIRST] = { "FIRST", "FIRST", NULL },
	[AGGREGATE_LAST] = { "LAST", "LAST", NULL },
	[AGGREGATE_LAST_BATCH] = { "LAST_BATCH", "LAST_BATCH", NULL },
	[AGGREGATE_LIST] = { "LIST", "LIST", NULL },
	[AGGREGATE_SET] = { "SET", "SET", NULL },
	[AGGREGATE_MAX] = { "MAX", "MAXIMUM", "Max. " },
	[AGGREGATE_MEDIAN] = { "MEDIAN", "MEDIAN", "Median " },
	[AGGREGATE_MIN] = { "MIN", "MINIMUM", "Min. " },
	[AGGREGATE_P90] = { "P90", "P90", "P90 " },
	[AGGREGATE_P95] = { "P95", "P95", "P95 " },
	[AGGREGATE_P99] = { "P99", "P99", "P99 " },
	[AGGREGATE_P999] = { "P999", "P999", "P99.9 " },
	[AGGREGATE_STDEV] = { "STDEV", "STANDARD_DEVIATION", "Std. Dev. " },
	[AGGREGATE_SUM] = { "SUM", "SUM", "Total " },
	[AGGREGATE_UNIQUE] = { "UNIQUE", "UNIQUE", "Unique Count " },
	/* What was written is in the item. */
	[AGGREGATE_PERCENTILE] = { "P", "P", NULL },
};

#define MAX_PARENTHESES 32

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The text from there to where the lexer is, with single blanks.  NULL with the error set. */
static const char *text_since(struct parser *p, const char *from)
{
	const char *end = p->lexer.at;
	char *text = arena_alloc(p->arena, (size_t)(end - from) + 1), *to = text;

	if (!text) {
		jfrec_fail_memory(p->lexer.err);
		return NULL;
	}
	for (; from < end; from++) {
		bool is_blank = *from == ' ' || (*from >= '\t' && *from <= '\r');

		if (!is_blank)
			*to++ = *from;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	}
	while (to > text && to[-1] == ' ')
		to--;
	*to = '\0';
	return text;
}

/* Arithmetic ----------------------------------------------------------------------------------- */

static int read_sum(struct parser *p, struct arithmetic *k, bool is_argument);
static int read_function(struct parser *p, struct select_item *item);

static int put(struct parser *p, struct arithmetic *k, enum term_kind kind, unsigned operand)
{
	struct term *t;

	if (k->term_count == MAX_TERMS)
		return lex_fail(&p->lexer, "The calculation has more than %d parts", MAX_TERMS);
	t = PARSER_ADD(p, k, terms, term_count);
	if (!t)
		return -1;
	t->kind = (uint8_t)kind;
	t->operand = operand;
	return 0;
}

static int put_number(struct parser *p, struct arithmetic *k, const struct literal *l)
{
	if (put(p, k, TERM_LITERAL, 0) < 0)
		return -1;
	k->terms[k->term_count - 1].literal = *l;
	return 0;
}

static int read_number(struct parser *p, struct arithmetic *k)
{
	struct literal l = { 0 };
	const char *written;

	if (parser_literal(p, " \t\r\n,;()+-*/", &l, &written) < 0)
		return -1;
	if (l.kind != LITERAL_NUMBER && l.kind != LITERAL_AMOUNT && l.kind != LITERAL_SPAN)
		return lex_fail(&p->lexer, "'%.100s' cannot be calculated with", written);
	return put_number(p, k, &l);
}

/* What is called as a function. */
static int refuse_function(struct parser *p, const char *name, bool is_argument)
{
	struct near near = { .name = name };
	char list[NEAR_LIST_MAX];

	for (int i = 1; is_argument && i < AGGREGATE_PERCENTILE; i++) {
		if (strcasecmp(name, aggregator_names[i].name) == 0)
			return lex_fail(&p->lexer, "Functions cannot be used in functions");
	}
	for (int i = 1; i < AGGREGATE_PERCENTILE; i++)
		near_offer(&near, aggregator_names[i].name);
	near_offer(&near, "RATE");
	near_offer(&near, "SHARE");
	return lex_fail(&p->lexer, "There is no function '%.60s'%s", name, near_list(&near, list));
}

static int read_operand(struct parser *p, struct arithmetic *k, bool is_argument)
{
	struct select_item *item = PARSER_ADD(p, k, operands, operand_count);
	const char *word;
	int got = 0;

	if (!item)
		return -1;
	item->at = parser_at(p);
	if (!is_argument)
		got = read_function(p, item);
	if (got < 0)
		return -1;
	if (got == 0) {
		item->field = parser_field(p, &item->is_quoted);
		if (!item->field)
			return -1;
		word = p->lexer.word;
		if (parser_accept(p, "(", NULL)) {
			p->lexer.word = word;
			return refuse_function(p, item->field, is_argument);
		}
	}
	return put(p, k, TERM_OPERAND, k->operand_count - 1);
}

static int read_parentheses(struct parser *p, struct arithmetic *k, bool is_argument)
{
	int ret;

	if (p->depth == MAX_PARENTHESES)
		return lex_fail(&p->lexer, "There are more than %d parentheses in each other",
				MAX_PARENTHESES);
	p->depth++;
	ret = read_sum(p, k, is_argument);
	p->depth--;
	return ret < 0 ? -1 : parser_expect(p, ")");
}

static int read_atom(struct parser *p, struct arithmetic *k, bool is_argument)
{
	static const struct literal minus_one = {
		.kind = LITERAL_NUMBER, .number = { .whole = true, .i = -1 }
	};

	if (parser_accept(p, "(", NULL))
		return read_parentheses(p, k, is_argument);
	if (parser_accept(p, "-", NULL)) {
		if (p->depth == MAX_PARENTHESES)
			return lex_fail(&p->lexer, "There are too many signs in a row");
		p->depth++;
		if (put_number(p, k, &minus_one) < 0 || read_atom(p, k, is_argument) < 0)
			return -1;
		p->depth--;
		return put(p, k, TERM_MULTIPLY, 0);
	}
	lex_more(&p->lexer);
	return is_digit(*p->lexer.at) ? read_number(p, k) : read_operand(p, k, is_argument);
}

static int read_product(struct parser *p, struct arithmetic *k, bool is_argument)
{
	int ret = read_atom(p, k, is_argument);

	while (ret == 0) {
		bool multiplies = parser_accept(p, "*", NULL);

		if (!multiplies && !parser_accept(p, "/", NULL))
			break;
		ret = read_atom(p, k, is_argument);
		if (ret == 0)
			ret = put(p, k, multiplies ? TERM_MULTIPLY : TERM_DIVIDE, 0);
	}
	return ret;
}

static int read_sum(struct parser *p, struct arithmetic *k, bool is_argument)
{
	int ret = read_product(p, k, is_argument);

	while (ret == 0) {
		bool adds = parser_accept(p, "+", NULL);

		if (!adds && !parser_accept(p, "-", NULL))
			break;
		ret = read_product(p, k, is_argument);
		if (ret == 0)
			ret = put(p, k, adds ? TERM_ADD : TERM_SUBTRACT, 0);
	}
	return ret;
}

/* Arithmetic, or if there is none the operand alone.  0, or -1 with the error set. */
static int read_expression(struct parser *p, struct select_item *alone, struct arithmetic **sum,
			   const char **text, bool is_argument)
{
	struct arithmetic *k = arena_zalloc(p->arena, 1, sizeof(*k));
	const char *from;

	if (!k)
		return jfrec_fail_memory(p->lexer.err);
	lex_more(&p->lexer);
	from = p->lexer.at;
	if (read_sum(p, k, is_argument) < 0)
		return -1;
	*sum = NULL;
	if (k->term_count == 1 && k->operand_count == 1) {
		*alone = k->operands[0];
		return 0;
	}
	if (!k->operand_count) {
		p->lexer.word = from;
		return lex_fail(&p->lexer, "Expected a field, or a function of one");
	}
	*sum = k;
	*text = text_since(p, from);
	return *text ? 0 : -1;
}

/* Functions ------------------------------------------------------------------------------------ */

static int read_argument(struct parser *p, struct select_item *item, enum aggregator a)
{
	struct select_item alone = { 0 };

	item->aggregator = (uint8_t)a;
	if (parser_accept(p, "*", NULL)) {
		if (item->measure)
			item->aggregator = AGGREGATE_COUNT;
		else if (a != AGGREGATE_COUNT)
			return lex_fail(&p->lexer, "Wildcard ('*') can only be used with "
						   "aggregator function COUNT");
		item->field = "*";
	} else {
		if (read_expression(p, &alone, &item->argument, &item->field, true) < 0)
			return -1;
		if (!item->argument)
			item->field = alone.field;
	}
	return parser_expect(p, ")");
}

/* P50, Q99.9, and the parenthesis.  1: read; 0: it is something else; -1 with the error set. */
static int read_percentile(struct parser *p, struct select_item *item)
{
	const char *before = p->lexer.at, *begin, *s;
	double percent = 0, unit = 1;
	bool is_cautious;
	char *name;

	lex_more(&p->lexer);
	begin = s = p->lexer.at;
	is_cautious = *s == 'Q' || *s == 'q';
	if ((*s != 'P' && *s != 'p' && !is_cautious) || !is_digit(s[1]))
		return 0;
	for (s++; is_digit(*s) && s - begin < 5; s++)
		percent = percent * 10 + (*s - '0');
	if (*s == '.') {
		for (s++; is_digit(*s) && unit < 10000; s++, unit *= 10)
			percent = percent * 10 + (*s - '0');
	}
	p->lexer.at = s;
	if (!parser_accept(p, "(", NULL)) {
		p->lexer.at = before;
		return 0;
	}
	percent /= unit;
	name = arena_strndup(p->arena, begin, (size_t)(s - begin));
	if (!name)
		return jfrec_fail_memory(p->lexer.err);
	*name = is_cautious ? 'Q' : 'P';
	if (percent <= 0 || percent >= 100)
		return lex_fail(&p->lexer, "%s is not a percentile: use one between P0 and P100, "
					   "such as P50 or P99.9", name);
	item->function = name;
	item->percentile = percent / 100;
	item->least_above = is_cautious ? LEAST_ABOVE : 0;
	return 1;
}

/* The functions that the JDK lacks.  As above. */
static int read_own_function(struct parser *p, struct select_item *item)
{
	int got = read_percentile(p, item);

	if (got != 0)
		return got < 0 || read_argument(p, item, AGGREGATE_PERCENTILE) < 0 ? -1 : 1;
	if (parser_accept(p, "RATE", "(")) {
		item->measure = MEASURE_RATE;
		item->function = "RATE";
	} else if (parser_accept(p, "SHARE", "(")) {
		item->measure = MEASURE_SHARE;
		item->function = "SHARE";
	} else {
		return 0;
	}
	return read_argument(p, item, AGGREGATE_SUM) < 0 ? -1 : 1;
}

/* AGGREGATOR(argument).  As above. */
static int read_function(struct parser *p, struct select_item *item)
{
	for (int i = 1; i < AGGREGATE_PERCENTILE; i++) {
		if (parser_accept(p, aggregator_names[i].name, "("))
			return read_argument(p, item, (enum aggregator)i) < 0 ? -1 : 1;
	}
	return read_own_function(p, item);
}

/* Items ---------------------------------------------------------------------------------------- */

int parser_item(struct parser *p, struct select_item *item)
{
	unsigned at = parser_at(p);

	if (read_expression(p, item, &item->arithmetic, &item->field, false) < 0)
		return -1;
	item->at = at;
	return 0;
}

/* The same but for blanks. */
static bool is_same_text(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (*a == ' ')
			a++;
		while (*b == ' ')
			b++;
		if (*a != *b || !*a)
			return *a == *b;
	}
}

bool item_is_same(const struct select_item *a, const struct select_item *b)
{
	return a->aggregator == b->aggregator && a->measure == b->measure &&
	       !(a->percentile < b->percentile) && !(a->percentile > b->percentile) &&
	       !a->arithmetic == !b->arithmetic && !a->argument == !b->argument &&
	       is_same_text(a->field, b->field);
}
