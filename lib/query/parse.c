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
		if (a != AGGREGATE_COUNT)
			return lex_fail(&p->lexer, "Wildcard ('*') can only be used with "
						   "aggregator function COUNT");
		item->field = "*";
	} else {
		item->field = read_field(p);
	}
	return item->field ? expect(p, ")") : -1;
}

static int read_item(struct parser *p)
{
	struct select_item *item = ADD(p, items, item_count);

	if (!item)
		return -1;
	for (int i = 1; i < AGGREGATOR_COUNT; i++) {
		if (!accept(p, aggregator_names[i].name, "("))
			continue;
		return read_aggregate(p, item, (enum aggregator)i) < 0 ? -1 : read_alias(p, &item->alias);
	}
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

static int read_group_by(struct parser *p)
{
	if (accept(p, "HAVING", NULL))
		return lex_fail(&p->lexer, "HAVING is not allowed");
	if (!accept(p, "GROUP", NULL))
		return 0;
	if (expect(p, "BY") < 0)
		return -1;
	do {
		const char **field = ADD(p, group_by, group_count);

		if (!field || !(*field = read_field(p)))
			return -1;
	} while (accept(p, ",", NULL));
	return accept(p, "HAVING", NULL) ? lex_fail(&p->lexer, "HAVING is not allowed") : 0;
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
	    read_order_by(&p) < 0 || read_limit(&p) < 0)
		return -1;
	return check(&p);
}
