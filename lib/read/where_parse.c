/* SPDX-License-Identifier: MIT */
/*
 * where_parse.c - parse the text of an expression into a tree
 */
#include "read/where_parse.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum token {
	TOKEN_END,
	TOKEN_WORD,
	TOKEN_VALUE,
	TOKEN_RELATION,
	TOKEN_AND,
	TOKEN_OR,
	TOKEN_NOT,
	TOKEN_OPEN,
	TOKEN_CLOSE,
	TOKEN_OTHER,
};

struct parser {
	struct arena *arena;
	const char *text;
	struct compare **comparisons;
	struct jfrec_error *err;
	unsigned depth;
	bool failed;
	/* The token at hand, from .at up to .next. */
	enum token token;
	const char *at, *next;
	const char *word; /* of TOKEN_WORD; ends in NUL */
	struct literal value;
	enum relation relation;
	bool negated;
};

/* Failures ------------------------------------------------------------------------------------- */

/* Columns count characters, from 1 on. */
static unsigned column_of(const char *text, size_t at)
{
	unsigned column = 1;

	for (size_t i = 0; i < at; i++)
		column += ((unsigned char)text[i] & 0xc0) != 0x80;
	return column;
}

int where_fail(struct jfrec_error *err, const char *expression, size_t at, const char *format, ...)
{
	char what[sizeof(err->text)];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	return jfrec_fail(err, JFREC_EEXPRESSION, at, "column %u: %.350s",
			  column_of(expression, at), what);
}

static void fail(struct parser *p, const char *at, const char *what)
{
	if (!p->failed)
		where_fail(p->err, p->text, (size_t)(at - p->text), "%s", what);
	p->failed = true;
}

/* "expected a value, not `)`". */
static void fail_here(struct parser *p, const char *expected)
{
	size_t len = (size_t)(p->next - p->at);

	if (p->failed)
		return;
	if (p->token == TOKEN_END)
		where_fail(p->err, p->text, (size_t)(p->at - p->text),
			   "the expression ends where %s is expected", expected);
	else
		where_fail(p->err, p->text, (size_t)(p->at - p->text), "%s is expected, not %.*s%s",
			   expected, len > 40 ? 40 : (int)len, p->at, len > 40 ? "..." : "");
	p->failed = true;
}

static void *made(struct parser *p, void *object)
{
	if (!object && !p->failed) {
		jfrec_fail_memory(p->err);
		p->failed = true;
	}
	return object;
}

/* Tokens --------------------------------------------------------------------------------------- */

