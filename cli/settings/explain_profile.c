/* SPDX-License-Identifier: MIT */
/*
 * explain_profile.c - explain a profile: its purpose and its contents
 */
#include <stdlib.h>
#include <string.h>

#include "common/report.h"
#include "settings/dictionary.h"
#include "settings/explain.h"

struct subject {
	const char *name;
	struct jfrec_dictionary *d;
	struct jfrec_settings *s;
	size_t options, rows;
	json_t *left_out;
};

/* The comment that it begins with, without the signs. */
static char *about(const char *name)
{
	const char *text = jfrec_profile_text(name);
	char *to = malloc(strlen(text) + 1), *end = to;

	while (to && *text == '#') {
		size_t len = strcspn(text, "\n") + 1;
		size_t sign = text[1] == ' ' ? 2 : 1;

		memcpy(end, text + sign, len - sign);
		end += len - sign;
		text += len;
	}
	if (to)
		*end = '\0';
	return to;
}

static void note_left_out(void *ctx, const char *event, const char *setting)
{
	struct subject *p = ctx;

	if (!setting)
		json_array_append_new(p->left_out, json_string(event));
}

/* Text ----------------------------------------------------------------------------------------- */

static void print_options(const struct subject *p)
{
	puts("\nOptions");
	for (size_t i = 0; i < p->options; i++) {
		const struct jfrec_settings_option *o = jfrec_settings_option_get(p->s, i);

		printf("  %-20s %-8s  %s\n", o->name, o->value,
		       o->description ? o->description : o->label);
	}
}

static bool is_everywhere(const struct jfrec_dictionary *d, uint32_t presence)
{
	return presence == (UINT64_C(1) << jfrec_dictionary_jdk_count(d)) - 1;
}

/* The settings of the event of row i, in one line.  Returns the first row behind it. */
static size_t print_event(struct subject *p, size_t i)
{
	const char *event = jfrec_settings_get(p->s, i)->event, *separator = " (";
	uint32_t presence = jfrec_dictionary_presence(p->d, event, JFREC_PART_TYPE, NULL);
	char range[JDK_RANGE_MAX];

	printf("  %s", event);
	for (; i < p->rows && strcmp(jfrec_settings_get(p->s, i)->event, event) == 0; i++) {
		const struct jfrec_setting *row = jfrec_settings_get(p->s, i);
		bool usual = strcmp(row->name, "enabled") == 0 && strcmp(row->value, "true") == 0;

		if (usual)
			continue;
		printf("%s%s %s", separator, row->name, row->value);
		separator = ", ";
	}
	fputs(*separator == ',' ? ")" : "", stdout);
	if (!is_everywhere(p->d, presence))
		printf("  %s", jdk_range(p->d, presence, range));
	putchar('\n');
	return i;
}

static int print_text(struct subject *p)
{
	char *text = about(p->name);
	size_t i = 0;

	fputs(text ? text : "", stdout);
	free(text);
	if (p->options)
		print_options(p);
	puts("\nEvents");
	while (i < p->rows)
		i = print_event(p, i);
	if (json_array_size(p->left_out)) {
		printf("\nOmitted, since JDK %d does not have them\n", jfrec_dictionary_jdk(p->d));
		for (i = 0; i < json_array_size(p->left_out); i++)
			printf("  %s\n", json_string_value(json_array_get(p->left_out, i)));
	}
	return finish_stdout();
}

/* JSON ----------------------------------------------------------------------------------------- */

static json_t *options_json(const struct subject *p)
{
	json_t *array = json_array();

	for (size_t i = 0; i < p->options; i++) {
		const struct jfrec_settings_option *o = jfrec_settings_option_get(p->s, i);

		json_array_append_new(array, json_pack("{s:s, s:s?, s:s?, s:s?}", "name", o->name,
						       "label", o->label, "description",
						       o->description, "value", o->value));
	}
	return array;
}

static json_t *event_json(struct subject *p, size_t *i)
{
	const char *event = jfrec_settings_get(p->s, *i)->event;
	uint32_t presence = jfrec_dictionary_presence(p->d, event, JFREC_PART_TYPE, NULL);
	json_t *settings = json_object();

	for (; *i < p->rows && strcmp(jfrec_settings_get(p->s, *i)->event, event) == 0; ++*i) {
		const struct jfrec_setting *row = jfrec_settings_get(p->s, *i);

		json_object_set_new(settings, row->name, text_json(row->value));
	}
	return json_pack("{s:s, s:o, s:o}", "event", event, "jdks", jdks_json(p->d, presence),
			 "settings", settings);
}

static int print_as_json(struct subject *p)
{
	json_t *events = json_array();
	char *text = about(p->name);
	json_t *document;
	size_t i = 0;

	while (i < p->rows)
		json_array_append_new(events, event_json(p, &i));
	document = json_pack("{s:s, s:o, s:o, s:o, s:o}", "profile", p->name, "about",
			     text_json(text), "options", options_json(p), "events", events,
			     "leftOut", json_incref(p->left_out));
	free(text);
	return print_json(document);
}

/* ---------------------------------------------------------------------------------------------- */

static int fit(struct subject *p, int jdk, struct jfrec_error *err)
{
	const char *text = jfrec_profile_text(p->name);

	p->s = jfrec_settings_parse(text, strlen(text), err);
	if (!p->s || (jdk && jfrec_settings_fit(p->s, p->d, note_left_out, p, err) < 0))
		return -1;
	if (jfrec_settings_list(p->s, err) < 0)
		return -1;
	p->options = jfrec_settings_option_count(p->s);
	p->rows = jfrec_settings_count(p->s);
	return 0;
}

int explain_profile(const char *name, int jdk, bool json)
{
	struct subject p = { .name = name, .d = open_dictionary(jdk), .left_out = json_array() };
	struct jfrec_error err;
	int status = EXIT_FAILED;

	if (p.d && fit(&p, jdk, &err) < 0)
		status = report_dictionary(&err);
	else if (p.d)
		status = json ? print_as_json(&p) : print_text(&p);
	json_decref(p.left_out);
	jfrec_settings_free(p.s);
	jfrec_dictionary_free(p.d);
	return status;
}
