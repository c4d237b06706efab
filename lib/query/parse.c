/* SPDX-License-Identifier: MIT */
/*
 * parse.c - the text of a query, taken apart
 */
#include "query/parse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "query/lex.h"
#include "query/list.h"
#include "read/where_parse.h"

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

struct parser {
	struct lexer lexer;
	struct arena *arena;
	struct parsed *to;
};

/* Add an item to a list of the query; NULL with the error set. */
static void *add(struct parser *p, void *list, unsigned *count, size_t size)
{
	void **items = list, *more = list_more(p->arena, *items, *count, size);

	if (!more) {
		jfrec_fail_memory(p->lexer.err);
		return NULL;
	}
	*items = more;
	memset((char *)more + *count * size, 0, size);
	return (char *)more + (*count)++ * size;
}

#define ADD(p, list, count) add((p), &(p)->to->list, &(p)->to->count, sizeof(*(p)->to->list))

static bool accept(struct parser *p, const char *first, const char *second)
{
	return lex_accept(&p->lexer, first, second);
}

static int expect(struct parser *p, const char *word)
{
	return accept(p, word, NULL) ? 0 : lex_fail(&p->lexer, "Expected %s", word);
}

/* Names ---------------------------------------------------------------------------------------- */

/* What is not ASCII may be a letter. */
static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}

static bool is_field_char(char c)
{
	return is_letter(c) || (c >= '0' && c <= '9') || (c && strchr("_$.[]|", c) != NULL);
}

static const char *read_field(struct parser *p)
{
	const char *field = lex_next(&p->lexer, NULL);

	for (const char *s = field; s && *s; s++) {
		if (is_field_char(*s))
			continue;
		lex_fail(&p->lexer, "Not a valid field name: %.100s", field);
		return NULL;
	}
	return field;
}

static const char *read_symbol(struct parser *p)
{
	char quote;
	const char *name = lex_next(&p->lexer, &quote);

	if (name && quote) {
		lex_fail(&p->lexer, "Expected unquoted symbolic name (not label)");
		return NULL;
	}
	for (const char *s = name; s && *s; s++) {
		if (is_letter(*s))
			continue;
		lex_fail(&p->lexer, "Symbol must consist of letters, found '%c' in '%.100s'", *s, name);
		return NULL;
	}
	return name;
}

/* [AS name] */
static int read_alias(struct parser *p, const char **alias)
{
	if (!accept(p, "AS", NULL))
		return 0;
	*alias = read_symbol(p);
	return *alias ? 0 : -1;
}

/* COLUMN, FORMAT ------------------------------------------------------------------------------- */

static int read_columns(struct parser *p)
{
	do {
		const char *text = lex_next(&p->lexer, NULL), **column;

		if (!text || !(column = ADD(p, columns, column_count)))
			return -1;
		*column = text;
	} while (accept(p, ",", NULL));
	return 0;
}

/* The number behind a name and a colon, at least `least`.  -1 with the error set. */
static int read_number(struct parser *p, const char *word, size_t name, int least)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(word + name, &end, 10);
	if (errno || *end || end == word + name || n < least || n > 1000000) {
		lex_fail(&p->lexer, "Expected '%.*s' to be at least %d", (int)name, word, least);
		return -1;
	}
	return (int)n;
}

static bool begins(const char *word, const char *with)
{
	return strncasecmp(word, with, strlen(with)) == 0;
}

static int read_property(struct parser *p, const char *word, struct column_format *f)
{
	if (strcasecmp(word, "none") == 0)
		return 0;
	if (strcasecmp(word, "normalized") == 0) {
		f->normalized = true;
	} else if (strcasecmp(word, "truncate-beginning") == 0) {
		f->truncate = TRUNCATE_BEGINNING;
	} else if (strcasecmp(word, "truncate-end") == 0) {
		f->truncate = TRUNCATE_END;
	} else if (strcasecmp(word, "missing:whitespace") == 0) {
		f->missing = "";
	} else if (begins(word, "missing:")) {
		f->missing = word[8] ? word + 8 : f->missing;
	} else if (begins(word, "cell-height:")) {
		f->cell_height = read_number(p, word, 12, 1);
		return f->cell_height < 0 ? -1 : 0;
	} else if (begins(word, "ms-precision:")) {
		f->precision = read_number(p, word, 13, 0);
		return f->precision < 0 ? -1 : 0;
	} else {
		return lex_fail(&p->lexer, "Unknown formatter '%.100s'", word);
	}
	return 0;
}