static bool is_name_start(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static size_t name_len(const char *s)
{
	size_t len = 0;

	while (is_name_start(s[len]) || (len && isdigit((unsigned char)s[len])))
		len++;
	return len;
}

/* Words of the language are lower or upper case. */
static bool is_keyword(const char *word, const char *lower, const char *upper)
{
	return strcmp(word, lower) == 0 || strcmp(word, upper) == 0;
}

static void set_bool(struct parser *p, bool value)
{
	p->token = TOKEN_VALUE;
	p->value = (struct literal){
		.kind = LITERAL_BOOL,
		.number = { .whole = true, .i = value, .d = value },
	};
}

static void take_word(struct parser *p)
{
	size_t len = name_len(p->at);
	const char *word = made(p, arena_strndup(p->arena, p->at, len));

	p->next = p->at + len;
	p->word = word ? word : "";
	p->token = TOKEN_WORD;
	if (is_keyword(p->word, "and", "AND"))
		p->token = TOKEN_AND;
	else if (is_keyword(p->word, "or", "OR"))
		p->token = TOKEN_OR;
	else if (is_keyword(p->word, "not", "NOT"))
		p->token = TOKEN_NOT;
	else if (is_keyword(p->word, "true", "TRUE"))
		set_bool(p, true);
	else if (is_keyword(p->word, "false", "FALSE"))
		set_bool(p, false);
	else if (is_keyword(p->word, "null", "NULL")) {
		p->token = TOKEN_VALUE;
		p->value = (struct literal){ .kind = LITERAL_NULL };
	}
}

/* Text in quotes; a quote in it is written twice. */
static void take_text(struct parser *p)
{
	char quote = *p->at, *copy = made(p, arena_alloc(p->arena, strlen(p->at)));
	const char *s = p->at + 1;
	size_t len = 0;

	for (; copy && *s && (*s != quote || s[1] == quote); s++) {
		s += *s == quote;
		copy[len++] = *s;
	}
	if (!copy)
		return;
	p->next = *s ? s + 1 : s;
	if (!*s)
		fail(p, p->at, "this quote is never closed");
	copy[len] = '\0';
	p->token = TOKEN_VALUE;
	p->value = (struct literal){ .kind = LITERAL_TEXT, .text = copy, .len = len };
}

static bool take_symbol(struct parser *p)
{
	static const struct {
		const char *text;
		enum token token;
		enum relation relation;
		bool negated;
	} symbols[] = {
		/* The longer ones first. */
		{ "==", TOKEN_RELATION, RELATION_EQUAL, false },
		{ "=~", TOKEN_RELATION, RELATION_MATCH, false },
		{ "!=", TOKEN_RELATION, RELATION_EQUAL, true },
		{ "!~", TOKEN_RELATION, RELATION_MATCH, true },
		{ "<>", TOKEN_RELATION, RELATION_EQUAL, true },
		{ "<=", TOKEN_RELATION, RELATION_LESS_EQUAL, false },
		{ ">=", TOKEN_RELATION, RELATION_GREATER_EQUAL, false },
		{ "=", TOKEN_RELATION, RELATION_EQUAL, false },
		{ "<", TOKEN_RELATION, RELATION_LESS, false },
		{ ">", TOKEN_RELATION, RELATION_GREATER, false },
		{ "&&", TOKEN_AND, 0, false },
		{ "||", TOKEN_OR, 0, false },
		{ "!", TOKEN_NOT, 0, false },
		{ "(", TOKEN_OPEN, 0, false },
		{ ")", TOKEN_CLOSE, 0, false },
	};

	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
		size_t len = strlen(symbols[i].text);

		if (strncmp(p->at, symbols[i].text, len) != 0)
			continue;
		p->next = p->at + len;
		p->token = symbols[i].token;
		p->relation = symbols[i].relation;
		p->negated = symbols[i].negated;
		return true;
	}
	return false;
}

static void take_number(struct parser *p)
{
	const char *why = NULL;
	int got = literal_read(&p->next, &p->value, &why);

	if (got > 0)
		p->token = TOKEN_VALUE;
	else if (got < 0)
		fail(p, p->at, why);
}

/* Step to the next token. */
static void step(struct parser *p)
{
	p->at = p->next + strspn(p->next, " \t\r\n");
	p->next = p->at;
	p->token = TOKEN_END;
	if (!*p->at || p->failed)
		return;
	p->token = TOKEN_OTHER;
	if (*p->at == '\'' || *p->at == '"') {
		take_text(p);
	} else if (is_name_start(*p->at)) {
		take_word(p);
	} else if (!take_symbol(p)) {
		take_number(p);
		if (p->token == TOKEN_OTHER)
			p->next = p->at + 1;
	}
}

/* Paths ---------------------------------------------------------------------------------------- */

/* "[7]" after a name. */
static void take_index(struct parser *p, struct segment *s)
{
	const char *at = p->next;

	if (*at != '[')
		return;
	at++;
	s->has_index = true;
	for (; isdigit((unsigned char)*at); at++) {
		if (s->index < UINT32_MAX)
			s->index = s->index * 10 + (uint64_t)(*at - '0');
	}
	if (*at != ']' || at == p->next + 1) {
		fail(p, at, "the number of an element is expected, such as frames[0]");
		return;
	}
	p->next = at + 1;
}

/* The words after the first one are names, whatever they are. */
static void take_segments(struct parser *p, struct compare *cmp)
{
	for (;;) {
		struct segment *s = &cmp->segments[cmp->segment_count++];
		const char *name = p->next;
		size_t len;

		*s = (struct segment){ .name = p->word, .at = (size_t)(p->at - p->text) };
		take_index(p, s);
		name = p->next;
		if (*name != '.' || p->failed)
			return;
		name++;
		len = name_len(name);
		if (!len) {
			fail(p, name, "the name of a field is expected");
			return;
		}
		if (cmp->segment_count == MAX_SEGMENTS) {
			fail(p, name, "the path has too many parts");
			return;
		}
		p->at = name;
		p->next = name + len;
		p->word = made(p, arena_strndup(p->arena, name, len));
		if (!p->word)
			return;
	}
}

static bool is_subject(const struct compare *cmp, const char *name)
{
	return !cmp->own_field && strcmp(cmp->segments[0].name, name) == 0;
}

