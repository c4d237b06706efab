/* SPDX-License-Identifier: MIT */
/*
 * to_yaml.c - write settings as YAML: jfrec-settings(5)
 *
 * What is there several times in a .jfc file, of which the JVM takes the last, is
 * there once; elements without a meaning are left out.
 */
#include <string.h>
#include <strings.h>

#include "settings/formats.h"
#include "settings/model.h"
#include "settings/yaml_out.h"

static void put_attribute(struct yaml_out *o, const struct element *e, const char *name)
{
	yaml_out_pair(o, name, element_get(e, name));
}

static bool is_same(const struct element *a, const struct element *b)
{
	const char *name = element_get(a, "name");

	return a->kind == b->kind && name && element_is_named(b, name);
}

/* Has e the name of one that is before it? */
static bool is_repeated(const struct element *e)
{
	const struct element *c = e->parent->first;

	while (c != e && !is_same(c, e))
		c = c->next;
	return c != e;
}

/* Events --------------------------------------------------------------------------------------- */

static void put_setting(struct yaml_out *o, const struct element *e)
{
	static const char *const extras[] = { "control", "label", "description", "contentType" };
	bool plain = true;

	yaml_out_text(o, element_get(e, "name"));
	for (size_t i = 0; i < sizeof(extras) / sizeof(*extras); i++)
		plain = plain && !element_get(e, extras[i]);
	if (plain) {
		yaml_out_text(o, e->text);
		return;
	}
	yaml_out_map(o, YAML_FLOW);
	for (size_t i = 0; i < sizeof(extras) / sizeof(*extras); i++)
		put_attribute(o, e, extras[i]);
	yaml_out_pair(o, "value", e->text);
	yaml_out_end_map(o);
}

/* The last setting of that name, of this event or of one with its name after it. */
static const struct element *last_setting(const struct element *event, const char *name)
{
	const struct element *last = NULL;

	for (const struct element *e = event; e; e = e->next) {
		for (const struct element *c = is_same(event, e) ? e->first : NULL; c;
		     c = c->next) {
			if (c->kind == ELEMENT_SETTING && element_is_named(c, name))
				last = c;
		}
	}
	return last;
}

static void put_settings(struct yaml_out *o, const struct element *event)
{
	yaml_out_map(o, YAML_FLOW);
	for (const struct element *e = event; e; e = e->next) {
		for (const struct element *c = is_same(event, e) ? e->first : NULL; c;
		     c = c->next) {
			const char *name = element_get(c, "name");

			if (c->kind == ELEMENT_SETTING && name && last_setting(event, name) == c)
				put_setting(o, c);
		}
	}
	yaml_out_end_map(o);
}

static void put_event(struct yaml_out *o, const struct element *e)
{
	const struct element *odd = last_setting(e, "settings");
	bool is_long = element_get(e, "label") || element_get(e, "description") || odd;

	yaml_out_text(o, element_get(e, "name"));
	if (!is_long) {
		put_settings(o, e);
		return;
	}
	yaml_out_map(o, YAML_BLOCK);
	put_attribute(o, e, "label");
	put_attribute(o, e, "description");
	yaml_out_text(o, "settings");
	put_settings(o, e);
	yaml_out_end_map(o);
}

static bool is_event(const struct element *e)
{
	return e->kind == ELEMENT_EVENT && element_get(e, "name");
}

static bool is_category(const struct element *e)
{
	return e->kind == ELEMENT_OTHER && strcasecmp(e->name, "category") == 0;
}

static bool has_any(const struct element *parent, bool (*is)(const struct element *))
{
	const struct element *e = parent->first;

	while (e && !is(e))
		e = e->next;
	return e;
}

static void put_events(struct yaml_out *o, const struct element *parent)
{
	if (!has_any(parent, is_event))
		return;
	yaml_out_text(o, "events");
	yaml_out_map(o, YAML_BLOCK);
	for (const struct element *e = parent->first; e; e = e->next) {
		if (is_event(e) && !is_repeated(e))
			put_event(o, e);
	}
	yaml_out_end_map(o);
}

/*
 * Events count wherever they are in a .jfc file, also in elements that mean nothing; YAML has
 * categories for them.
 */
