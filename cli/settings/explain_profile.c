/* SPDX-License-Identifier: MIT */
/*
 * explain_profile.c - explain a profile or a settings file: its purpose and its contents
 */
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "opts/dictionary.h"
#include "settings/explain.h"

struct subject {
	const char *name;
	const char *path; /* of a file; NULL: a profile */
	struct jfrec_dictionary *d;
	struct jfrec_settings *s;
	struct jfrec_settings *of_jdk; /* the JDK's options, which profiles take as well */
	size_t options, rows;
	json_t *left_out;
};

/* What a .jfc file says of itself is one line. */
static char *about_file(const struct subject *p)
{
	const char *description = jfrec_settings_description(p->s);
	char *text;

	return asprintf(&text, "%s - %s\n\n%s\n", p->name,
			description ? description : jfrec_settings_label(p->s), p->path) < 0
		       ? NULL
		       : text;
}

/* The comment that a profile begins with, without the signs. */
static char *about(const struct subject *p)
{
	const char *text = p->path ? NULL : jfrec_profile_text(p->name);
	char *to = text ? malloc(strlen(text) + 1) : NULL, *end = to;

	if (!text)
		return about_file(p);
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

/* A file's owner chose what it says. */
static void put_cell(const char *text, size_t width)
{
	size_t len = strlen(text);

	print_name(text);
	printf("%*s", (int)(len < width ? width - len : 0), "");
}

static void print_options(const struct subject *p)
{
	puts("\nOptions");
	for (size_t i = 0; i < p->options; i++) {
		const struct jfrec_settings_option *o = jfrec_settings_option_get(p->s, i);

		fputs("  ", stdout);
		put_cell(o->name, 21);
		put_cell(o->value, 10);
		put_cell(o->description ? o->description : o->label, 0);
		putchar('\n');
	}
}

static bool has_option(const struct subject *p, const char *name)
{
	for (size_t i = 0; i < p->options; i++) {
		if (strcmp(jfrec_settings_option_get(p->s, i)->name, name) == 0)
			return true;
	}
	return false;
}

/* The next one, from number *i on, that the profile does not have itself. */
static const struct jfrec_settings_option *next_of_jdk(const struct subject *p, size_t *i)
{
	const struct jfrec_settings_option *o;

	while ((o = p->of_jdk ? jfrec_settings_option_get(p->of_jdk, (*i)++) : NULL)) {
		if (!has_option(p, o->name))
			break;
	}
	return o;
}

/* What an option without choices takes. */
static const char *what_it_takes(const struct jfrec_settings_option *o)
{
	if (o->kind == JFREC_OPTION_FLAG)
		return "true, false";
	if (o->type && strcmp(o->type, "timespan") == 0)
		return "a duration, such as 5ms";
	if (o->type && strcmp(o->type, "method-filter") == 0)
		return "methods, such as Shop::work or @Path, with semicolons between them";
	return o->label;
}

static void print_of_jdk(const struct subject *p)
{
	const struct jfrec_settings_option *o;
	const char *before;
	size_t i = 0;

	if (!next_of_jdk(p, &i))
		return;
	printf("\nOptions of JDK %d's profile.jfc, which it takes as well\n",
	       jfrec_dictionary_jdk(p->d));
	for (i = 0; (o = next_of_jdk(p, &i));) {
		fputs("  ", stdout);
		put_cell(o->name, 21);
		before = "";
		for (size_t k = 0; k < jfrec_settings_choice_count(o); k++) {
			printf("%s%s", before, jfrec_settings_choice_get(o, k)->name);
			before = ", ";
		}
		puts(*before ? "" : what_it_takes(o));
	}
}

static bool is_everywhere(const struct jfrec_dictionary *d, uint32_t presence)
{
	return presence == (UINT64_C(1) << jfrec_dictionary_jdk_count(d)) - 1;
}

/* The settings of the event of row i, in one line.  Returns the first row after it. */
static size_t print_event(struct subject *p, size_t i)
{
	const char *event = jfrec_settings_get(p->s, i)->event, *separator = " (";
	uint32_t presence = jfrec_dictionary_presence(p->d, event, JFREC_PART_TYPE, NULL);
	char range[JDK_RANGE_MAX];

	fputs("  ", stdout);
	print_name(event);
	for (; i < p->rows && strcmp(jfrec_settings_get(p->s, i)->event, event) == 0; i++) {
		const struct jfrec_setting *row = jfrec_settings_get(p->s, i);
		bool usual = strcmp(row->name, "enabled") == 0 && strcmp(row->value, "true") == 0;

		if (usual)
			continue;
		fputs(separator, stdout);
		print_name(row->name);
		putchar(' ');
		print_name(row->value);
		separator = ", ";
	}
	fputs(*separator == ',' ? ")" : "", stdout);
	if (!is_everywhere(p->d, presence))
		printf("  %s", jdk_range(p->d, presence, range));
	putchar('\n');
	return i;
}

static void put_text(char *text)
{
	for (char *line; (line = strsep(&text, "\n")) && (text || *line);) {
		print_name(line);
		putchar('\n');
	}
}

static int print_text(struct subject *p)
{
	char *text = about(p);
	size_t i = 0;

	if (text)
		put_text(text);
	free(text);
	if (p->options)
		print_options(p);
	print_of_jdk(p);
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

		json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:o}", "name",
						       text_json(o->name), "label",
						       text_json(o->label), "description",
						       text_json(o->description), "value",
						       text_json(o->value)));
	}
	return array;
}

