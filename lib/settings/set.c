/* SPDX-License-Identifier: MIT */
/*
 * set.c - change settings by the rules of `jfr configure` of JDK 25
 *
 * An option ("gc") changes the settings that depend on it; no others are
 * computed again, so that what was set before by its own name stays.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "settings/grammar.h"
#include "settings/model.h"
#include "settings/timespan.h"

static int set_text(struct jfrec_settings *s, struct element *e, const char *text,
		    struct jfrec_error *err)
{
	if (element_set_text(&s->arena, e, text, strlen(text)) < 0)
		return jfrec_fail_memory(err);
	return 0;
}

/* Options -------------------------------------------------------------------------------------- */

/* "'off', 'normal' and 'all'" */
static void list_choices(const struct element *selection, char *to, size_t size)
{
	const struct element *o = selection->first;
	size_t len = 0;

	*to = '\0';
	for (; o && len < size; o = o->next) {
		const char *between = !len ? "" : o->next ? ", " : " and ";

		if (o->kind == ELEMENT_OPTION)
			len += (size_t)snprintf(to + len, size - len, "%s'%s'", between,
						element_get(o, "name"));
	}
}

static int fail_choice(const char *value, const char *choices, struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "Incorrect value '%.60s'. Valid values are %s.", value, choices);
}

static int choose(struct jfrec_settings *s, struct element *selection, const char *value,
		  struct jfrec_error *err)
{
	char choices[256];

	for (const struct element *o = selection->first; o; o = o->next) {
		if (o->kind == ELEMENT_OPTION && element_is_named(o, value))
			return element_set(&s->arena, selection, "default", value) < 0
				       ? jfrec_fail_memory(err)
				       : 0;
	}
	list_choices(selection, choices, sizeof(choices));
	return fail_choice(value, choices, err);
}

#define UNITS "Valid units are ns, us, ms, s, m, h and d."

static int set_timespan(struct jfrec_settings *s, struct element *e, const char *value,
			struct jfrec_error *err)
{
	char text[TIMESPAN_MAX];

	switch (timespan_parse(value, text, NULL)) {
	case TIMESPAN_OK:
		return set_text(s, e, text, err);
	case TIMESPAN_NO_UNIT:
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "Timespan '%.60s' is missing unit. " UNITS, value);
	default:
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "'%.60s' is not a valid timespan. Should be numeric value "
				  "followed by a unit, i.e. 20 ms. " UNITS,
				  value);
	}
}

static int set_input(struct jfrec_settings *s, struct element *e, const char *value,
		     struct jfrec_error *err)
{
	const char *type = element_get(e, "contentType");

	if (e->kind == ELEMENT_SELECTION)
		return choose(s, e, value, err);
	if (e->kind == ELEMENT_FLAG && strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
		return fail_choice(value, "'true' and 'false'", err);
	if (e->kind == ELEMENT_TEXT && type && strcmp(type, "timespan") == 0)
		return set_timespan(s, e, value, err);
	return set_text(s, e, value, err);
}

/*
 * The settings that depend on an input get the values that follow from it now: first all of them
 * are found, then computed, so that each condition is looked at once for either.
 */
static int propagate(struct jfrec_settings *s, const char *input, struct jfrec_error *err)
{
	struct evaluation depends = { .root = s->root, .round = ++s->round };
	struct evaluation values = { .root = s->root, .round = ++s->round };
	const char *control, *value;

	for (struct element *e = s->root; e; e = element_next(s->root, e)) {
		control = element_get(e, "control");
		e->due = e->kind == ELEMENT_SETTING && !e->stray && control &&
			 evaluate_depends(&depends, control, input);
	}
	for (struct element *e = s->root; e; e = element_next(s->root, e)) {
		value = e->due ? evaluate(&values, element_get(e, "control")) : NULL;
		if (!value)
			continue;
		e->changed = true;
		if (set_text(s, e, value, err) < 0)
			return -1;
	}
	return 0;
}

static int fail_option(const char *name, struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "Option '%.100s' doesn't exist in configuration", name);
}

/* Of several with one name the first. */
static int set_option(struct jfrec_settings *s, const char *name, const char *value,
		      struct jfrec_error *err)
{
	struct element *e = NULL;

	while ((e = settings_next_control(s->root, e))) {
		if (e->stray || !element_is_input(e) || !element_is_named(e, name))
			continue;
		return set_input(s, e, value, err) < 0 ? -1 : propagate(s, name, err);
	}
	return fail_option(name, err);
}

/* Events --------------------------------------------------------------------------------------- */

static struct element *find_child(const struct element *parent, enum element_kind kind,
				  const char *name)
{
	for (struct element *e = parent->first; e; e = e->next) {
		if (e->kind == kind && !e->stray && element_is_named(e, name))
			return e;
	}
	return NULL;
}

static struct element *add_child(struct jfrec_settings *s, struct element *parent, const char *tag,
				 const char *name, struct jfrec_error *err)
{
	struct element *e = element_add(&s->arena, parent, tag);

	if (e && element_set(&s->arena, e, "name", name) == 0)
		return e;
	jfrec_fail_memory(err);
	return NULL;
}

/* Lengths of time are written as they should be, where they are such. */
static int set_value(struct jfrec_settings *s, struct element *setting, const char *value,
		     struct jfrec_error *err)
{
	bool is_time =
		element_is_named(setting, "period") || element_is_named(setting, "threshold");
	char text[TIMESPAN_MAX];

	if (is_time && timespan_parse(value, text, NULL) == TIMESPAN_OK)
		return set_text(s, setting, text, err);
	return set_text(s, setting, value, err);
}

static int set_setting(struct jfrec_settings *s, const char *event, const char *name,
		       const char *value, bool add, struct jfrec_error *err)
{
	struct element *e = find_child(s->root, ELEMENT_EVENT, event), *setting;

	if (!e && !add)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "Could not find event '%.200s'", event);
	if (!e && !(e = add_child(s, s->root, "event", event, err)))
		return -1;
	setting = find_child(e, ELEMENT_SETTING, name);
	if (setting)
		setting->changed = true;
	if (!setting && !add)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "Could not find setting '%.100s' for event '%.100s'", name,
				  event);
	if (!setting && !(setting = add_child(s, e, "setting", name, err)))
		return -1;
	return set_value(s, setting, value, err);
}

/* ---------------------------------------------------------------------------------------------- */

int jfrec_settings_put(struct jfrec_settings *s, const char *event, const char *setting,
		       const char *value, struct jfrec_error *err)
{
	if (element_check_text(event, err) < 0 || element_check_text(setting, err) < 0 ||
	    element_check_text(value, err) < 0)
		return -1;
	settings_changed(s);
	return set_setting(s, event, setting, value, true, err);
}

int jfrec_settings_set(struct jfrec_settings *s, const char *key, const char *value,
		       struct jfrec_error *err)
{
	const char *sign = strchr(key, '#');
	const char *name = key + (*key == '+');
	char *event;

	if (element_check_text(key, err) < 0 || element_check_text(value, err) < 0)
		return -1;
	settings_changed(s);
	if (!sign || sign == name || !sign[1])
		return *key == '+' ? fail_option(name, err) : set_option(s, name, value, err);
	event = arena_strndup(&s->arena, name, (size_t)(sign - name));
	if (!event)
		return jfrec_fail_memory(err);
	return set_setting(s, event, sign + 1, value, *key == '+', err);
}
