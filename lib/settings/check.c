/* SPDX-License-Identifier: MIT */
/*
 * check.c - check the values in settings for mistakes, without a dictionary
 *
 * JVMs take nearly everything: what they do not understand is ignored, without a word.
 */
#include "settings/check.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "settings/method_filter.h"
#include "settings/timespan.h"

#define MS INT64_C(1000000)

/* Findings ------------------------------------------------------------------------------------- */

const char *check_text(struct check *c, const char *format, ...)
{
	char text[512], *copy;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	copy = arena_strndup(&c->arena, text, strlen(text));
	if (!copy)
		c->failed = true;
	return copy ? copy : "";
}

void check_add(struct check *c, bool wrong, const struct element *e, const char *text,
	       const char *remedy)
{
	const struct element *event = e->kind == ELEMENT_SETTING ? e->parent : e;
	const struct element *control = e;

	/* A test has the name of another one. */
	while (control->kind >= ELEMENT_AND && control->parent)
		control = control->parent;
	if (!array_reserve(c->findings, c->count, c->room)) {
		c->failed = true;
		return;
	}
	c->findings[c->count++] = (struct jfrec_settings_finding){
		.wrong = wrong,
		.line = e->line,
		.column = e->column,
		.event = event->kind == ELEMENT_EVENT ? element_get(event, "name") : NULL,
		.setting = e->kind == ELEMENT_SETTING ? element_get(e, "name") : NULL,
		.option = event->kind == ELEMENT_EVENT ? NULL : element_get(control, "name"),
		.text = text,
		.remedy = remedy,
	};
}

void check_fini(struct check *c)
{
	free(c->findings);
	arena_fini(&c->arena);
}

/* Values of settings --------------------------------------------------------------------------- */

static bool is_any(const char *text, const char *const *words)
{
	while (*words && strcmp(text, *words) != 0)
		words++;
	return *words;
}

/* The word that differs from the text in upper and lower case only. */
static const char *other_case(const char *text, const char *const *words)
{
	while (*words && strcasecmp(text, *words) != 0)
		words++;
	return *words;
}

/* One of some words, in that spelling. */
static void check_words(struct check *c, const struct element *e, const char *const *words,
			const char *wanted)
{
	const char *meant = other_case(e->text, words);

	if (is_any(e->text, words))
		return;
	check_add(c, true, e, check_text(c, "'%.60s' is not %s", e->text, wanted),
		  meant ? check_text(c, "write %s", meant) : NULL);
}

static void check_boolean(struct check *c, const struct element *e)
{
	static const char *const words[] = { "true", "false", NULL };

	check_words(c, e, words, "true or false");
}

/* False: it is not one, which was reported. */
static bool check_timespan(struct check *c, const struct element *e, int64_t *ns)
{
	switch (timespan_parse(e->text, NULL, ns)) {
	case TIMESPAN_NO_UNIT:
		check_add(c, true, e, check_text(c, "'%.60s' has no unit", e->text),
			  check_text(c, "write %.60s ms, or ns, us, s, m, h, d", e->text));
		return false;
	case TIMESPAN_WRONG:
		check_add(c, true, e, check_text(c, "'%.60s' is not a duration", e->text),
			  "write a whole number and ns, us, ms, s, m, h or d, such as 20 ms");
		return false;
	default:
		break;
	}
	if (*ns >= 0)
		return true;
	check_add(c, true, e, check_text(c, "'%.60s' is negative", e->text), NULL);
	return false;
}

static void check_threshold(struct check *c, const struct element *e)
{
	int64_t ns;

	if (strcmp(e->text, "infinity") != 0)
		check_timespan(c, e, &ns);
}

static void check_period(struct check *c, const struct element *e)
{
	static const char *const words[] = { "everyChunk", "beginChunk", "endChunk", NULL };
	const char *meant = other_case(e->text, words);
	int64_t ns;

	if (is_any(e->text, words))
		return;
	if (meant)
		check_add(c, true, e, check_text(c, "'%.60s' is not a period", e->text),
			  check_text(c, "write %s", meant));
	else if (check_timespan(c, e, &ns) && ns < MS)
		check_add(c, true, e,
			  check_text(c, "a period of %.60s is shorter than a JVM accepts", e->text),
			  "write at least 1 ms");
}

