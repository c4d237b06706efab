/* SPDX-License-Identifier: MIT */
/*
 * from_yaml.c - read settings from YAML: jfrec-settings(5)
 *
 * Makes the elements that a .jfc file has.  An unknown key is an error: what is
 * misspelt would be silently ignored otherwise.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/near.h"
#include "jfrec-tool.h"
#include "settings/formats.h"
#include "settings/grammar.h"
#include "settings/model.h"
#include "settings/yaml.h"

struct reader {
	struct arena *arena;
	struct element *root;
	struct jfrec_error *err;
};

/* Pieces --------------------------------------------------------------------------------------- */

static int check_kind(struct reader *r, const struct jfrec_yaml_node *n, enum jfrec_yaml_kind kind,
		      const char *wanted)
{
	if (n->kind == kind)
		return 0;
	return jfrec_yaml_fail(n, r->err, "%.60s%s%s", n->key ? n->key : "this", " is ", wanted);
}

/* NULL after *err was set. */
static const char *text_of(struct reader *r, const struct jfrec_yaml_node *n)
{
	struct jfrec_error why;

	if (check_kind(r, n, JFREC_YAML_TEXT, "a text, and neither a map nor a list") < 0)
		return NULL;
	if (element_check_text(n->text, &why) == 0)
		return n->text;
	jfrec_yaml_fail(n, r->err, "%s", why.text);
	return NULL;
}

static struct element *add(struct reader *r, struct element *parent, const char *name,
			   const struct jfrec_yaml_node *at)
{
	struct element *e = element_add(r->arena, parent, name);

	if (!e) {
		jfrec_fail_memory(r->err);
		return NULL;
	}
	e->line = at->line;
	e->column = at->column;
	return e;
}

static int set(struct reader *r, struct element *e, const char *name, const char *value)
{
	return element_set(r->arena, e, name, value) < 0 ? jfrec_fail_memory(r->err) : 0;
}

static struct element *add_named(struct reader *r, struct element *parent, const char *tag,
				 const struct jfrec_yaml_node *n)
{
	struct element *e = add(r, parent, tag, n);
	struct jfrec_error why;

	if (e && element_check_text(n->key, &why) < 0) {
		jfrec_yaml_fail(n, r->err, "%s", why.text);
		return NULL;
	}
	return e && set(r, e, "name", n->key) == 0 ? e : NULL;
}

static int set_text(struct reader *r, struct element *e, const struct jfrec_yaml_node *n)
{
	const char *text = text_of(r, n);

	if (!text)
		return -1;
	if (element_set_text(r->arena, e, text, strlen(text)) < 0)
		return jfrec_fail_memory(r->err);
	return 0;
}

static const struct jfrec_yaml_node *child(const struct jfrec_yaml_node *map, const char *key)
{
	const struct jfrec_yaml_node *n = map->first;

	while (n && strcmp(n->key, key) != 0)
		n = n->next;
	return n;
}

/* Keys of maps, and the attributes that they stand for; NULL: it is not an attribute. */
struct key {
	const char *name, *attribute;
};

static int unknown_key(struct reader *r, const struct jfrec_yaml_node *n, const struct key *keys)
{
	struct near near = { .name = n->key };
	char known[160] = "", meant[NEAR_LIST_MAX];
	size_t len = 0;

	for (; keys->name && len < sizeof(known); keys++) {
		near_offer(&near, keys->name);
		len += (size_t)snprintf(known + len, sizeof(known) - len, "%s%s", len ? ", " : "",
					keys->name);
	}
	if (near_count(&near))
		return jfrec_yaml_fail_key(n, r->err, "unknown key %.60s%s", n->key,
					   near_list(&near, meant));
	return jfrec_yaml_fail_key(n, r->err, "unknown key %.60s; the keys here are %s", n->key, known);
}