/* Put a property behind the text of those before. */
static int add_text(struct parser *p, struct column_format *f, const char *word)
{
	size_t len = f->text ? strlen(f->text) : 0;
	char *text = arena_alloc(p->arena, len + strlen(word) + 2);

	if (!text)
		return jfrec_fail_memory(p->lexer.err);
	if (f->text) {
		memcpy(text, f->text, len);
		text[len++] = ';';
	}
	strcpy(text + len, word);
	f->text = text;
	return 0;
}

static int read_formats(struct parser *p)
{
	do {
		struct column_format *f = ADD(p, formats, format_count);

		if (!f)
			return -1;
		f->precision = -1;
		do {
			const char *word = lex_next(&p->lexer, NULL);

			if (!word || read_property(p, word, f) < 0 || add_text(p, f, word) < 0)
				return -1;
		} while (accept(p, ";", NULL));
	} while (accept(p, ",", NULL));
	return 0;
}

/* SELECT --------------------------------------------------------------------------------------- */

static int read_aggregate(struct parser *p, struct select_item *item, enum aggregator a)
{
	item->aggregator = a;
	if (accept(p, "*", NULL)) {
		if (item->measure)
			item->aggregator = AGGREGATE_COUNT;
		else if (a != AGGREGATE_COUNT)
			return lex_fail(&p->lexer, "Wildcard ('*') can only be used with "
						   "aggregator function COUNT");
		item->field = "*";
	} else {
		item->field = read_field(p);
	}
	return item->field ? expect(p, ")") : -1;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* P50, P99.99, and the parenthesis.  1: read; 0: it is something else; -1 with the error set. */
static int read_percentile(struct parser *p, struct select_item *item)
{
	const char *before = p->lexer.at, *begin, *s;
	double percent = 0, unit = 1;
	char *name;

	lex_more(&p->lexer);
	begin = s = p->lexer.at;
	if ((*s != 'P' && *s != 'p') || !is_digit(s[1]))
		return 0;
	for (s++; is_digit(*s) && s - begin < 5; s++)
		percent = percent * 10 + (*s - '0');
	if (*s == '.') {
		for (s++; is_digit(*s) && unit < 10000; s++, unit *= 10)
			percent = percent * 10 + (*s - '0');
	}
	p->lexer.at = s;
	if (!accept(p, "(", NULL)) {
		p->lexer.at = before;
		return 0;
	}
	percent /= unit;
	name = arena_strndup(p->arena, begin, (size_t)(s - begin));
	if (!name)
		return jfrec_fail_memory(p->lexer.err);
	*name = 'P';
	if (percent <= 0 || percent >= 100)
		return lex_fail(&p->lexer, "%s is not a percentile: use one between P0 and P100, "
					   "such as P50 or P99.9", name);
	item->function = name;
	item->percentile = percent / 100;
	return 1;
}

/* The functions that the JDK lacks.  As above. */
static int read_own_function(struct parser *p, struct select_item *item)
{
	int got = read_percentile(p, item);

	if (got != 0)
		return got < 0 || read_aggregate(p, item, AGGREGATE_PERCENTILE) < 0 ? -1 : 1;
	if (accept(p, "RATE", "(")) {
		item->measure = MEASURE_RATE;
		item->function = "RATE";
	} else if (accept(p, "SHARE", "(")) {
		item->measure = MEASURE_SHARE;
		item->function = "SHARE";
	} else {
		return 0;
	}
	return read_aggregate(p, item, AGGREGATE_SUM) < 0 ? -1 : 1;
}

/* AGGREGATOR(field).  As above. */
static int read_function(struct parser *p, struct select_item *item)
{
	for (int i = 1; i < AGGREGATE_PERCENTILE; i++) {
		if (accept(p, aggregator_names[i].name, "("))
			return read_aggregate(p, item, (enum aggregator)i) < 0 ? -1 : 1;
	}
	return read_own_function(p, item);
}

static int read_item(struct parser *p)
{
	struct select_item *item = ADD(p, items, item_count);
	int got = item ? read_function(p, item) : -1;

	if (got != 0)
		return got < 0 ? -1 : read_alias(p, &item->alias);
	item->field = read_field(p);
	if (!item->field)
		return -1;
	if (strcasecmp(item->field, "FROM") == 0)
		return lex_fail(&p->lexer, "Missing field name in SELECT statement, or qualify field "
					   "with event type if name is called 'FROM'");
	return read_alias(p, &item->alias);
}

static int read_select(struct parser *p)
{
	if (expect(p, "SELECT") < 0)
		return -1;
	if (accept(p, "*", NULL))
		return 0;
	if (accept(p, "FROM", NULL))
		return lex_fail(&p->lexer, "Missing fields in SELECT statement");
	do {
		if (read_item(p) < 0)
			return -1;
	} while (accept(p, ",", NULL));
	return 0;
}

/* FROM and what follows ------------------------------------------------------------------------ */

/* SQL that is not spoken here. */
static int refuse_sql(struct parser *p)
{
	static const char *const joins[] = { "INNER", "JOIN", "LEFT", "RIGHT", "FULL" };
	const char *before = p->lexer.at;

	if (accept(p, "(", NULL))
		return lex_fail(&p->lexer, "Subquery is not allowed");
	for (size_t i = 0; i < sizeof(joins) / sizeof(*joins); i++) {
		if (!accept(p, joins[i], NULL)) {
			p->lexer.at = before;
			return 0;
		}
	}
	return lex_fail(&p->lexer, "JOIN is not allowed");
}

static int read_from(struct parser *p)
{
	if (expect(p, "FROM") < 0)
		return -1;
	do {
		struct from_item *item;

		if (refuse_sql(p) < 0 || !(item = ADD(p, from, from_count)))
			return -1;
		item->name = lex_next(&p->lexer, NULL);
		if (!item->name || read_alias(p, &item->alias) < 0)
			return -1;
	} while (accept(p, ",", NULL));
	return refuse_sql(p);
}

static int read_where(struct parser *p)
{
	if (!accept(p, "WHERE", NULL))
		return 0;
	do {
		struct condition *c = ADD(p, conditions, condition_count);
		char quote;

		if (!c || !(c->field = read_field(p)))
			return -1;
		if (!accept(p, "=", NULL))
			return lex_fail(&p->lexer, "The only operator allowed in WHERE clause is '='");
		c->value = lex_next(&p->lexer, &quote);
		if (!c->value)
			return -1;
		if (quote != '\'')
			return lex_fail(&p->lexer, "Expected text to start with a single quote character");
	} while (accept(p, "AND", NULL));
	return 0;
}

/* A number with its unit, or a time, up to white space or one of , ; ) */
static int read_literal(struct parser *p, struct literal *l, const char **written)
{
	const char *at, *why = NULL;
	size_t len;

	lex_more(&p->lexer);
	len = strcspn(p->lexer.at, " \t\r\n,;)");
	*written = at = arena_strndup(p->arena, p->lexer.at, len);
	if (!at)
		return jfrec_fail_memory(p->lexer.err);
	if (literal_read(&at, l, &why) <= 0 || *at)
		return lex_fail(&p->lexer, "'%.100s' is not a value: expected a number such as "
					   "10, 10ms, 1MB or 5%%, or a 'text'", *written);
	p->lexer.at += len;
	return 0;
}

/* every(10s) */
static int read_every(struct parser *p, const char **field)
{
	struct literal l = { 0 };

	if (p->to->every_ns)
		return lex_fail(&p->lexer, "every() can be used once in GROUP BY");
	if (read_literal(p, &l, &p->to->every) < 0)
		return -1;
	if (l.kind != LITERAL_SPAN || l.ns <= 0)
		return lex_fail(&p->lexer, "every() takes a duration, such as every(10s)");
	p->to->every_ns = l.ns;
	*field = "startTime";
	return expect(p, ")");
}

static int read_group_by(struct parser *p)
{
	if (!accept(p, "GROUP", NULL))
		return 0;
	if (expect(p, "BY") < 0)
		return -1;
	do {
		const char **field = ADD(p, group_by, group_count);

		if (!field)
			return -1;
		if (accept(p, "every", "(")) {
			if (read_every(p, field) < 0)
				return -1;
		} else if (!(*field = read_field(p))) {
			return -1;
		}
	} while (accept(p, ",", NULL));
	return 0;
}

static bool is_same_item(const struct select_item *a, const struct select_item *b)
{
	return a->aggregator == b->aggregator && a->measure == b->measure &&
	       a->percentile == b->percentile && strcmp(a->field, b->field) == 0;
}

/* The column of SELECT that HAVING means: by its alias, or as it is written there. */
static int read_having_item(struct parser *p, struct having *h)
{
	struct select_item item = { 0 };
	int got = read_function(p, &item);
	const char *begin;

	if (got < 0)
		return -1;
	lex_more(&p->lexer);
	begin = p->lexer.at;
	while (!got && is_field_char(*p->lexer.at))
		p->lexer.at++;
	if (!got)
		item.field = arena_strndup(p->arena, begin, (size_t)(p->lexer.at - begin));
	if (!item.field)
		return jfrec_fail_memory(p->lexer.err);
	for (h->item = 0; h->item < p->to->item_count; h->item++) {
		const struct select_item *s = &p->to->items[h->item];

		if (is_same_item(s, &item) ||
		    (!got && s->alias && strcmp(s->alias, item.field) == 0))
			return 0;
	}
	return lex_fail(&p->lexer, "HAVING names '%.100s', which SELECT does not have", item.field);
}

static int read_comparison(struct parser *p, struct having *h)
{
	/* Those of two characters come before those of one. */
	static const struct {
		const char *sign;
		enum comparison comparison;
	} signs[] = {
		{ "<=", LESS_OR_EQUAL }, { ">=", GREATER_OR_EQUAL }, { "!=", NOT_EQUAL },
		{ "<", LESS },		 { ">", GREATER },	     { "=", EQUAL },
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		if (accept(p, signs[i].sign, NULL)) {
			h->comparison = (uint8_t)signs[i].comparison;
			return 0;
		}
	}
	return lex_fail(&p->lexer, "Expected one of < <= = != >= > in HAVING");
}

static int read_having_value(struct parser *p, struct having *h)
{
	struct literal l = { 0 };

	if (lex_more(&p->lexer) && *p->lexer.at == '\'') {
		h->kind = HAVING_TEXT;
		h->text = lex_next(&p->lexer, NULL);
		if (h->text && h->comparison != EQUAL && h->comparison != NOT_EQUAL)
			return lex_fail(&p->lexer, "Texts can be compared by = and != only");
		return h->text ? 0 : -1;
	}
	if (read_literal(p, &l, &h->text) < 0)
		return -1;
	h->kind = l.kind == LITERAL_SPAN ? HAVING_SPAN : l.kind == LITERAL_TIME ? HAVING_TIME : 0;
	h->ns = l.ns;
	h->number = l.number.huge    ? (double)(uint64_t)l.number.i
		    : l.number.whole ? (double)l.number.i
				     : l.number.d;
	return 0;
}

static int read_having(struct parser *p)
{
	if (!accept(p, "HAVING", NULL))
		return 0;
	do {
		struct having *h = ADD(p, having, having_count);

		if (!h || read_having_item(p, h) < 0 || read_comparison(p, h) < 0 ||
		    read_having_value(p, h) < 0)
			return -1;
	} while (accept(p, "AND", NULL));
	return 0;
}

static int read_order_by(struct parser *p)
{
	if (!accept(p, "ORDER", NULL))
		return 0;
	if (expect(p, "BY") < 0)
		return -1;
	do {
		struct order_item *o = ADD(p, order_by, order_count);

		if (!o || !(o->field = read_field(p)))
			return -1;
		if (accept(p, "ASC", NULL))
			o->direction = ASCENDING;
		else if (accept(p, "DESC", NULL))
			o->direction = DESCENDING;
	} while (accept(p, ",", NULL));
	return 0;
}

static int read_limit(struct parser *p)
{
	const char *word;
	char *end;
	long n;

	if (!accept(p, "LIMIT", NULL))
		return 0;
	word = lex_next(&p->lexer, NULL);
	if (!word)
		return -1;
	errno = 0;
	n = strtol(word, &end, 10);
	if (errno || *end || end == word || n > INT32_MAX || n < INT32_MIN)
		return lex_fail(&p->lexer, "Expected an integer after LIMIT");
	if (n < 0)
		return lex_fail(&p->lexer, "Expected a positive integer after LIMIT");
	p->to->has_limit = true;
	p->to->limit = (uint64_t)n;
	return 0;
}

static int check(struct parser *p)
{
	const char *word;

	if (lex_more(&p->lexer)) {
		word = lex_next(&p->lexer, NULL);
		return word ? lex_fail(&p->lexer, "Unexpected token '%.100s' found", word) : -1;
	}
	if (p->to->column_count && p->to->item_count && p->to->column_count != p->to->item_count)
		return lex_fail(&p->lexer, "Number of fields in COLUMN clause doesn't match SELECT");
	return 0;
}

int parse_query(struct arena *a, const char *text, struct parsed *to, struct jfrec_error *err)
{
	struct parser p = { .lexer = { text, text, a, err, NULL }, .arena = a, .to = to };

	*to = (struct parsed){ 0 };
	if (accept(&p, "COLUMN", NULL) && read_columns(&p) < 0)
		return -1;
	if (accept(&p, "FORMAT", NULL) && read_formats(&p) < 0)
		return -1;
	if (read_select(&p) < 0 || read_from(&p) < 0 || read_where(&p) < 0 || read_group_by(&p) < 0 ||
	    read_having(&p) < 0 || read_order_by(&p) < 0 || read_limit(&p) < 0)
		return -1;
	return check(&p);
}
