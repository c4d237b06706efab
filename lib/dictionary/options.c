/* SPDX-License-Identifier: MIT */
/*
 * options.c - the options of the JDK's own settings, for settings that do not have them
 *
 * settings/dictionary/options.txt says what an option ("gc=detailed") makes of which settings in
 * the JDK's profile.jfc.  It makes the same of these in other settings:
 *
 *	settings has an event that follows it    those of its settings that follow get their values
 *	it has none, or lacks one that the       that is added, as profile.jfc has it
 *	option switches on
 */
#include <string.h>

#include "base/error.h"
#include "dictionary/embedded.h"
#include "dictionary/nodes.h"
#include "jfrec.h"
#include "settings/model.h"

static const char stays[] = "?"; /* a value in the file */

/* The file, and the JDK in it. */
struct options {
	struct nodes nodes;
	uint32_t jdk; /* a bit of it */
};

static int options_init(struct options *o, const struct jfrec_dictionary *d,
			struct jfrec_error *err)
{
	size_t i = 0;

	if (nodes_init(&o->nodes, embedded_text(embedded_dictionary, "options"), err) < 0)
		return -1;
	while (i + 1 < o->nodes.jdk_count && o->nodes.jdks[i] < jfrec_dictionary_jdk(d))
		i++;
	o->jdk = UINT32_C(1) << i;
	return 0;
}

static const struct node *find_option(const struct options *o, const char *name)
{
	const struct node *n = NULL;

	while ((n = nodes_child(&o->nodes, NULL, n, o->jdk))) {
		if (strcmp(node_word(n, 1), name) == 0)
			break;
	}
	return n;
}

/* As settings ---------------------------------------------------------------------------------- */

static struct element *add(struct arena *a, struct element *parent, const char *tag,
			   const char *name, const char *label)
{
	struct element *e = element_add(a, parent, tag);

	if (!e || element_set(a, e, "name", name) < 0 || element_set(a, e, "label", label) < 0)
		return NULL;
	return e;
}

static int add_choices(const struct options *o, const struct node *option, struct arena *a,
		       struct element *selection)
{
	const struct node *n = NULL;

	while ((n = nodes_child(&o->nodes, option, n, o->jdk))) {
		const char *name = node_word(n, 1);
		struct element *e;

		if (!node_is(n, "choice"))
			continue;
		e = add(a, selection, "option", name, node_word(n, 2));
		if (!e || element_set_text(a, e, name, strlen(name)) < 0 ||
		    (selection->first == e && element_set(a, selection, "default", name) < 0))
			return -1;
	}
	return 0;
}

static int add_option(const struct options *o, const struct node *option, struct arena *a,
		      struct element *control)
{
	const char *type = node_word(option, 2);
	bool is_flag = strcmp(type, "flag") == 0, is_selection = strcmp(type, "selection") == 0;
	struct element *e = add(a, control, is_flag || is_selection ? type : "text",
				node_word(option, 1), node_word(option, 3));

	if (!e)
		return -1;
	if (is_selection)
		return add_choices(o, option, a, e);
	if (is_flag)
		return element_set_text(a, e, "false", strlen("false"));
	if (strcmp(type, "timespan") == 0 && element_set_text(a, e, "0 ns", strlen("0 ns")) < 0)
		return -1;
	return element_set(a, e, "contentType", type);
}

static struct jfrec_settings *as_settings(const struct options *o, struct jfrec_error *err)
{
	struct jfrec_settings *s = jfrec_settings_new(err);
	struct element *control = s ? element_add(&s->arena, s->root, "control") : NULL;
	const struct node *n = NULL;
	int ret = control ? 0 : -1;

	while (ret == 0 && (n = nodes_child(&o->nodes, NULL, n, o->jdk)))
		ret = add_option(o, n, &s->arena, control);
	if (ret == 0)
		return s;
	jfrec_fail_memory(err);
	jfrec_settings_free(s);
	return NULL;
}

struct jfrec_settings *jfrec_dictionary_options(const struct jfrec_dictionary *d,
						struct jfrec_error *err)
{
	struct jfrec_settings *s;
	struct options o;

	if (options_init(&o, d, err) < 0)
		return NULL;
	s = as_settings(&o, err);
	nodes_fini(&o.nodes);
	return s;
}

uint32_t jfrec_dictionary_option_presence(const struct jfrec_dictionary *d, const char *option)
{
	const struct node *n = NULL;
	uint32_t jdks = 0;
	struct options o;

	if (options_init(&o, d, NULL) < 0)
		return 0;
	while ((n = nodes_child(&o.nodes, NULL, n, UINT32_MAX))) {
		if (strcmp(node_word(n, 1), option) == 0)
			jdks |= n->jdks;
	}
	jdks &= (uint32_t)((UINT64_C(1) << o.nodes.jdk_count) - 1);
	nodes_fini(&o.nodes);
	return jdks;
}