/* Set the attributes that the map has.  Its keys end with all zero. */
static int set_attributes(struct reader *r, struct element *e, const struct jfrec_yaml_node *map,
			  const struct key *keys)
{
	for (const struct jfrec_yaml_node *n = map->first; n; n = n->next) {
		const struct key *k = keys;
		const char *text;

		while (k->name && strcmp(k->name, n->key) != 0)
			k++;
		if (!k->name)
			return unknown_key(r, n, keys);
		if (!k->attribute)
			continue;
		text = text_of(r, n);
		if (!text || set(r, e, k->attribute, text) < 0)
			return -1;
	}
	return 0;
}

/* What .jfc files must have, and people need not write. */
static int set_default(struct reader *r, struct element *e, const char *name, const char *value)
{
	return element_get(e, name) ? 0 : set(r, e, name, value);
}

/* Each value of a map, by its function. */
typedef int take_fn(struct reader *r, struct element *parent, const struct jfrec_yaml_node *n);

static int take_each(struct reader *r, struct element *parent, const struct jfrec_yaml_node *map,
		     take_fn *take)
{
	if (check_kind(r, map, JFREC_YAML_MAP, "a map") < 0)
		return -1;
	for (const struct jfrec_yaml_node *n = map->first; n; n = n->next) {
		if (take(r, parent, n) < 0)
			return -1;
	}
	return 0;
}

/* Events --------------------------------------------------------------------------------------- */

/* A setting without a value, to be computed when all options are known, has this one. */
static const char to_be_computed[] = "";

static int take_setting(struct reader *r, struct element *event, const struct jfrec_yaml_node *n)
{
	static const struct key keys[] = {
		{ "value", NULL },
		{ "control", "control" },
		{ "label", "label" },
		{ "description", "description" },
		{ "contentType", "contentType" },
		{ 0 },
	};
	struct element *e = add_named(r, event, "setting", n);
	const struct jfrec_yaml_node *value;

	if (!e)
		return -1;
	if (n->kind == JFREC_YAML_TEXT)
		return set_text(r, e, n);
	if (check_kind(r, n, JFREC_YAML_MAP, "a value, or a map with value and control") < 0 ||
	    set_attributes(r, e, n, keys) < 0)
		return -1;
	value = child(n, "value");
	if (value)
		return set_text(r, e, value);
	if (!element_get(e, "control"))
		return jfrec_yaml_fail(n, r->err, "%.60s has neither a value nor a control",
				       n->key);
	e->text = to_be_computed;
	return 0;
}

/* jdk.DumpReason: true */
static int take_short_event(struct reader *r, struct element *event,
			    const struct jfrec_yaml_node *n)
{
	struct element *e;

	if (!n->quoted && (strcmp(n->text, "true") == 0 || strcmp(n->text, "false") == 0)) {
		e = add(r, event, "setting", n);
		return e && set(r, e, "name", "enabled") == 0 ? set_text(r, e, n) : -1;
	}
	return jfrec_yaml_fail(n, r->err, "%.100s is true, false, or a map of settings", n->key);
}

static int take_event(struct reader *r, struct element *parent, const struct jfrec_yaml_node *n)
{
	static const struct key keys[] = {
		{ "settings", NULL },
		{ "label", "label" },
		{ "description", "description" },
		{ 0 },
	};
	struct element *e = add_named(r, parent, "event", n);
	const struct jfrec_yaml_node *settings;

	if (!e)
		return -1;
	if (n->kind == JFREC_YAML_TEXT)
		return take_short_event(r, e, n);
	if (check_kind(r, n, JFREC_YAML_MAP, "true, false, or a map of settings") < 0)
		return -1;
	settings = child(n, "settings");
	if (!settings || settings->kind != JFREC_YAML_MAP)
		return take_each(r, e, n, take_setting);
	if (set_attributes(r, e, n, keys) < 0)
		return -1;
	return take_each(r, e, settings, take_setting);
}

static int take_categories(struct reader *r, struct element *parent,
			   const struct jfrec_yaml_node *list);

