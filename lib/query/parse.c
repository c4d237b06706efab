/* SPDX-License-Identifier: MIT */
/*
 * parse.c - the text of a query, taken apart
 */
#include "query/parser.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "query/list.h"

void *parser_add(struct parser *p, void *list, unsigned *count, size_t size)
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

#define ADD(p, list, count) PARSER_ADD(p, (p)->to, list, count)

bool parser_accept(struct parser *p, const char *first, const char *second)
{
	return lex_accept(&p->lexer, first, second);
}

static bool accept(struct parser *p, const char *first, const char *second)
{
	return parser_accept(p, first, second);
}

int parser_expect(struct parser *p, const char *word)
{
	return accept(p, word, NULL) ? 0 : lex_fail(&p->lexer, "Expected %s", word);
}

unsigned parser_at(struct parser *p)
{
	lex_more(&p->lexer);
	return (unsigned)(p->lexer.at - p->lexer.text);
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

/* Up to an operator, where one follows: the JDK knows none, and takes it for a part of the name. */
static const char *field_before_operator(struct parser *p)
{
	const char *begin;
	size_t len = 0;

	lex_more(&p->lexer);
	begin = p->lexer.at;
	while (is_field_char(begin[len]))
		len++;
	if (!len || !begin[len] || !strchr("+-*/<>!", begin[len]))
		return NULL;
	p->lexer.word = begin;
	p->lexer.at += len;
	return arena_strndup(p->arena, begin, len);
}

const char *parser_field(struct parser *p, bool *quoted)
{
	const char *field = field_before_operator(p);
	char quote = 0;

	if (!field)
		field = lex_next(&p->lexer, &quote);
	if (quoted)
		*quoted = quote;
	for (const char *s = field; s && *s; s++) {
		if (is_field_char(*s) || (quoted && quote))
			continue;
		lex_fail(&p->lexer, "Not a valid field name: %.100s", field);
		return NULL;
	}
	return field;
}

static const char *read_field(struct parser *p)
{
	return parser_field(p, NULL);
}

/* [AS name] */
static int read_alias(struct parser *p, const char **alias, bool *is_labelled)
{
	char quote;

	if (!accept(p, "AS", NULL))
		return 0;
	*alias = lex_next(&p->lexer, &quote);
	if (is_labelled)
		*is_labelled = quote;
	if (!*alias)
		return -1;
	if (!quote && strchr("=,;()", **alias))
		return lex_fail(&p->lexer, "Expected a name after AS");
	return 0;
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

/* The number after a name and a colon, at least `least`.  -1 with the error set. */
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

/* Put a property after the text of those before. */
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

static int read_item(struct parser *p)
{
	struct select_item *item = ADD(p, items, item_count);

	if (!item || parser_item(p, item) < 0)
		return -1;
	if (!item->arithmetic && !item->aggregator && strcasecmp(item->field, "FROM") == 0)
		return lex_fail(&p->lexer, "Missing field name in SELECT statement, or qualify field "
					   "with event type if name is called 'FROM'");
	return read_alias(p, &item->alias, &item->is_labelled);
}

static int read_select(struct parser *p)
{
	if (parser_expect(p, "SELECT") < 0)
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
	if (parser_expect(p, "FROM") < 0)
		return -1;
	do {
		struct from_item *item;

		if (refuse_sql(p) < 0 || !(item = ADD(p, from, from_count)))
			return -1;
		item->at = parser_at(p);
		item->name = lex_next(&p->lexer, NULL);
		if (!item->name || read_alias(p, &item->alias, NULL) < 0)
			return -1;
	} while (accept(p, ",", NULL));
	return refuse_sql(p);
}

/* The JDK's WHERE.  0, or -1 with the error set. */
static int read_conditions(struct parser *p)
{
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

/* Does what follows WHERE begin here?  An expression has no such words in a row. */
static bool is_next_clause(const char *s)
{
	static const struct {
		const char *first, *second;
	} clauses[] = { { "GROUP", "BY" }, { "HAVING", "" }, { "ORDER", "BY" }, { "LIMIT", "" } };

	for (size_t i = 0; i < sizeof(clauses) / sizeof(*clauses); i++) {
		size_t len = strlen(clauses[i].first), blanks;

		if (strncasecmp(s, clauses[i].first, len) != 0)
			continue;
		blanks = strspn(s + len, " \t\r\n");
		s += len + blanks;
		if (strncasecmp(s, clauses[i].second, strlen(clauses[i].second)) == 0)
			return blanks > 0;
		s -= len + blanks;
	}
	return false;
}

/* The end of the clause that begins there. */
static const char *clause_end(const char *s)
{
	char inside = 0, before = ' ';

	for (; *s; before = *s++) {
		if (inside) {
			if (*s == '\\' && s[1])
				s++;
			else if (*s == inside)
				inside = 0;
		} else if (*s == '\'' || *s == '"') {
			inside = *s;
		} else if (strchr(" \t\r\n)'\"", before) && is_next_clause(s)) {
			break;
		}
	}
	return s;
}

/*
 * WHERE in the words of jfrec-where(7): kept as it is, where it is, so that errors have its place.
 */
static int keep_where(struct parser *p, const char *from)
{
	const char *end = clause_end(from);
	size_t before = (size_t)(from - p->lexer.text), len = (size_t)(end - from);
	char *text = arena_alloc(p->arena, before + len + 1);

	if (!text)
		return jfrec_fail_memory(p->lexer.err);
	memset(text, ' ', before);
	memcpy(text + before, from, len);
	while (len && strchr(" \t\r\n", from[len - 1]))
		len--;
	text[before + len] = '\0';
	p->to->where = text;
	p->to->where_text = text + before;
	p->to->condition_count = 0;
	p->lexer.at = end;
	return 0;
}

/* Does the query go on as it may after a whole WHERE? */
static bool is_at_next_clause(struct parser *p)
{
	return !lex_more(&p->lexer) || accept(p, "GROUP", "BY") || accept(p, "HAVING", NULL) ||
	       accept(p, "ORDER", "BY") || accept(p, "LIMIT", NULL);
}

static int read_where(struct parser *p)
{
	struct jfrec_error *err = p->lexer.err, quiet = { 0 };
	const char *from, *after;
	int ret;

	if (!accept(p, "WHERE", NULL))
		return 0;
	lex_more(&p->lexer);
	from = p->lexer.at;
	p->lexer.err = &quiet;
	ret = read_conditions(p);
	p->lexer.err = err;
	if (ret < 0 && quiet.code == JFREC_ENOMEM)
		return jfrec_fail_memory(err);
	after = p->lexer.at;
	if (ret == 0 && is_at_next_clause(p)) {
		p->lexer.at = after;
		return 0;
	}
	return keep_where(p, from);
}

int parser_literal(struct parser *p, const char *ends, struct literal *l, const char **written)
{
	const char *at, *why = NULL;
	size_t len;

	lex_more(&p->lexer);
	len = strcspn(p->lexer.at, ends);
	p->lexer.word = p->lexer.at;
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
	if (parser_literal(p, " \t\r\n,;)", &l, &p->to->every) < 0)
		return -1;
	if (l.kind != LITERAL_SPAN || l.ns <= 0)
		return lex_fail(&p->lexer, "every() takes a duration, such as every(10s)");
	p->to->every_ns = l.ns;
	*field = "startTime";
	return parser_expect(p, ")");
}

static int read_group_by(struct parser *p)
{
	if (!accept(p, "GROUP", NULL))
		return 0;
	if (parser_expect(p, "BY") < 0)
		return -1;
	do {
		const char **field = ADD(p, group_by, group_count);
		unsigned *at = ADD(p, group_at, group_at_count);
		bool quoted;

		if (!field || !at)
			return -1;
		*at = parser_at(p);
		if (accept(p, "every", "(")) {
			if (read_every(p, field) < 0)
				return -1;
		} else if (!(*field = parser_field(p, &quoted))) {
			return -1;
		}
	} while (accept(p, ",", NULL));
	return 0;
}

/* The column of SELECT that HAVING means: by its alias, or as it is written there. */
static int read_having_item(struct parser *p, struct having *h)
{
	struct select_item item = { 0 };
	const char *begin;

	if (parser_item(p, &item) < 0)
		return -1;
	begin = p->lexer.text + item.at;
	for (h->item = 0; h->item < p->to->item_count; h->item++) {
		const struct select_item *s = &p->to->items[h->item];

		if (item_is_same(s, &item) || (!item.arithmetic && !item.aggregator && s->alias &&
					       strcmp(s->alias, item.field) == 0))
			return 0;
	}
	p->lexer.word = begin;
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
	if (parser_literal(p, " \t\r\n,;)", &l, &h->text) < 0)
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
	if (parser_expect(p, "BY") < 0)
		return -1;
	do {
		struct order_item *o = ADD(p, order_by, order_count);

		if (!o || parser_item(p, &o->item) < 0)
			return -1;
		if (accept(p, "ASC", NULL))
			o->direction = ASCENDING;
		else if (accept(p, "DESC", NULL))
			o->direction = DESCENDING;
	} while (accept(p, ",", NULL));
	return 0;
}

static int read_count(struct parser *p, uint64_t *limit)
{
	const char *word = lex_next(&p->lexer, NULL);
	char *end;
	long n;

	if (!word)
		return -1;
	errno = 0;
	n = strtol(word, &end, 10);
	if (errno || *end || end == word || n > INT32_MAX || n < INT32_MIN)
		return lex_fail(&p->lexer, "Expected an integer after LIMIT");
	if (n < 0)
		return lex_fail(&p->lexer, "Expected a positive integer after LIMIT");
	*limit = (uint64_t)n;
	return 0;
}

/* LIMIT n [PER field [LIMIT n]] */
static int read_limit(struct parser *p)
{
	struct select_item *per;

	if (!accept(p, "LIMIT", NULL))
		return 0;
	if (read_count(p, &p->to->limit) < 0)
		return -1;
	p->to->has_limit = true;
	if (!accept(p, "PER", NULL))
		return 0;
	per = arena_zalloc(p->arena, 1, sizeof(*per));
	if (!per)
		return jfrec_fail_memory(p->lexer.err);
	if (parser_item(p, per) < 0)
		return -1;
	p->to->per = per;
	p->to->per_limit = p->to->limit;
	p->to->has_limit = accept(p, "LIMIT", NULL);
	return p->to->has_limit ? read_count(p, &p->to->limit) : 0;
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
	struct jfrec_error unasked;

	if (!err)
		p.lexer.err = &unasked;
	*to = (struct parsed){ 0 };
	if (accept(&p, "COLUMN", NULL) && read_columns(&p) < 0)
		return -1;
	if (accept(&p, "FORMAT", NULL) && read_formats(&p) < 0)
		return -1;
	if (read_select(&p) < 0 || read_from(&p) < 0 || read_where(&p) < 0 ||
	    read_group_by(&p) < 0 || read_having(&p) < 0 || read_order_by(&p) < 0 ||
	    read_limit(&p) < 0)
		return -1;
	return check(&p);
}