/* What is not a field, but of the event's type. */
static void find_subject(struct parser *p, struct compare *cmp)
{
	if (cmp->segment_count > 1 && is_subject(cmp, "values") && !cmp->segments[0].has_index) {
		cmp->own_field = true;
		cmp->segment_count--;
		memmove(cmp->segments, cmp->segments + 1,
			cmp->segment_count * sizeof(*cmp->segments));
		return;
	}
	if (is_subject(cmp, "event"))
		cmp->subject = SUBJECT_EVENT;
	else if (is_subject(cmp, "category"))
		cmp->subject = SUBJECT_CATEGORY;
	if (cmp->subject != SUBJECT_FIELD && (cmp->segment_count > 1 || cmp->segments[0].has_index))
		fail(p, p->text + cmp->segments[0].at,
		     "event and category have no fields; a field of that name is values.event");
}

static void take_path(struct parser *p, struct compare *cmp)
{
	if (p->token != TOKEN_WORD) {
		fail_here(p, "the name of a field");
		return;
	}
	take_segments(p, cmp);
	if (!p->failed)
		find_subject(p, cmp);
	step(p);
}

/* Comparisons ---------------------------------------------------------------------------------- */

/* Does the value go with the relation?  Whether the field does is asked per type. */
static void check_value(struct parser *p, struct compare *cmp, const char *at)
{
	if (cmp->value.kind == LITERAL_NULL) {
		if (cmp->relation != RELATION_EQUAL)
			fail(p, at, "null can only be compared by = and !=");
		cmp->relation = RELATION_EXISTS;
		cmp->negated = !cmp->negated;
	} else if (cmp->relation == RELATION_MATCH && cmp->value.kind != LITERAL_TEXT) {
		fail(p, at, "=~ and !~ require a pattern in quotes");
	} else if (cmp->subject != SUBJECT_FIELD && cmp->value.kind != LITERAL_TEXT) {
		fail(p, at, "a name in quotes is expected");
	} else if (cmp->subject != SUBJECT_FIELD && cmp->relation != RELATION_EQUAL &&
		   cmp->relation != RELATION_MATCH) {
		fail(p, at, "names of events and categories are compared by =, !=, =~ and !~");
	}
}

static void take_relation(struct parser *p, struct compare *cmp)
{
	cmp->relation = p->relation;
	cmp->negated = p->negated;
	step(p);
}

static void take_value(struct parser *p, struct compare *cmp)
{
	const char *at = p->at;

	if (p->token != TOKEN_VALUE) {
		fail_here(p,
			  p->token == TOKEN_WORD ? "a value (text must be in quotes)" : "a value");
		return;
	}
	cmp->value = p->value;
	cmp->value_at = (size_t)(at - p->text);
	step(p);
}

/* "is null", "is not null". */
static bool take_null_test(struct parser *p, struct compare *cmp)
{
	if (p->token != TOKEN_WORD || !is_keyword(p->word, "is", "IS"))
		return false;
	step(p);
	cmp->relation = RELATION_EXISTS;
	cmp->negated = p->token != TOKEN_NOT;
	if (!cmp->negated)
		step(p);
	if (p->token != TOKEN_VALUE || p->value.kind != LITERAL_NULL)
		fail_here(p, "null or not null");
	step(p);
	return true;
}

/* 10 < x is x > 10. */
static void turn_around(struct parser *p, struct compare *cmp, const char *at)
{
	static const enum relation turned[] = {
		[RELATION_EQUAL] = RELATION_EQUAL,
		[RELATION_LESS] = RELATION_GREATER,
		[RELATION_LESS_EQUAL] = RELATION_GREATER_EQUAL,
		[RELATION_GREATER] = RELATION_LESS,
		[RELATION_GREATER_EQUAL] = RELATION_LESS_EQUAL,
	};

	if (cmp->relation == RELATION_MATCH)
		fail(p, at, "write the field before =~ and the pattern after it");
	else
		cmp->relation = turned[cmp->relation];
}