static int take_category(struct reader *r, struct element *parent, const struct jfrec_yaml_node *n)
{
	static const struct key keys[] = {
		{ "label", "label" },
		{ "events", NULL },
		{ "categories", NULL },
		{ 0 },
	};
	struct element *e = add(r, parent, "category", n);
	const struct jfrec_yaml_node *part;

	if (!e || check_kind(r, n, JFREC_YAML_MAP, "a map with label and events") < 0 ||
	    set_attributes(r, e, n, keys) < 0)
		return -1;
	if (!element_get(e, "label"))
		return jfrec_yaml_fail(n, r->err, "this category has no label");
	part = child(n, "events");
	if (part && take_each(r, e, part, take_event) < 0)
		return -1;
	part = child(n, "categories");
	return part ? take_categories(r, e, part) : 0;
}

static int take_categories(struct reader *r, struct element *parent,
			   const struct jfrec_yaml_node *list)
{
	if (check_kind(r, list, JFREC_YAML_LIST, "a list") < 0)
		return -1;
	for (const struct jfrec_yaml_node *n = list->first; n; n = n->next) {
		if (take_category(r, parent, n) < 0)
			return -1;
	}
	return 0;
}

/* Options -------------------------------------------------------------------------------------- */

static int take_choice(struct reader *r, struct element *selection, const struct jfrec_yaml_node *n)
{
	static const struct key keys[] = {
		{ "label", "label" },
		{ "description", "description" },
		{ "value", NULL },
		{ 0 },
	};
	struct element *e = add_named(r, selection, "option", n);
	const struct jfrec_yaml_node *value = NULL;
	const char *label;

	if (!e)
		return -1;
	if (n->kind == JFREC_YAML_TEXT) {
		label = text_of(r, n);
		if (!label || set(r, e, "label", label) < 0)
			return -1;
	} else {
		if (check_kind(r, n, JFREC_YAML_MAP, "a label, or a map with label and value") <
			    0 ||
		    set_attributes(r, e, n, keys) < 0 || set_default(r, e, "label", n->key) < 0)
			return -1;
		value = child(n, "value");
	}
	if (value)
		return set_text(r, e, value);
	if (element_set_text(r->arena, e, n->key, strlen(n->key)) < 0)
		return jfrec_fail_memory(r->err);
	return 0;
}

static int take_selection(struct reader *r, struct element *control,
			  const struct jfrec_yaml_node *n)
{
	static const struct key keys[] = {
		{ "label", "label" },
		{ "description", "description" },
		{ "default", "default" },
		{ "choices", NULL },
		{ 0 },
	};
	struct element *e = add_named(r, control, "selection", n);

	if (!e || set_attributes(r, e, n, keys) < 0 || set_default(r, e, "label", n->key) < 0 ||
	    take_each(r, e, child(n, "choices"), take_choice) < 0)
		return -1;
	if (!e->first)
		return jfrec_yaml_fail(n, r->err, "%.60s has no choices", n->key);
	if (!element_get(e, "default"))
		return jfrec_yaml_fail(n, r->err, "%.60s has no default", n->key);
	if (!selection_chosen(e))
		return jfrec_yaml_fail(child(n, "default"), r->err, "%.60s is not one of the "
								    "choices",
				       element_get(e, "default"));
	return 0;
}

static bool is_flag(const struct jfrec_yaml_node *n)
{
	const struct jfrec_yaml_node *type = child(n, "type");

	return type && type->kind == JFREC_YAML_TEXT && strcmp(type->text, "flag") == 0;
}

static int take_input(struct reader *r, struct element *control, const struct jfrec_yaml_node *n)
{
	static const struct key text_keys[] = {
		{ "label", "label" },
		{ "description", "description" },
		{ "type", "contentType" },
		{ "minimum", "minimum" },
		{ "maximum", "maximum" },
		{ "default", NULL },
		{ 0 },
	};
	static const struct key flag_keys[] = {
		{ "label", "label" },
		{ "description", "description" },
		{ "type", NULL },
		{ "default", NULL },
		{ 0 },
	};
	bool flag = is_flag(n);
	struct element *e = add_named(r, control, flag ? "flag" : "text", n);
	const struct jfrec_yaml_node *value = child(n, "default");

	if (!e || set_attributes(r, e, n, flag ? flag_keys : text_keys) < 0 ||
	    set_default(r, e, "label", n->key) < 0)
		return -1;
	if (!value)
		return jfrec_yaml_fail(n, r->err, "%.60s has no default", n->key);
	if (set_text(r, e, value) < 0)
		return -1;
	if (flag && strcmp(e->text, "true") != 0 && strcmp(e->text, "false") != 0)
		return jfrec_yaml_fail(value, r->err, "the default of a flag must be true or "
						      "false");
	return 0;
}

