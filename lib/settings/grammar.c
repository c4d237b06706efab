/* SPDX-License-Identifier: MIT */
/*
 * grammar.c - the elements and attributes that settings consist of
 */
#include "settings/grammar.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

#define BIT(kind)      (1u << ELEMENT_##kind)
#define EXPRESSIONS    (BIT(AND) | BIT(OR) | BIT(NOT) | BIT(TEST))
#define MAX_ATTRIBUTES 3

static const struct {
	const char *name;
	unsigned takes;				/* kinds of children */
	const char *attributes[MAX_ATTRIBUTES]; /* that must be there */
} rows[] = {
	[ELEMENT_OTHER] = { 0 },
	[ELEMENT_CONFIGURATION] = { "configuration",
				    BIT(EVENT) | BIT(CONTROL),
				    { "version", "label" } },
	[ELEMENT_EVENT] = { "event", BIT(SETTING), { "name" } },
	[ELEMENT_SETTING] = { "setting", 0, { "name" } },
	[ELEMENT_CONTROL] = { "control",
			      BIT(SELECTION) | BIT(TEXT) | BIT(FLAG) | BIT(CONDITION),
			      { NULL } },
	[ELEMENT_SELECTION] = { "selection", BIT(OPTION), { "name", "label", "default" } },
	[ELEMENT_OPTION] = { "option", 0, { "label", "name" } },
	[ELEMENT_TEXT] = { "text", 0, { "name", "label" } },
	[ELEMENT_FLAG] = { "flag", 0, { "name", "label" } },
	[ELEMENT_CONDITION] = { "condition", EXPRESSIONS, { "name" } },
	[ELEMENT_AND] = { "and", EXPRESSIONS, { NULL } },
	[ELEMENT_OR] = { "or", EXPRESSIONS, { NULL } },
	[ELEMENT_NOT] = { "not", EXPRESSIONS, { NULL } },
	[ELEMENT_TEST] = { "test", 0, { "name", "operator", "value" } },
};

#define KIND_COUNT (sizeof(rows) / sizeof(*rows))

enum element_kind grammar_kind(const char *name)
{
	for (size_t i = 1; i < KIND_COUNT; i++) {
		if (strcasecmp(name, rows[i].name) == 0)
			return (enum element_kind)i;
	}
	return ELEMENT_OTHER;
}

const char *grammar_name(enum element_kind kind)
{
	return rows[kind].name;
}

bool grammar_takes(const struct element *parent, enum element_kind kind)
{
	if (!parent)
		return kind == ELEMENT_CONFIGURATION;
	return !parent->stray && (rows[parent->kind].takes & (1u << kind));
}

int element_fail(const struct element *e, struct jfrec_error *err, const char *format, ...)
{
	char text[300];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!e->line)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "%s", text);
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "line %u, column %u: %s", e->line,
			  e->column, text);
}

static int check_attributes(const struct element *e, struct jfrec_error *err)
{
	for (size_t i = 0; i < MAX_ATTRIBUTES && rows[e->kind].attributes[i]; i++) {
		const char *name = rows[e->kind].attributes[i];

		if (!element_get(e, name))
			return element_fail(e, err, "Missing mandatory attribute '%s'", name);
	}
	return 0;
}

static unsigned count_known(const struct element *e)
{
	unsigned n = 0;

	for (const struct element *c = e->first; c; c = c->next)
		n += !c->stray;
	return n;
}

/* What holds for elements of that kind besides. */
static int check_kind(const struct element *e, struct jfrec_error *err)
{
	unsigned children = count_known(e);

	switch (e->kind) {
	case ELEMENT_TEST:
		if (strcmp(element_get(e, "operator"), "equal") == 0)
			return 0;
		return element_fail(e, err, "Unknown operator '%.100s', only supported is 'equal'",
				    element_get(e, "operator"));
	case ELEMENT_SELECTION:
		return children ? 0 : element_fail(e, err, "Missing mandatory element <option>");
	case ELEMENT_CONDITION:
		if (children < 2)
			return 0;
		return element_fail(e, err, "Expected <condition> to not have more than one child");
	case ELEMENT_NOT:
		return children == 1
			       ? 0
			       : element_fail(e, err, "Expected <not> to have a single child");
	case ELEMENT_AND:
	case ELEMENT_OR:
		if (children >= 2)
			return 0;
		return element_fail(e, err, "Expected + <%s> to have at least two children",
				    e->name);
	default:
		return 0;
	}
}

/* Other versions have other attributes, so that is looked at first. */
static bool is_other_version(const struct element *root)
{
	const char *version = element_get(root, "version");

	return version && strcmp(version, "2.0") != 0;
}

int grammar_check(const struct element *root, struct jfrec_error *err)
{
	if (is_other_version(root))
		return element_fail(root, err, "Only .jfc files of version 2.0 is supported");
	for (const struct element *e = root; e; e = element_next(root, e)) {
		if (e->stray)
			continue;
		if (check_attributes(e, err) < 0 || check_kind(e, err) < 0)
			return -1;
	}
	return 0;
}