static bool is_group(const struct element *e)
{
	const struct element *inside = element_next(e, e);

	while (inside && !is_event(inside))
		inside = element_next(e, inside);
	return inside || is_category(e);
}

static void put_label(struct yaml_out *o, const struct element *e)
{
	const char *label = element_get(e, "label");

	if (label || is_category(e))
		put_attribute(o, e, "label");
	else
		yaml_out_pair(o, "label", e->name);
}

static void put_categories(struct yaml_out *o, const struct element *parent)
{
	if (!has_any(parent, is_group))
		return;
	yaml_out_text(o, "categories");
	yaml_out_list(o, YAML_BLOCK);
	for (const struct element *e = parent->first; e; e = e->next) {
		if (!is_group(e))
			continue;
		yaml_out_map(o, YAML_BLOCK);
		put_label(o, e);
		put_events(o, e);
		put_categories(o, e);
		yaml_out_end_map(o);
	}
	yaml_out_end_list(o);
}

/* Options -------------------------------------------------------------------------------------- */

static void put_choice(struct yaml_out *o, const struct element *e)
{
	const char *name = element_get(e, "name"), *label = element_get(e, "label");
	bool same = strcmp(name, e->text) == 0;

	yaml_out_text(o, name);
	if (same && !element_get(e, "description")) {
		yaml_out_text(o, label);
		return;
	}
	yaml_out_map(o, YAML_FLOW);
	yaml_out_pair(o, "label", label);
	put_attribute(o, e, "description");
	if (!same)
		yaml_out_pair(o, "value", e->text);
	yaml_out_end_map(o);
}

static void put_choices(struct yaml_out *o, const struct element *selection)
{
	yaml_out_text(o, "choices");
	yaml_out_map(o, YAML_BLOCK);
	for (const struct element *e = selection->first; e; e = e->next) {
		if (e->kind == ELEMENT_OPTION && !is_repeated(e))
			put_choice(o, e);
	}
	yaml_out_end_map(o);
}

static void put_option(struct yaml_out *o, const struct element *e)
{
	yaml_out_text(o, element_get(e, "name"));
	yaml_out_map(o, YAML_BLOCK);
	put_attribute(o, e, "label");
	put_attribute(o, e, "description");
	if (e->kind == ELEMENT_TEXT)
		yaml_out_pair(o, "type", element_get(e, "contentType"));
	else if (e->kind == ELEMENT_FLAG)
		yaml_out_pair(o, "type", "flag");
	put_attribute(o, e, "minimum");
	put_attribute(o, e, "maximum");
	if (e->kind == ELEMENT_SELECTION) {
		put_attribute(o, e, "default");
		put_choices(o, e);
	} else {
		yaml_out_pair(o, "default", e->text);
	}
	yaml_out_end_map(o);
}

static bool is_control(const struct element *e, bool input)
{
	return !e->stray && (input ? element_is_input(e) : e->kind == ELEMENT_CONDITION);
}

/* The next of that kind of control, the first of its name. */
static const struct element *next_control(const struct element *root, const struct element *e,
					  bool input)
{
	while ((e = settings_next_control(root, e))) {
		const struct element *c = settings_next_control(root, NULL);

		if (!is_control(e, input))
			continue;
		while (!is_control(c, input) || !element_is_named(c, element_get(e, "name")))
			c = settings_next_control(root, c);
		if (c == e)
			return e;
	}
	return NULL;
}

static void put_options(struct yaml_out *o, const struct element *root)
{
	const struct element *e = next_control(root, NULL, true);

	if (!e)
		return;
	yaml_out_text(o, "options");
	yaml_out_map(o, YAML_BLOCK);
	for (; e; e = next_control(root, e, true))
		put_option(o, e);
	yaml_out_end_map(o);
}

/* Conditions ----------------------------------------------------------------------------------- */

/* These mean something else as the key of an expression. */
static bool is_reserved(const char *name)
{
	return strcmp(name, "any") == 0 || strcmp(name, "all") == 0 || strcmp(name, "not") == 0 ||
	       strcmp(name, "test") == 0;
}