/* "100/s", "off", and for jdk.CPUTimeSample "10 ms" */
static void check_throttle(struct check *c, const struct element *e)
{
	static const char *const units[] = { "ns", "us", "ms", "s", "m", "h", "d", NULL };
	const char *at = e->text;

	if (strcmp(at, "off") == 0)
		return;
	while (isdigit((unsigned char)*at))
		at++;
	if (at > e->text) {
		const char *unit = at + strspn(at, " ");

		if (*unit == '/' && is_any(unit + 1 + strspn(unit + 1, " "), units))
			return;
		if (element_is_named(e->parent, "jdk.CPUTimeSample") && is_any(unit, units))
			return;
	}
	check_add(c, true, e, check_text(c, "'%.60s' is not a rate", e->text),
		  "write a whole number, / and a unit of time, such as 100/s, or off");
}

static void check_level(struct check *c, const struct element *e)
{
	static const char *const words[] = { "forRemoval", "all", NULL };

	check_words(c, e, words, "forRemoval or all");
}

/* Events of applications may have other filters. */
static void check_filter(struct check *c, const struct element *e)
{
	const char *event = e->kind == ELEMENT_SETTING ? element_get(e->parent, "name") : "jdk.";
	struct method_filter_fault fault;

	if (strncmp(event, "jdk.", strlen("jdk.")) == 0 && !method_filter_check(e->text, &fault))
		check_add(c, true, e, check_text(c, "%s", fault.text),
			  check_text(c, "%s", fault.remedy));
}

/* Settings of these names mean the same for all events of the JDK. */
static void check_value(struct check *c, const struct element *e)
{
	static const struct {
		const char *name;
		void (*check)(struct check *c, const struct element *e);
	} rows[] = {
		{ "enabled", check_boolean },	  { "stackTrace", check_boolean },
		{ "threshold", check_threshold }, { "cutoff", check_threshold },
		{ "period", check_period },	  { "throttle", check_throttle },
		{ "level", check_level },	  { "filter", check_filter },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (element_is_named(e, rows[i].name))
			rows[i].check(c, e);
	}
}

/* Settings and what they refer to -------------------------------------------------------------- */

static void check_control(struct check *c, const struct element *e)
{
	struct evaluation v = { .root = c->s->root, .round = c->s->round };
	const char *control = element_get(e, "control"), *value;

	if (!control)
		return;
	if (!jfrec_settings_has_control(c->s, control)) {
		check_add(c, true, e, check_text(c, "there is no control '%.60s'", control), NULL);
		return;
	}
	value = evaluate(&v, control);
	if (value && strcmp(value, e->text) != 0)
		check_add(c, false, e,
			  check_text(c, "it is '%.60s', but '%.60s' gives '%.60s'", e->text,
				     control, value),
			  "an option that is set will change it");
}

static int by_setting(const void *a, const void *b)
{
	const struct element *left = *(const struct element *const *)a;
	const struct element *right = *(const struct element *const *)b;
	int order = strcmp(element_get(left->parent, "name"), element_get(right->parent, "name"));

	if (!order)
		order = strcmp(element_get(left, "name"), element_get(right, "name"));
	if (!order)
		order = left->line < right->line ? -1 : left->line > right->line;
	return order;
}

static bool is_same_setting(const struct element *a, const struct element *b)
{
	return element_is_named(a, element_get(b, "name")) &&
	       element_is_named(a->parent, element_get(b->parent, "name"));
}

/* What is there twice with two values contradicts itself. */
static void check_repeated(struct check *c, const struct element **settings, size_t count)
{
	qsort(settings, count, sizeof(*settings), by_setting);
	for (size_t i = 1; i < count; i++) {
		const struct element *first = settings[i - 1], *second = settings[i];

		if (is_same_setting(first, second) && strcmp(first->text, second->text) != 0)
			check_add(c, true, second,
				  check_text(c, "it is '%.60s' here and '%.60s' in line %u",
					     second->text, first->text, first->line),
				  "the JVM uses the last one");
	}
}

static void check_settings(struct check *c)
{
	const struct element **settings;
	size_t count = 0;

	settings = arena_zalloc(&c->arena, SETTINGS_MAX_ELEMENTS, sizeof(*settings));
	if (!settings) {
		c->failed = true;
		return;
	}
	c->s->round++;
	for (const struct element *e = c->s->root; e; e = element_next(c->s->root, e)) {
		if (!element_is_jvm_setting(e))
			continue;
		check_value(c, e);
		check_control(c, e);
		if (count < SETTINGS_MAX_ELEMENTS)
			settings[count++] = e;
	}
	check_repeated(c, settings, count);
}

