/* SPDX-License-Identifier: MIT */
/*
 * explain_event.c - explain an event: its meaning, its cost, its settings
 */
#include <string.h>

#include "base/report.h"
#include "opts/dictionary.h"
#include "settings/explain.h"

/* Where texts are broken. */
#define WIDTH 80

/* An event of a JDK, and whatever there is to say about it. */
struct subject {
	struct jfrec_dictionary *d;
	const struct jfrec_type *event;
	const struct jfrec_explanation *x;
};

/* Text ----------------------------------------------------------------------------------------- */

void put_paragraph(const char *title, const char *text)
{
	size_t column = INDENT;

	printf("%-*s", INDENT, title);
	while (*text) {
		size_t len = strcspn(text, " ");

		if (column > INDENT && column + 1 + len > WIDTH) {
			printf("\n%*s", INDENT, "");
			column = INDENT;
		} else if (column > INDENT) {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)len, text);
		column += len;
		text += len + strspn(text + len, " ");
	}
	putchar('\n');
}

static const struct jfrec_annotation *find_annotation(const struct jfrec_type *t, const char *name)
{
	const struct jfrec_annotation *a;

	for (unsigned i = 0; (a = jfrec_type_annotation_get(t, i)); i++) {
		if (strcmp(jfrec_annotation_name(a), name) == 0)
			return a;
	}
	return NULL;
}

static void put_category(const struct jfrec_type *t)
{
	const struct jfrec_annotation *a = find_annotation(t, "jdk.jfr.Category");

	for (unsigned i = 0; a && i < jfrec_annotation_member_count(a); i++)
		printf("%s%s", i ? ", " : "", jfrec_annotation_member_value(a, i));
}

/* What numbers of a field mean, as far as one word can say that. */
static const char *unit_of(const struct jfrec_field *f)
{
	static const char *const units[][2] = {
		{ "jdk.jfr.Timespan", "time span" },	{ "jdk.jfr.Timestamp", "time" },
		{ "jdk.jfr.DataAmount", "bytes" },	{ "jdk.jfr.Percentage", "part of 1" },
		{ "jdk.jfr.MemoryAddress", "address" }, { "jdk.jfr.Frequency", "Hz" },
	};

	for (unsigned i = 0; i < jfrec_field_annotation_count(f); i++) {
		const char *name = jfrec_annotation_name(jfrec_field_annotation_get(f, i));

		for (size_t k = 0; k < sizeof(units) / sizeof(*units); k++) {
			if (strcmp(name, units[k][0]) == 0)
				return units[k][1];
		}
	}
	return NULL;
}

static const char *simple_name(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot + 1 : name;
}

static const char *type_name(const struct jfrec_field *f)
{
	const struct jfrec_type *t = jfrec_field_type(f);

	return t ? simple_name(jfrec_type_name(t)) : "?";
}

/* "  JDK 17 and later" after a part of an event that older JDKs have, too. */
static void end_part(const struct subject *s, enum jfrec_part part, const char *name)
{
	const char *event = jfrec_type_name(s->event);
	uint32_t presence = jfrec_dictionary_presence(s->d, event, part, name);
	char range[JDK_RANGE_MAX];

	if (presence != jfrec_dictionary_presence(s->d, event, JFREC_PART_TYPE, NULL))
		printf("  %s", jdk_range(s->d, presence, range));
	putchar('\n');
}

static const char *value_of(const struct subject *s, const char *setting, enum jfrec_settings_of of)
{
	const char *value = jfrec_dictionary_value(s->d, jfrec_type_name(s->event), setting, of);

	return !value ? "?" : *value ? value : "\"\"";
}

static void print_settings(const struct subject *s)
{
	const struct jfrec_field *f;

	printf("\n%-14s%-14s%-14s%s\n", "Setting", "Not set", "default.jfc", "profile.jfc");
	for (unsigned i = 0; (f = jfrec_type_setting_get(s->event, i)); i++) {
		const char *name = jfrec_field_name(f);

		printf("%-14s%-14s%-14s%s", name, value_of(s, name, JFREC_DECLARED),
		       value_of(s, name, JFREC_DEFAULT_JFC), value_of(s, name, JFREC_PROFILE_JFC));
		end_part(s, JFREC_PART_SETTING, name);
	}
}