/* Setting one ---------------------------------------------------------------------------------- */

/* An option with a value, about to change settings. */
struct change {
	const struct options *o;
	const struct node *option;
	const struct jfrec_dictionary *d;
	struct jfrec_settings *s;
	const char *value; /* as it is written */
	unsigned choice;   /* which one that is, from 0 */
};

/* The value of a setting that follows it; NULL: it stays. */
static const char *value_for(const struct change *c, const struct node *setting)
{
	const char *value = setting->word_count > 3 ? node_word(setting, 3 + c->choice) : c->value;

	return value && strcmp(value, stays) != 0 ? value : NULL;
}

static bool has_event(const struct jfrec_settings *s, const char *event)
{
	for (const struct element *e = s->root->first; e; e = e->next) {
		if (e->kind == ELEMENT_EVENT && element_is_named(e, event))
			return true;
	}
	return false;
}

/* The next setting that follows the option and that the JDK has. */
static const struct node *next_setting(const struct change *c, const struct node *n)
{
	while ((n = nodes_child(&c->o->nodes, c->option, n, c->o->jdk))) {
		const struct jfrec_type *type =
			node_is(n, "setting") ? jfrec_dictionary_event(c->d, node_word(n, 1))
					      : NULL;

		if (type && jfrec_type_setting(type, node_word(n, 2)))
			break;
	}
	return n;
}

static bool has_any(const struct change *c)
{
	const struct node *n = NULL;

	while ((n = next_setting(c, n))) {
		if (has_event(c->s, node_word(n, 1)))
			return true;
	}
	return false;
}

static bool switches_on(const struct change *c, const struct node *n)
{
	const char *value = value_for(c, n);

	return strcmp(node_word(n, 2), "enabled") == 0 && value && strcmp(value, "true") == 0;
}

/* All settings of the event, as profile.jfc has them. */
static int add_event(const struct change *c, const char *event, struct jfrec_error *err)
{
	const struct jfrec_type *type = jfrec_dictionary_event(c->d, event);
	const struct jfrec_field *setting;

	for (size_t i = 0; (setting = jfrec_type_setting_get(type, i)); i++) {
		const char *name = jfrec_field_name(setting);
		const char *value = jfrec_dictionary_value(c->d, event, name, JFREC_PROFILE_JFC);

		if (value && jfrec_settings_put(c->s, event, name, value, err) < 0)
			return -1;
	}
	return 0;
}

static int add_events(const struct change *c, struct jfrec_error *err)
{
	bool all = !has_any(c);
	const struct node *n = NULL;

	while ((n = next_setting(c, n))) {
		const char *event = node_word(n, 1);

		if ((all || switches_on(c, n)) && !has_event(c->s, event) &&
		    add_event(c, event, err) < 0)
			return -1;
	}
	return 0;
}

static int follow(const struct change *c, struct jfrec_error *err)
{
	const struct node *n = NULL;

	if (add_events(c, err) < 0)
		return -1;
	while ((n = next_setting(c, n))) {
		const char *event = node_word(n, 1), *setting = node_word(n, 2);
		const char *value = value_for(c, n);

		/* What is to be off is so by all means: the declaration of an event may differ. */
		if (value && (has_event(c->s, event) || strcmp(setting, "enabled") == 0) &&
		    jfrec_settings_put(c->s, event, setting, value, err) < 0)
			return -1;
	}
	return 0;
}

/* The value, checked and written as the JDK's tool does it. */
static int read_value(struct change *c, struct jfrec_settings *options, const char *value,
		      struct jfrec_error *err)
{
	const char *name = node_word(c->option, 1);
	const struct jfrec_settings_option *o = NULL;

	if (jfrec_settings_set(options, name, value, err) < 0 ||
	    jfrec_settings_list(options, err) < 0)
		return -1;
	for (size_t i = 0; (o = jfrec_settings_option_get(options, i)); i++) {
		if (strcmp(o->name, name) == 0)
			break;
	}
	c->value = o->value;
	while (c->choice + 1 < jfrec_settings_choice_count(o) &&
	       strcmp(jfrec_settings_choice_get(o, c->choice)->name, value) != 0)
		c->choice++;
	return 0;
}

int jfrec_settings_set_as_jdk(struct jfrec_settings *s, const struct jfrec_dictionary *d,
			      const char *option, const char *value, struct jfrec_error *err)
{
	struct change c = { .d = d, .s = s };
	struct jfrec_settings *options = NULL;
	struct options o;
	int ret = 0;

	if (options_init(&o, d, err) < 0)
		return -1;
	c.o = &o;
	c.option = find_option(&o, option);
	if (c.option) {
		options = as_settings(&o, err);
		ret = options && read_value(&c, options, value, err) == 0 && follow(&c, err) == 0
			      ? 1
			      : -1;
	}
	jfrec_settings_free(options);
	nodes_fini(&o.nodes);
	return ret;
}
