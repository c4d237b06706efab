/* SPDX-License-Identifier: MIT */
/*
 * setting_list.c - list settings and options as rows
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "settings/model.h"

/* Settings ------------------------------------------------------------------------------------- */

bool element_is_jvm_setting(const struct element *e)
{
	return e->kind == ELEMENT_SETTING && element_get(e, "name") && e->parent &&
	       e->parent->kind == ELEMENT_EVENT && element_get(e->parent, "name");
}

static int by_name(const struct jfrec_setting *a, const struct jfrec_setting *b)
{
	int order = strcmp(a->event, b->event);

	return order ? order : strcmp(a->name, b->name);
}

/* An array of pointers into the rows: equal names in the order of the rows. */
static int by_name_and_place(const void *a, const void *b)
{
	const struct jfrec_setting *left = *(const struct jfrec_setting *const *)a;
	const struct jfrec_setting *right = *(const struct jfrec_setting *const *)b;
	int order = by_name(left, right);

	return order ? order : left < right ? -1 : left > right;
}

static size_t fill(struct jfrec_settings *s)
{
	size_t n = 0;

	for (const struct element *e = s->root; e; e = element_next(s->root, e)) {
		if (!element_is_jvm_setting(e))
			continue;
		if (s->rows)
			s->rows[n] = (struct jfrec_setting){
				.event = element_get(e->parent, "name"),
				.name = element_get(e, "name"),
				.value = e->text,
				.control = element_get(e, "control"),
				.line = e->line,
				.changed = e->changed,
			};
		n++;
	}
	return n;
}

/* Of rows with one name only the last stays. */
static int drop_repeated(struct jfrec_settings *s, size_t count)
{
	struct jfrec_setting **sorted = calloc(count + 1, sizeof(*sorted));

	if (!sorted)
		return -1;
	for (size_t i = 0; i < count; i++)
		sorted[i] = &s->rows[i];
	qsort(sorted, count, sizeof(*sorted), by_name_and_place);
	for (size_t i = 1; i < count; i++) {
		if (by_name(sorted[i - 1], sorted[i]) == 0)
			sorted[i - 1]->event = NULL;
	}
	free(sorted);
	for (size_t i = 0; i < count; i++) {
		if (s->rows[i].event)
			s->rows[s->row_count++] = s->rows[i];
	}
	return 0;
}

static int list_rows(struct jfrec_settings *s)
{
	size_t count = fill(s);

	s->rows = calloc(count + 1, sizeof(*s->rows));
	return s->rows && fill(s) == count && drop_repeated(s, count) == 0 ? 0 : -1;
}

size_t jfrec_settings_count(const struct jfrec_settings *s)
{
	return s->row_count;
}

const struct jfrec_setting *jfrec_settings_get(const struct jfrec_settings *s, size_t i)
{
	return i < s->row_count ? &s->rows[i] : NULL;
}

void jfrec_settings_forget_changes(struct jfrec_settings *s)
{
	settings_changed(s);
	for (struct element *e = s->root; e; e = element_next(s->root, e))
		e->changed = false;
}

const char *jfrec_settings_value(const struct jfrec_settings *s, const char *event,
				 const char *setting)
{
	const char *value = NULL;

	for (const struct element *e = s->root; e; e = element_next(s->root, e)) {
		if (element_is_jvm_setting(e) && element_is_named(e, setting) &&
		    element_is_named(e->parent, event))
			value = e->text;
	}
	return value;
}

/* Options -------------------------------------------------------------------------------------- */

static int add_choices(struct jfrec_settings *s, struct listed_option *o,
		       const struct element *selection)
{
	size_t n = 0;

	for (const struct element *c = selection->first; c; c = c->next)
		n++;
	o->choices = arena_zalloc(&s->arena, n + 1, sizeof(*o->choices));
	if (!o->choices)
		return -1;
	for (const struct element *c = selection->first; c; c = c->next) {
		if (c->kind == ELEMENT_OPTION)
			o->choices[o->choice_count++] =
				(struct jfrec_settings_choice){ element_get(c, "name"),
								element_get(c, "label"), c->text };
	}
	return 0;
}

static int fill_option(struct jfrec_settings *s, struct listed_option *o, const struct element *e)
{
	o->shown = (struct jfrec_settings_option){
		.kind = e->kind == ELEMENT_SELECTION ? JFREC_OPTION_SELECTION
			: e->kind == ELEMENT_TEXT    ? JFREC_OPTION_TEXT
						     : JFREC_OPTION_FLAG,
		.name = element_get(e, "name"),
		.label = element_get(e, "label"),
		.description = element_get(e, "description"),
		.type = element_get(e, "contentType"),
		.minimum = element_get(e, "minimum"),
		.maximum = element_get(e, "maximum"),
		.value = e->kind == ELEMENT_SELECTION ? element_get(e, "default") : e->text,
	};
	return e->kind == ELEMENT_SELECTION ? add_choices(s, o, e) : 0;
}

static int list_options(struct jfrec_settings *s)
{
	const struct element *e = NULL;
	size_t n = 0;

	while ((e = settings_next_control(s->root, e)))
		n++;
	s->options = calloc(n + 1, sizeof(*s->options));
	if (!s->options)
		return -1;
	while ((e = settings_next_control(s->root, e))) {
		if (!e->stray && element_is_input(e) &&
		    fill_option(s, &s->options[s->option_count++], e) < 0)
			return -1;
	}
	return 0;
}

size_t jfrec_settings_option_count(const struct jfrec_settings *s)
{
	return s->option_count;
}

const struct jfrec_settings_option *jfrec_settings_option_get(const struct jfrec_settings *s,
							      size_t i)
{
	return i < s->option_count ? &s->options[i].shown : NULL;
}

/* What the caller has a pointer to is the beginning of it. */
static const struct listed_option *listed(const struct jfrec_settings_option *o)
{
	return (const struct listed_option *)o;
}

size_t jfrec_settings_choice_count(const struct jfrec_settings_option *o)
{
	return listed(o)->choice_count;
}

const struct jfrec_settings_choice *jfrec_settings_choice_get(const struct jfrec_settings_option *o,
							      size_t i)
{
	return i < listed(o)->choice_count ? &listed(o)->choices[i] : NULL;
}

/* Both ----------------------------------------------------------------------------------------- */

int jfrec_settings_list(struct jfrec_settings *s, struct jfrec_error *err)
{
	if (s->rows)
		return 0;
	if (list_rows(s) == 0 && list_options(s) == 0)
		return 0;
	settings_changed(s);
	return jfrec_fail_memory(err);
}
