/* SPDX-License-Identifier: MIT */
/*
 * views.c - queries with names, from files such as settings/views/jdk.views
 *
 *	# comment
 *	[name]
 *	label = ...
 *	category = ...
 *	table = ...		or: form = ...
 *		continued, after white space
 */
#include "query/views.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "dictionary/embedded.h"
#include "query/list.h"
#include "query/parse.h"

struct line {
	const char *text;
	size_t len;
};

struct views_parser {
	struct jfrec_views *to;
	const char *text, *at;
	const char **open; /* the value that lines with white space go on */
	const char *query;  /* where that of the last view begins */
	struct line begun;	   /* the name of the last view */
	unsigned first;		   /* view of this text */
	bool is_own; /* of this program: a test has seen that its queries are good */
	struct jfrec_error *err;
};

static struct line next_line(struct views_parser *p)
{
	struct line l = { p->at, strcspn(p->at, "\n") };

	p->at += l.len + (p->at[l.len] == '\n');
	while (l.len && strchr(" \t\r", l.text[l.len - 1]))
		l.len--;
	return l;
}

static int fail(struct views_parser *p, const struct line *l, const char *why)
{
	return jfrec_fail(p->err, JFREC_EEXPRESSION, (uint64_t)(l->text - p->text), "%s",
			  why);
}

static char *copy(struct views_parser *p, const char *s, size_t len)
{
	char *text = arena_strndup(&p->to->arena, s, len);

	if (!text)
		jfrec_fail_memory(p->err);
	return text;
}

/* Of a shell and a terminal, none means anything. */
static bool has_good_name(const struct line *l)
{
	for (size_t i = 1; i < l->len - 1; i++) {
		if (!isalnum((unsigned char)l->text[i]) && !strchr("-_.", l->text[i]))
			return false;
	}
	return true;
}

/* By a view, or by what `jfrec view` takes instead of one. */
static bool is_taken(const struct jfrec_views *v, const char *name)
{
	static const char *const others[] = { "views", "types", "all-views", "all-events" };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (strcasecmp(others[i], name) == 0)
			return true;
	}
	return jfrec_views_find(v, name) != NULL;
}

/*
 * Where that byte of the last view's query stands in the text, whose lines were joined without
 * the white space at their ends, and without comments between them.
 */
static const char *place_of(const struct views_parser *p, uint64_t offset)
{
	const struct jfrec_view *v = &p->to->items[p->to->count - 1];
	const char *at = p->query;

	for (uint64_t i = 0; i < offset && v->query[i]; i++) {
		if (v->query[i] != '\n') {
			at++;
			continue;
		}
		do {
			at += strcspn(at, "\n");
			at += *at == '\n';
		} while (*at && !strchr(" \t", *at));
	}
	return at;
}

/* Is there all that the last view needs, and can its query be one? */
static int end_view(struct views_parser *p)
{
	struct jfrec_view *v = p->to->count > p->first ? &p->to->items[p->to->count - 1] : NULL;
	struct arena scratch = { 0 };
	struct jfrec_error why;
	struct parsed parsed;
	int ret = 0;

	if (!v)
		return 0;
	if (!v->label || !v->query)
		return fail(p, &p->begun, v->label ? "this view has neither table nor form" : "this view has no label");
	if (!p->is_own && parse_query(&scratch, v->query, &parsed, &why) < 0) {
		struct line l = { p->text, 0 };

		if (why.code == JFREC_EEXPRESSION)
			l.text = place_of(p, why.offset);
		ret = why.code == JFREC_EEXPRESSION ? fail(p, &l, why.text)
						    : jfrec_fail_memory(p->err);
	}
	arena_fini(&scratch);
	return ret;
}

static int begin_view(struct views_parser *p, const struct line *l)
{
	struct jfrec_views *v = p->to;
	struct jfrec_view *items;
	char *name;

	if (l->len < 3 || l->text[l->len - 1] != ']')
		return fail(p, l, "a view begins with its name in brackets: [name]");
	if (!has_good_name(l))
		return fail(p, l, "a name is of letters, digits, '-', '_' and '.'");
	if (end_view(p) < 0)
		return -1;
	name = copy(p, l->text + 1, l->len - 2);
	items = list_more(&v->arena, v->items, v->count, sizeof(*items));
	if (!name || !items)
		return jfrec_fail_memory(p->err);
	v->items = items;
	if (is_taken(v, name))
		return fail(p, l, "there is a view of this name already");
	items[v->count++] = (struct jfrec_view){ .name = name, .category = "" };
	p->begun = *l;
	p->query = NULL;
	return 0;
}

