/* SPDX-License-Identifier: MIT */
/*
 * views.c - queries with names, from files such as settings/views/jdk.views
 *
 *	# comment
 *	[name]
 *	label = ...
 *	category = ...
 *	table = ...		or: form = ...
 *		and on, behind white space
 */
#include "query/views.h"

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

static unsigned line_number(const struct views_parser *p, const char *at)
{
	unsigned n = 1;

	for (const char *s = p->text; s < at; s++)
		n += *s == '\n';
	return n;
}

static int fail(struct views_parser *p, const struct line *l, const char *why)
{
	return jfrec_fail(p->err, JFREC_EEXPRESSION, (uint64_t)(l->text - p->text), "line %u: %s",
			  line_number(p, l->text), why);
}

static char *copy(struct views_parser *p, const char *s, size_t len)
{
	char *text = arena_strndup(&p->to->arena, s, len);

	if (!text)
		jfrec_fail_memory(p->err);
	return text;
}

static int begin_view(struct views_parser *p, const struct line *l)
{
	struct jfrec_views *v = p->to;
	struct jfrec_view *items;
	char *name;

	if (l->len < 3 || l->text[l->len - 1] != ']')
		return fail(p, l, "a view begins with its name in brackets: [name]");
	name = copy(p, l->text + 1, l->len - 2);
	items = list_more(&v->arena, v->items, v->count, sizeof(*items));
	if (!name || !items)
		return jfrec_fail_memory(p->err);
	v->items = items;
	items[v->count++] = (struct jfrec_view){ .name = name, .category = "" };
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

/* Can the query of each be one? */
static int check(const struct jfrec_views *v, struct jfrec_error *err)
{
	struct arena scratch = { 0 };
	struct jfrec_error why;
	struct parsed parsed;
	int ret = 0;

	for (unsigned i = 0; i < v->count && ret == 0; i++) {
		if (!v->items[i].label || !v->items[i].query)
			ret = jfrec_fail(err, JFREC_EEXPRESSION, 0, "view %.100s has no %s",
					 v->items[i].name, v->items[i].label ? "query" : "label");
		else if (parse_query(&scratch, v->items[i].query, &parsed, &why) < 0)
			ret = jfrec_fail(err, JFREC_EEXPRESSION, 0, "view %.100s: %s",
					 v->items[i].name, why.text);
		arena_clear(&scratch);
	}
	arena_fini(&scratch);
	return ret;
}

static int parse_into(struct jfrec_views *v, const char *text, struct jfrec_error *err)
{
	struct views_parser p = { .to = v, .text = text, .at = text, .err = err };

	while (*p.at) {
		struct line l = next_line(&p);

		if (take_line(&p, &l) < 0)
			return -1;
	}
	return 0;
}

/* Those of the first text, and then those of the second. */
static struct jfrec_views *parse_texts(const char *first, const char *second,
				       struct jfrec_error *err)
{
	struct jfrec_views *v = calloc(1, sizeof(*v));

	if (!v) {
		jfrec_fail_memory(err);
		return NULL;
	}
	if (parse_into(v, first, err) == 0 && parse_into(v, second, err) == 0 && check(v, err) == 0)
		return v;
	jfrec_views_free(v);
	return NULL;
}

struct jfrec_views *jfrec_views_parse(const char *text, struct jfrec_error *err)
{
	return parse_texts(text, "", err);
}

struct jfrec_views *jfrec_views_jdk(struct jfrec_error *err)
{
	return jfrec_views_parse(embedded_text(embedded_views, "jdk"), err);
}

struct jfrec_views *jfrec_views_all(struct jfrec_error *err)
{
	return parse_texts(embedded_text(embedded_views, "jdk"),
			   embedded_text(embedded_views, "jfrec"), err);
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