static void print_fields(const struct subject *s)
{
	const struct jfrec_field *f;

	printf("\n%-28s%-20s%s\n", "Field", "Type", "Label");
	for (unsigned i = 0; (f = jfrec_type_field_get(s->event, i)); i++) {
		const char *label = jfrec_field_label(f), *unit = unit_of(f);
		char type[64];

		snprintf(type, sizeof(type), "%s%s", type_name(f),
			 jfrec_field_is_array(f) ? "[]" : "");
		printf("%-28s%-20s%s", jfrec_field_name(f), type, label ? label : "");
		if (unit)
			printf(" (%s)", unit);
		end_part(s, JFREC_PART_FIELD, jfrec_field_name(f));
	}
}

/* Profiles ------------------------------------------------------------------------------------- */

/* Is the event in that profile, and on? */
static bool is_in_profile(const char *profile, const char *event)
{
	const char *text = jfrec_profile_text(profile), *enabled = NULL;
	struct jfrec_settings *s = jfrec_settings_parse(text, strlen(text), NULL);
	bool is_in;

	if (s)
		enabled = jfrec_settings_value(s, event, "enabled");
	is_in = enabled && strcmp(enabled, "true") == 0;
	jfrec_settings_free(s);
	return is_in;
}

static json_t *profiles_json(const char *event)
{
	json_t *array = json_array();
	const char *name;

	for (size_t i = 0; (name = jfrec_profiles_get(i)); i++) {
		if (is_in_profile(name, event))
			json_array_append_new(array, json_string(name));
	}
	return array;
}

static void put_profiles(const char *event)
{
	char list[256] = "";
	const char *name;

	for (size_t i = 0; (name = jfrec_profiles_get(i)); i++) {
		size_t len = strlen(list);

		if (is_in_profile(name, event))
			snprintf(list + len, sizeof(list) - len, "%s%s", len ? ", " : "", name);
	}
	put_paragraph("profiles", *list ? list : "none of the built-in ones");
}

static int print_event(const struct subject *s)
{
	const char *name = jfrec_type_name(s->event), *label = jfrec_type_label(s->event);
	char range[JDK_RANGE_MAX];

	printf("%s: %s (", name, label ? label : simple_name(name));
	put_category(s->event);
	puts(")\n");
	put_paragraph("records", s->x->records ? s->x->records : "see its label and fields");
	put_paragraph("costs", s->x->cost);
	put_paragraph("is in",
		      jdk_range(s->d, jfrec_dictionary_presence(s->d, name, JFREC_PART_TYPE, NULL),
				range));
	put_profiles(name);
	printf("\nIn JDK %d:\n", jfrec_dictionary_jdk(s->d));
	print_settings(s);
	print_fields(s);
	return finish_stdout();
}

/* JSON ----------------------------------------------------------------------------------------- */

/* A key and its value are a line. */
/* clang-format off */
json_t *jdks_json(const struct jfrec_dictionary *d, uint32_t presence)
{
	json_t *array = json_array();

	for (size_t i = 0; i < jfrec_dictionary_jdk_count(d); i++) {
		if (presence >> i & 1)
			json_array_append_new(array, json_integer(jfrec_dictionary_jdk_get(d, i)));
	}
	return array;
}

static json_t *presence_json(const struct subject *s, enum jfrec_part part, const char *name)
{
	return jdks_json(s->d,
			 jfrec_dictionary_presence(s->d, jfrec_type_name(s->event), part, name));
}

static json_t *category_json(const struct jfrec_type *t)
{
	const struct jfrec_annotation *a = find_annotation(t, "jdk.jfr.Category");
	json_t *array = json_array();

	for (unsigned i = 0; a && i < jfrec_annotation_member_count(a); i++)
		json_array_append_new(array, text_json(jfrec_annotation_member_value(a, i)));
	return array;
}

static json_t *value_json(const struct subject *s, const char *setting, enum jfrec_settings_of of)
{
	return text_json(jfrec_dictionary_value(s->d, jfrec_type_name(s->event), setting, of));
}

static json_t *setting_json(const struct subject *s, const char *name)
{
	return json_pack("{s:s, s:o, s:o, s:o, s:o}",
			 "name", name,
			 "unset", value_json(s, name, JFREC_DECLARED),
			 "default.jfc", value_json(s, name, JFREC_DEFAULT_JFC),
			 "profile.jfc", value_json(s, name, JFREC_PROFILE_JFC),
			 "jdks", presence_json(s, JFREC_PART_SETTING, name));
}

static json_t *field_json(const struct subject *s, const struct jfrec_field *f)
{
	return json_pack("{s:s, s:s, s:b, s:s?, s:s?, s:o}",
			 "name", jfrec_field_name(f),
			 "type", type_name(f),
			 "array", jfrec_field_is_array(f),
			 "label", jfrec_field_label(f),
			 "unit", unit_of(f),
			 "jdks", presence_json(s, JFREC_PART_FIELD, jfrec_field_name(f)));
}