static json_t *of_jdk_json(const struct subject *p)
{
	const struct jfrec_settings_option *o;
	json_t *array = json_array();

	for (size_t i = 0; (o = next_of_jdk(p, &i));) {
		json_t *choices = json_array();

		for (size_t k = 0; k < jfrec_settings_choice_count(o); k++)
			json_array_append_new(choices,
					      text_json(jfrec_settings_choice_get(o, k)->name));
		json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:o}", "name",
						       text_json(o->name), "label",
						       text_json(o->label), "type",
						       text_json(o->type), "choices", choices));
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
	return json_pack("{s:o, s:o, s:o}", "event", text_json(event), "jdks", jdks_json(p->d, presence),
			 "settings", settings);
}

static int print_as_json(struct subject *p)
{
	json_t *events = json_array();
	char *text = about(p);
	json_t *document;
	size_t i = 0;

	while (i < p->rows)
		json_array_append_new(events, event_json(p, &i));
	document = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "profile", text_json(p->name), "about",
			     text_json(text), "options", options_json(p), "jdkOptions",
			     of_jdk_json(p), "events", events, "leftOut",
			     json_incref(p->left_out));
	free(text);
	return print_document("settings-explain-profile", document);
}

/* ---------------------------------------------------------------------------------------------- */

static int fit(struct subject *p, int jdk, struct jfrec_error *err)
{
	const char *text = p->path ? NULL : jfrec_profile_text(p->name);

	p->s = text ? jfrec_settings_parse(text, strlen(text), err)
		    : jfrec_settings_read(p->path, err);
	if (!p->s || (jdk && jfrec_settings_fit(p->s, p->d, note_left_out, p, err) < 0))
		return -1;
	if (jfrec_settings_list(p->s, err) < 0)
		return -1;
	p->of_jdk = text ? jfrec_dictionary_options(p->d, err) : NULL;
	if (text && (!p->of_jdk || jfrec_settings_list(p->of_jdk, err) < 0))
		return -1;
	p->options = jfrec_settings_option_count(p->s);
	p->rows = jfrec_settings_count(p->s);
	return 0;
}

static int fail_file(const char *path, const struct jfrec_error *err)
{
	say(path, err->text);
	return EXIT_FAILED;
}

int explain_profile(const char *name, const char *path, int jdk, bool json)
{
	struct subject p = {
		.name = name, .path = path, .d = open_dictionary(jdk), .left_out = json_array()
	};
	struct jfrec_error err;
	int status = EXIT_FAILED;

	if (p.d && fit(&p, jdk, &err) < 0)
		status = path ? fail_file(path, &err) : report_dictionary(&err);
	else if (p.d)
		status = json ? print_as_json(&p) : print_text(&p);
	json_decref(p.left_out);
	jfrec_settings_free(p.s);
	jfrec_settings_free(p.of_jdk);
	jfrec_dictionary_free(p.d);
	return status;
}