/* Lines of a value are joined by line ends, which queries take as white space. */
static int go_on(struct views_parser *p, const struct line *l)
{
	size_t before = strlen(*p->open);
	char *text = arena_alloc(&p->to->arena, before + l->len + 2);

	if (!text)
		return jfrec_fail_memory(p->err);
	memcpy(text, *p->open, before);
	text[before] = '\n';
	memcpy(text + before + 1, l->text, l->len);
	text[before + 1 + l->len] = '\0';
	*p->open = text;
	return 0;
}

static int set(struct views_parser *p, const struct line *l)
{
	const char *equals = memchr(l->text, '=', l->len), *value;
	struct jfrec_view *v = p->to->count ? &p->to->items[p->to->count - 1] : NULL;
	size_t key;

	if (!v || !equals)
		return fail(p, l, v ? "expected KEY = VALUE" : "expected a view's name: [name]");
	key = (size_t)(equals - l->text);
	while (key && strchr(" \t", l->text[key - 1]))
		key--;
	for (value = equals + 1; value < l->text + l->len && strchr(" \t", *value);)
		value++;
	if (key == 5 && memcmp(l->text, "label", 5) == 0)
		p->open = &v->label;
	else if (key == 8 && memcmp(l->text, "category", 8) == 0)
		p->open = &v->category;
	else if ((key == 5 && memcmp(l->text, "table", 5) == 0) ||
		 (key == 4 && memcmp(l->text, "form", 4) == 0))
		p->open = &v->query;
	else
		return fail(p, l, "a view has label, category, and table or form");
	if (p->open == &v->query)
		p->query = value;
	v->is_form |= key == 4;
	*p->open = copy(p, value, (size_t)(l->text + l->len - value));
	return *p->open ? 0 : -1;
}

static int take_line(struct views_parser *p, const struct line *l)
{
	if (l->len == 0 || l->text[0] == '#')
		return 0;
	if (strchr(" \t", l->text[0]))
		return p->open ? go_on(p, l) : fail(p, l, "this line continues, but nothing follows");
	p->open = NULL;
	return l->text[0] == '[' ? begin_view(p, l) : set(p, l);
}

static int parse_into(struct jfrec_views *v, const char *text, bool is_own,
		      struct jfrec_error *err)
{
	struct views_parser p = {
		.to = v, .text = text, .at = text, .err = err, .first = v->count, .is_own = is_own
	};

	while (*p.at) {
		struct line l = next_line(&p);

		if (take_line(&p, &l) < 0)
			return -1;
	}
	return end_view(&p);
}

/* Those of the first text, and then those of the second. */
static struct jfrec_views *parse_texts(const char *first, const char *second, bool is_own,
				       struct jfrec_error *err)
{
	struct jfrec_views *v = calloc(1, sizeof(*v));

	if (!v) {
		jfrec_fail_memory(err);
		return NULL;
	}
	if (parse_into(v, first, is_own, err) == 0 && parse_into(v, second, is_own, err) == 0)
		return v;
	jfrec_views_free(v);
	return NULL;
}

struct jfrec_views *jfrec_views_parse(const char *text, struct jfrec_error *err)
{
	return parse_texts(text, "", false, err);
}

struct jfrec_views *jfrec_views_jdk(struct jfrec_error *err)
{
	return parse_texts(embedded_text(embedded_views, "jdk"), "", true, err);
}

struct jfrec_views *jfrec_views_all(struct jfrec_error *err)
{
	return parse_texts(embedded_text(embedded_views, "jdk"),
			   embedded_text(embedded_views, "jfrec"), true, err);
}

int jfrec_views_add(struct jfrec_views *v, const char *text, struct jfrec_error *err)
{
	unsigned before = v->count;

	if (parse_into(v, text, false, err) < 0) {
		v->count = before;
		return -1;
	}
	for (unsigned i = before; i < v->count; i++)
		v->items[i].category = "own";
	return 0;
}

void jfrec_views_free(struct jfrec_views *v)
{
	if (!v)
		return;
	arena_fini(&v->arena);
	free(v);
}

size_t jfrec_views_count(const struct jfrec_views *v)
{
	return v->count;
}

const struct jfrec_view *jfrec_views_get(const struct jfrec_views *v, size_t i)
{
	return i < v->count ? &v->items[i] : NULL;
}

const struct jfrec_view *jfrec_views_find(const struct jfrec_views *v, const char *name)
{
	for (unsigned i = 0; i < v->count; i++) {
		if (strcasecmp(v->items[i].name, name) == 0)
			return &v->items[i];
	}
	return NULL;
}