static void put_test(struct yaml_out *o, const struct element *e)
{
	const char *name = element_get(e, "name");

	yaml_out_map(o, YAML_FLOW);
	if (is_reserved(name)) {
		yaml_out_text(o, "test");
		yaml_out_map(o, YAML_FLOW);
		yaml_out_pair(o, "name", name);
		put_attribute(o, e, "value");
		yaml_out_end_map(o);
	} else {
		yaml_out_pair(o, name, element_get(e, "value"));
	}
	yaml_out_end_map(o);
}

static const struct element *next_known(const struct element *e)
{
	while (e && e->stray)
		e = e->next;
	return e;
}

/* Is it whether one control has one of several values?  The name of that control. */
static const char *tested_by_all(const struct element *e)
{
	const struct element *c = next_known(e->first);
	const char *name = c && c->kind == ELEMENT_TEST ? element_get(c, "name") : NULL;

	if (e->kind != ELEMENT_OR || !name || is_reserved(name))
		return NULL;
	for (; c; c = next_known(c->next)) {
		if (c->kind != ELEMENT_TEST || !element_is_named(c, name))
			return NULL;
	}
	return name;
}

static void put_values(struct yaml_out *o, const struct element *e, const char *name)
{
	yaml_out_map(o, YAML_FLOW);
	yaml_out_text(o, name);
	yaml_out_list(o, YAML_FLOW);
	for (const struct element *c = next_known(e->first); c; c = next_known(c->next))
		yaml_out_text(o, element_get(c, "value"));
	yaml_out_end_list(o);
	yaml_out_end_map(o);
}

/* The depth of what was read is limited. */
static void put_expression(struct yaml_out *o, const struct element *e)
{
	const char *name = tested_by_all(e);

	if (e->kind == ELEMENT_TEST) {
		put_test(o, e);
		return;
	}
	if (name) {
		put_values(o, e, name);
		return;
	}
	yaml_out_map(o, YAML_FLOW);
	yaml_out_text(o, e->kind == ELEMENT_NOT ? "not" : e->kind == ELEMENT_AND ? "all" : "any");
	if (e->kind != ELEMENT_NOT)
		yaml_out_list(o, YAML_FLOW);
	for (const struct element *c = next_known(e->first); c; c = next_known(c->next))
		put_expression(o, c);
	if (e->kind != ELEMENT_NOT)
		yaml_out_end_list(o);
	yaml_out_end_map(o);
}

static void put_condition(struct yaml_out *o, const struct element *e)
{
	const struct element *expression = next_known(e->first);

	yaml_out_map(o, YAML_FLOW);
	if (expression) {
		yaml_out_text(o, "when");
		put_expression(o, expression);
	}
	yaml_out_pair(o, "then", element_get(e, "true"));
	yaml_out_pair(o, "else", element_get(e, "false"));
	yaml_out_end_map(o);
}

/* All conditions of the name of e, which is the first. */
static void put_conditions_like(struct yaml_out *o, const struct element *root,
				const struct element *e)
{
	unsigned count = 0;

	for (const struct element *c = e; c; c = settings_next_control(root, c))
		count += is_same(e, c);
	yaml_out_text(o, element_get(e, "name"));
	if (count > 1)
		yaml_out_list(o, YAML_BLOCK);
	for (const struct element *c = e; c; c = settings_next_control(root, c)) {
		if (is_same(e, c))
			put_condition(o, c);
	}
	if (count > 1)
		yaml_out_end_list(o);
}

static void put_conditions(struct yaml_out *o, const struct element *root)
{
	const struct element *e = next_control(root, NULL, false);

	if (!e)
		return;
	yaml_out_text(o, "conditions");
	yaml_out_map(o, YAML_BLOCK);
	for (; e; e = next_control(root, e, false))
		put_conditions_like(o, root, e);
	yaml_out_end_map(o);
}

/* ---------------------------------------------------------------------------------------------- */

int settings_to_yaml(struct buffer *b, const struct element *root, struct jfrec_error *err)
{
	struct yaml_out *o = yaml_out_new(b, err);

	if (!o)
		return -1;
	yaml_out_map(o, YAML_BLOCK);
	put_attribute(o, root, "label");
	put_attribute(o, root, "description");
	put_attribute(o, root, "provider");
	put_options(o, root);
	put_conditions(o, root);
	put_events(o, root);
	put_categories(o, root);
	yaml_out_end_map(o);
	return yaml_out_finish(o, err);
}