static int take_option(struct reader *r, struct element *control, const struct jfrec_yaml_node *n)
{
	if (check_kind(r, n, JFREC_YAML_MAP, "a map with label and default") < 0)
		return -1;
	return child(n, "choices") ? take_selection(r, control, n) : take_input(r, control, n);
}

/* Conditions ----------------------------------------------------------------------------------- */

static int take_expression(struct reader *r, struct element *parent,
			   const struct jfrec_yaml_node *n);

static int add_test(struct reader *r, struct element *parent, const struct jfrec_yaml_node *at,
		    const char *name, const struct jfrec_yaml_node *value)
{
	struct element *e = add(r, parent, "test", at);
	const char *text = e ? text_of(r, value) : NULL;

	return text && set(r, e, "name", name) == 0 && set(r, e, "operator", "equal") == 0
		       ? set(r, e, "value", text)
		       : -1;
}

/* any and all of one expression are that one. */
static struct element *add_list(struct reader *r, struct element *parent, const char *tag,
				const struct jfrec_yaml_node *list)
{
	if (!list->first) {
		jfrec_yaml_fail(list, r->err, "this is empty");
		return NULL;
	}
	return list->first->next ? add(r, parent, tag, list) : parent;
}

static int take_expressions(struct reader *r, struct element *parent, const char *tag,
			    const struct jfrec_yaml_node *list)
{
	struct element *e;

	if (check_kind(r, list, JFREC_YAML_LIST, "a list") < 0 ||
	    !(e = add_list(r, parent, tag, list)))
		return -1;
	for (const struct jfrec_yaml_node *n = list->first; n; n = n->next) {
		if (take_expression(r, e, n) < 0)
			return -1;
	}
	return 0;
}

/* gc: [normal, all] */
static int take_values(struct reader *r, struct element *parent, const struct jfrec_yaml_node *list)
{
	struct element *e = add_list(r, parent, "or", list);

	if (!e)
		return -1;
	for (const struct jfrec_yaml_node *n = list->first; n; n = n->next) {
		if (add_test(r, e, n, list->key, n) < 0)
			return -1;
	}
	return 0;
}

static int take_long_test(struct reader *r, struct element *parent, const struct jfrec_yaml_node *n)
{
	const struct jfrec_yaml_node *name, *value;

	if (check_kind(r, n, JFREC_YAML_MAP, "a map with name and value") < 0)
		return -1;
	name = child(n, "name");
	value = child(n, "value");
	if (!name || !value || name->kind != JFREC_YAML_TEXT)
		return jfrec_yaml_fail(n, r->err, "test must be a map with name and value");
	return add_test(r, parent, n, name->text, value);
}

/* One key of an expression. */
static int take_term(struct reader *r, struct element *parent, const struct jfrec_yaml_node *n)
{
	struct element *e;

	if (strcmp(n->key, "any") == 0)
		return take_expressions(r, parent, "or", n);
	if (strcmp(n->key, "all") == 0)
		return take_expressions(r, parent, "and", n);
	if (strcmp(n->key, "test") == 0)
		return take_long_test(r, parent, n);
	if (strcmp(n->key, "not") == 0) {
		e = add(r, parent, "not", n);
		return e ? take_expression(r, e, n) : -1;
	}
	if (n->kind == JFREC_YAML_LIST)
		return take_values(r, parent, n);
	return add_test(r, parent, n, n->key, n);
}