/* Whether it is on is not said. */
static void check_enabled(struct check *c, const struct element *event)
{
	const char *name = element_get(event, "name");

	if (!name || !event->first)
		return;
	for (const struct element *e = event->first; e; e = e->next) {
		if (element_is_jvm_setting(e) && element_is_named(e, "enabled"))
			return;
	}
	if (jfrec_settings_value(c->s, name, "enabled"))
		return;
	check_add(c, false, event, "it has no `enabled`: the declaration of the event decides",
		  "add enabled: true or false");
}

/* Options -------------------------------------------------------------------------------------- */

static void check_limit(struct check *c, const struct element *e, const char *name, int sign)
{
	const char *limit = element_get(e, name);
	int64_t value, bound;

	if (limit && timespan_parse(limit, NULL, &bound) == TIMESPAN_OK &&
	    timespan_parse(e->text, NULL, &value) == TIMESPAN_OK &&
	    (sign < 0 ? value < bound : value > bound))
		check_add(c, true, e,
			  check_text(c, "'%.60s' is %s its %s, %.60s", e->text,
				     sign < 0 ? "below" : "above", name, limit),
			  NULL);
}

static void check_input(struct check *c, const struct element *e)
{
	const char *type = element_get(e, "contentType");
	int64_t ns;

	if (e->kind == ELEMENT_FLAG) {
		check_boolean(c, e);
	} else if (e->kind == ELEMENT_SELECTION && !selection_chosen(e)) {
		check_add(c, true, e,
			  check_text(c, "its default '%.60s' is not one of its choices",
				     element_get(e, "default")),
			  NULL);
	} else if (e->kind == ELEMENT_TEXT && type && strcmp(type, "method-filter") == 0) {
		check_filter(c, e);
	} else if (e->kind == ELEMENT_TEXT && type && strcmp(type, "timespan") == 0 &&
		   check_timespan(c, e, &ns)) {
		check_limit(c, e, "minimum", -1);
		check_limit(c, e, "maximum", 1);
	}
}

/* Can that control ever have the value?  Texts and conditions can have any. */
static bool can_be(const struct element *control, const char *value)
{
	if (control->kind == ELEMENT_FLAG)
		return strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
	if (control->kind != ELEMENT_SELECTION)
		return true;
	for (const struct element *o = control->first; o; o = o->next) {
		if (o->kind == ELEMENT_OPTION && strcmp(o->text, value) == 0)
			return true;
	}
	return false;
}

static void check_test(struct check *c, const struct element *e)
{
	const char *name = element_get(e, "name"), *value = element_get(e, "value");
	const struct element *control = NULL;
	bool found = false;

	while ((control = settings_next_control(c->s->root, control))) {
		if (control->stray || !element_is_named(control, name))
			continue;
		if (can_be(control, value))
			return;
		found = true;
	}
	if (found)
		check_add(c, false, e,
			  check_text(c, "'%.60s' never has the value '%.60s'", name, value),
			  "a test compares the value of a choice, not its name");
	else
		check_add(c, true, e, check_text(c, "there is no control '%.60s'", name), NULL);
}

/* Does a setting or a test refer to that control? */
static bool is_used(const struct check *c, const char *name)
{
	for (const struct element *e = c->s->root; e; e = element_next(c->s->root, e)) {
		const char *control = e->kind == ELEMENT_SETTING ? element_get(e, "control") : NULL;

		if ((control && strcmp(control, name) == 0) ||
		    (e->kind == ELEMENT_TEST && !e->stray && element_is_named(e, name)))
			return true;
	}
	return false;
}

static void check_controls(struct check *c)
{
	const struct element *e = NULL;

	while ((e = settings_next_control(c->s->root, e))) {
		if (e->stray)
			continue;
		if (element_is_input(e))
			check_input(c, e);
		if (!is_used(c, element_get(e, "name")))
			check_add(c, false, e, "no setting depends on it", NULL);
	}
}

/* ---------------------------------------------------------------------------------------------- */

void check_inside(struct check *c)
{
	check_settings(c);
	check_controls(c);
	for (const struct element *e = c->s->root; e; e = element_next(c->s->root, e)) {
		if (e->kind == ELEMENT_EVENT)
			check_enabled(c, e);
		if (e->kind == ELEMENT_TEST && !e->stray)
			check_test(c, e);
	}
}