static void take_comparison(struct parser *p, struct compare *cmp)
{
	const char *start = p->at;

	if (p->token == TOKEN_VALUE) {
		take_value(p, cmp);
		if (p->token != TOKEN_RELATION) {
			fail_here(p, "a comparison such as =");
			return;
		}
		take_relation(p, cmp);
		turn_around(p, cmp, start);
		take_path(p, cmp);
		if (!p->failed)
			check_value(p, cmp, start);
		return;
	}
	take_path(p, cmp);
	if (p->token == TOKEN_RELATION) {
		take_relation(p, cmp);
		start = p->at;
		take_value(p, cmp);
		if (!p->failed)
			check_value(p, cmp, start);
	} else if (!take_null_test(p, cmp)) {
		cmp->relation = RELATION_TRUE;
		if (!p->failed && cmp->subject != SUBJECT_FIELD)
			fail_here(p, "a comparison such as = \"jdk.CPULoad\"");
	}
}

static struct node *take_comparison_node(struct parser *p)
{
	struct compare *cmp = made(p, arena_zalloc(p->arena, 1, sizeof(*cmp)));
	struct node *n = made(p, node_new(p->arena, NODE_COMPARISON, NULL));

	if (!cmp || !n)
		return NULL;
	cmp->expression = p->text;
	cmp->at = (size_t)(p->at - p->text);
	take_comparison(p, cmp);
	cmp->next = *p->comparisons;
	*p->comparisons = cmp;
	n->comparison = cmp;
	return n;
}

/* and, or, not --------------------------------------------------------------------------------- */

struct node *node_new(struct arena *a, enum node_kind kind, struct node *last)
{
	struct node *n = arena_zalloc(a, 1, sizeof(*n));

	if (n) {
		n->kind = kind;
		n->last = last;
	}
	return n;
}

static struct node *take_or(struct parser *p);

static struct node *take_parentheses(struct parser *p)
{
	const char *open = p->at;
	struct node *n;

	step(p);
	n = take_or(p);
	if (p->token == TOKEN_END)
		fail(p, open, "this parenthesis is never closed");
	else if (p->token != TOKEN_CLOSE)
		fail_here(p, "an operator such as = or and, or )");
	step(p);
	return n;
}

/* true or false by itself: all of nothing, or one of nothing. */
static struct node *take_constant(struct parser *p)
{
	struct parser ahead = *p;
	struct node *n;

	if (p->token != TOKEN_VALUE || p->value.kind != LITERAL_BOOL)
		return NULL;
	step(&ahead);
	if (ahead.token == TOKEN_RELATION)
		return NULL;
	n = made(p, node_new(p->arena, p->value.number.i ? NODE_AND : NODE_OR, NULL));
	step(p);
	return n;
}

static struct node *take_not(struct parser *p)
{
	struct node *n = take_constant(p);

	if (n)
		return n;
	if (p->token != TOKEN_NOT && p->token != TOKEN_OPEN)
		return take_comparison_node(p);
	if (p->depth == MAX_PARENTHESES) {
		fail(p, p->at, "parentheses and not are nested too deeply");
		return NULL;
	}
	p->depth++;
	if (p->token == TOKEN_OPEN) {
		n = take_parentheses(p);
	} else {
		step(p);
		n = take_not(p);
		n = made(p, node_new(p->arena, NODE_NOT, n));
	}
	p->depth--;
	return n;
}

/* Operands parted by `token`. */
static struct node *take_list(struct parser *p, enum node_kind kind, enum token token,
			      struct node *(*take)(struct parser *p))
{
	struct node *last = take(p), *list;

	if (p->token != token || p->failed)
		return last;
	list = made(p, node_new(p->arena, kind, last));
	while (p->token == token && !p->failed) {
		step(p);
		last = take(p);
		if (!last)
			break;
		last->before = list->last;
		list->last = last;
	}
	return list;
}

static struct node *take_and(struct parser *p)
{
	return take_list(p, NODE_AND, TOKEN_AND, take_not);
}

static struct node *take_or(struct parser *p)
{
	return take_list(p, NODE_OR, TOKEN_OR, take_and);
}

struct node *where_parse(struct arena *a, const char *text, struct compare **comparisons,
			 struct jfrec_error *err)
{
	struct parser p = { .arena = a, .comparisons = comparisons, .err = err };
	struct node *n;

	if (strlen(text) > MAX_EXPRESSION) {
		where_fail(err, text, 0, "an expression may have at most %d bytes", MAX_EXPRESSION);
		return NULL;
	}
	p.text = p.next = made(&p, arena_strndup(a, text, strlen(text)));
	if (p.failed)
		return NULL;
	step(&p);
	n = take_or(&p);
	if (p.token != TOKEN_END)
		fail_here(&p, p.token == TOKEN_CLOSE ? "the end" : "an operator such as = or and,");
	return p.failed ? NULL : n;
}