/* The depth of a document is limited. */
static int take_expression(struct reader *r, struct element *parent,
			   const struct jfrec_yaml_node *n)
{
	if (check_kind(r, n, JFREC_YAML_MAP, "a map such as {gc: all}") < 0 ||
	    !(parent = add_list(r, parent, "and", n)))
		return -1;
	return take_each(r, parent, n, take_term);
}

static int add_condition(struct reader *r, struct element *control, const char *name,
			 const struct jfrec_yaml_node *n)
{
	static const struct key keys[] = {
		{ "when", NULL },
		{ "then", "true" },
		{ "else", "false" },
		{ 0 },
	};
	struct element *e = add(r, control, "condition", n);
	const struct jfrec_yaml_node *when;

	if (!e || set(r, e, "name", name) < 0 ||
	    check_kind(r, n, JFREC_YAML_MAP, "a map with when, then and else") < 0 ||
	    set_attributes(r, e, n, keys) < 0)
		return -1;
	when = child(n, "when");
	return when ? take_expression(r, e, when) : 0;
}

static int take_condition(struct reader *r, struct element *control,
			  const struct jfrec_yaml_node *n)
{
	if (n->kind != JFREC_YAML_LIST)
		return add_condition(r, control, n->key, n);
	for (const struct jfrec_yaml_node *c = n->first; c; c = c->next) {
		if (add_condition(r, control, n->key, c) < 0)
			return -1;
	}
	return 0;
}

/* ---------------------------------------------------------------------------------------------- */

static int take_controls(struct reader *r, const struct jfrec_yaml_node *map)
{
	const struct jfrec_yaml_node *options = child(map, "options");
	const struct jfrec_yaml_node *conditions = child(map, "conditions");
	struct element *control;

	if (!options && !conditions)
		return 0;
	control = add(r, r->root, "control", options ? options : conditions);
	if (!control || (options && take_each(r, control, options, take_option) < 0))
		return -1;
	return conditions ? take_each(r, control, conditions, take_condition) : 0;
}

static int take_all(struct reader *r, const struct jfrec_yaml_node *map)
{
	static const struct key keys[] = {
		{ "label", "label" },	    { "description", "description" },
		{ "provider", "provider" }, { "options", NULL },
		{ "conditions", NULL },	    { "events", NULL },
		{ "categories", NULL },	    { 0 },
	};
	const struct jfrec_yaml_node *events, *categories;

	if (check_kind(r, map, JFREC_YAML_MAP,
		       "not settings: settings are a map with label and events") < 0)
		return -1;
	r->root = add(r, NULL, "configuration", map);
	if (!r->root || set(r, r->root, "version", "2.0") < 0 ||
	    set_attributes(r, r->root, map, keys) < 0 ||
	    set_default(r, r->root, "label", "Custom") < 0)
		return -1;
	events = child(map, "events");
	categories = child(map, "categories");
	if (events && take_each(r, r->root, events, take_event) < 0)
		return -1;
	if (categories && take_categories(r, r->root, categories) < 0)
		return -1;
	return take_controls(r, map);
}

/* Settings that have only a control get the value that it gives. */
static int compute(struct reader *r)
{
	struct evaluation v = { .root = r->root, .round = 1 };

	for (struct element *e = r->root; e; e = element_next(r->root, e)) {
		const char *control = element_get(e, "control"), *value;

		if (e->kind != ELEMENT_SETTING || e->text != to_be_computed)
			continue;
		value = evaluate(&v, control);
		if (!value)
			return element_fail(e, r->err, "the control %.60s yields no "
						       "value", control);
		e->text = value;
	}
	for (struct element *e = r->root; e; e = element_next(r->root, e))
		e->round = 0;
	return 0;
}

struct element *settings_from_yaml(struct arena *a, const char *bytes, size_t len,
				   struct jfrec_error *err)
{
	struct jfrec_yaml_node *map = yaml_parse(a, bytes, len, err);
	struct reader r = { .arena = a, .err = err };

	if (!map || take_all(&r, map) < 0 || compute(&r) < 0)
		return NULL;
	return r.root;
}