static int print_event_json(const struct subject *s)
{
	json_t *settings = json_array(), *fields = json_array();
	const struct jfrec_field *f;

	for (unsigned i = 0; (f = jfrec_type_setting_get(s->event, i)); i++)
		json_array_append_new(settings, setting_json(s, jfrec_field_name(f)));
	for (unsigned i = 0; (f = jfrec_type_field_get(s->event, i)); i++)
		json_array_append_new(fields, field_json(s, f));
	return print_document("settings-explain-event",
		json_pack("{s:s, s:s?, s:o, s:s?, s:s, s:o, s:o, s:i, s:o, s:o}",
				    "event", jfrec_type_name(s->event),
				    "label", jfrec_type_label(s->event),
				    "category", category_json(s->event),
				    "records", s->x->records,
				    "cost", s->x->cost,
				    "jdks", presence_json(s, JFREC_PART_TYPE, NULL),
				    "profiles", profiles_json(jfrec_type_name(s->event)),
				    "jdk", jfrec_dictionary_jdk(s->d),
				    "settings", settings,
				    "fields", fields));
}
/* clang-format on */

/* Which event ---------------------------------------------------------------------------------- */

/* "SocketRead" is jdk.SocketRead. */
static void full_name(char *to, size_t size, const char *name)
{
	snprintf(to, size, "%s%s", strchr(name, '.') ? "" : "jdk.", name);
}

/* The newest JDK that has it, or 0. */
static int newest_with(const struct jfrec_dictionary *d, const char *name)
{
	uint32_t presence = jfrec_dictionary_presence(d, name, JFREC_PART_TYPE, NULL);
	size_t i = jfrec_dictionary_jdk_count(d);

	while (i > 0 && !(presence >> (i - 1) & 1))
		i--;
	return i ? jfrec_dictionary_jdk_get(d, i - 1) : 0;
}

/* Does the JDK of the dictionary have it? */
static bool is_in(const struct jfrec_dictionary *d, uint32_t presence)
{
	size_t i = jfrec_dictionary_jdk_count(d);

	while (i > 0 && jfrec_dictionary_jdk_get(d, i - 1) != jfrec_dictionary_jdk(d))
		i--;
	return i && presence >> (i - 1) & 1;
}

static void fail_near(const struct jfrec_dictionary *d, const char *name)
{
	const char *names[JFREC_NEAR_MAX];
	size_t count = jfrec_dictionary_near(d, name, names);

	fputs(": no JDK has such an event", stderr);
	for (size_t i = 0; i < count; i++)
		fprintf(stderr, "%s%s", !i ? "; did you mean " : i + 1 < count ? ", " : " or ",
			names[i]);
	fputs(count ? "?\n" : "\n", stderr);
}

static int say_unknown(const struct jfrec_dictionary *d, const char *name)
{
	uint32_t presence = jfrec_dictionary_presence(d, name, JFREC_PART_TYPE, NULL);
	char text[JDK_RANGE_MAX];

	fputs("jfrec: ", stderr);
	put_name(stderr, name);
	if (is_in(d, presence))
		fputs(": it is a type, but not an event\n", stderr);
	else if (presence)
		fprintf(stderr, ": JDK %d has no such event, only %s\n", jfrec_dictionary_jdk(d),
			jdk_range(d, presence, text));
	else
		fail_near(d, name);
	return EXIT_FAILED;
}

static int explain_in(struct subject *s, const char *name, bool json)
{
	struct jfrec_error err;

	s->event = jfrec_dictionary_event(s->d, name);
	if (!s->event)
		return say_unknown(s->d, name);
	s->x = jfrec_dictionary_explain(s->d, s->event, &err);
	if (!s->x)
		return report_dictionary(&err);
	return json ? print_event_json(s) : print_event(s);
}

int explain_event(const char *word, int jdk, bool json)
{
	struct subject s = { .d = open_dictionary(jdk) };
	char name[256];
	int newest, status;

	if (!s.d)
		return EXIT_FAILED;
	full_name(name, sizeof(name), word);
	newest = newest_with(s.d, name);
	if (!jdk && newest) {
		jfrec_dictionary_free(s.d);
		s.d = open_dictionary(newest);
	}
	status = s.d ? explain_in(&s, name, json) : EXIT_FAILED;
	jfrec_dictionary_free(s.d);
	return status;
}
