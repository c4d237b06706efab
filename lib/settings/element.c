/* SPDX-License-Identifier: MIT */
/*
 * element.c - the element tree that holds settings
 */
#include "settings/element.h"

#include <string.h>

#include "base/error.h"
#include "base/utf8.h"
#include "settings/grammar.h"

struct element *element_add(struct arena *a, struct element *parent, const char *name)
{
	struct element *e = arena_zalloc(a, 1, sizeof(*e));

	if (!e)
		return NULL;
	e->kind = grammar_kind(name);
	e->stray = !grammar_takes(parent, e->kind);
	e->name = e->kind == ELEMENT_OTHER ? arena_strndup(a, name, strlen(name))
					   : grammar_name(e->kind);
	if (!e->name)
		return NULL;
	e->text = "";
	e->parent = parent;
	if (!parent)
		return e;
	if (parent->last)
		parent->last->next = e;
	else
		parent->first = e;
	parent->last = e;
	return e;
}

int element_set(struct arena *a, struct element *e, const char *name, const char *value)
{
	struct attribute **at = &e->attributes, *new;
	const char *copy = arena_strndup(a, value, strlen(value));

	if (!copy)
		return -1;
	while (*at && strcmp((*at)->name, name) != 0)
		at = &(*at)->next;
	if (*at) {
		(*at)->value = copy;
		return 0;
	}
	new = arena_zalloc(a, 1, sizeof(*new));
	if (!new || !(new->name = arena_strndup(a, name, strlen(name))))
		return -1;
	new->value = copy;
	*at = new;
	return 0;
}

/* For Java that is every character up to the space. */
static bool is_white(char c)
{
	return (unsigned char)c <= ' ';
}

int element_set_text(struct arena *a, struct element *e, const char *text, size_t len)
{
	char *copy;

	while (len && is_white(text[len - 1]))
		len--;
	while (len && is_white(*text)) {
		text++;
		len--;
	}
	copy = arena_strndup(a, text, len);
	if (!copy)
		return -1;
	e->text = copy;
	return 0;
}

const char *element_get(const struct element *e, const char *name)
{
	for (const struct attribute *a = e->attributes; a; a = a->next) {
		if (strcmp(a->name, name) == 0)
			return a->value;
	}
	return NULL;
}

bool element_is_named(const struct element *e, const char *name)
{
	const char *own = element_get(e, "name");

	return own && strcmp(own, name) == 0;
}

struct element *element_behind(const struct element *root, const struct element *e)
{
	while (e != root && !e->next)
		e = e->parent;
	return e == root ? NULL : e->next;
}

struct element *element_next(const struct element *root, const struct element *e)
{
	return e->first ? e->first : element_behind(root, e);
}

/* One element without what is below it. */
static struct element *copy_one(struct arena *a, struct element *parent, const struct element *e)
{
	struct element *copy = element_add(a, parent, e->name);

	if (!copy || element_set_text(a, copy, e->text, strlen(e->text)) < 0)
		return NULL;
	for (const struct attribute *at = e->attributes; at; at = at->next) {
		if (element_set(a, copy, at->name, at->value) < 0)
			return NULL;
	}
	copy->stray = e->stray;
	copy->line = e->line;
	copy->column = e->column;
	return copy;
}

/* The depth of what was read is limited. */
int element_copy(struct arena *a, struct element *parent, const struct element *e)
{
	struct element *copy = copy_one(a, parent, e);

	if (!copy)
		return -1;
	for (const struct element *child = e->first; child; child = child->next) {
		if (element_copy(a, copy, child) < 0)
			return -1;
	}
	return 0;
}

void element_remove(struct element *e)
{
	struct element *parent = e->parent, *before = NULL;

	for (struct element *c = parent->first; c != e; c = c->next)
		before = c;
	if (before)
		before->next = e->next;
	else
		parent->first = e->next;
	if (parent->last == e)
		parent->last = before;
}

/* U+FFFE and U+FFFF are not characters. */
static bool is_no_character(const char *text)
{
	return memcmp(text, "\xef\xbf\xbe", 3) == 0 || memcmp(text, "\xef\xbf\xbf", 3) == 0;
}

int element_check_text(const char *text, struct jfrec_error *err)
{
	for (size_t len; *text; text += len) {
		len = utf8_length(text);
		if (!len || (len == 3 && is_no_character(text)) ||
		    ((unsigned char)*text < ' ' && !strchr("\t\n\r", *text)))
			return jfrec_fail(
				err, JFREC_EINVAL, JFREC_NO_OFFSET,
				"it has a byte that is not UTF-8, or a control character");
	}
	return 0;
}
