/* SPDX-License-Identifier: MIT */
/*
 * check_names.c - check the names in settings against the events that JDKs have
 */
#include "settings/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/near.h"

struct against {
	struct check check;
	const struct jfrec_dictionary *d;
	bool any; /* JDK will do */
};

/* "JDK 17, 21, 25", of bits as jfrec_dictionary_presence() has them. */
static const char *name_jdks(struct against *a, uint32_t presence)
{
	size_t count = jfrec_dictionary_jdk_count(a->d), len = 0;
	char text[128] = "";

	for (size_t i = 0; i < count && len < sizeof(text); i++) {
		if (presence & (1u << i))
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%d",
						len ? ", " : "JDK ",
						jfrec_dictionary_jdk_get(a->d, i));
	}
	return check_text(&a->check, "%s", text);
}

static const char *last_part(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot + 1 : name;
}

/* An event of an application, or one of the JDK with its name cut short or as of JDK 7. */
static void check_foreign(struct against *a, const struct element *e, const char *name)
{
	const char *meant = check_text(&a->check, "jdk.%.200s", last_part(name));

	if (strncmp(name, "jdk.", 4) != 0 && (!strchr(name, '.') || strstr(name, "oracle")) &&
	    jfrec_dictionary_presence(a->d, meant, JFREC_PART_TYPE, NULL))
		check_add(&a->check, false, e, "the JDK has no event of that name",
			  check_text(&a->check, "did you mean %s?", meant));
}

static const char *near_events(struct against *a, const char *name)
{
	struct near near = { .name = name };
	const char *names[JFREC_NEAR_MAX];
	size_t count = jfrec_dictionary_near(a->d, name, names);
	char list[NEAR_LIST_MAX];

	for (size_t i = 0; i < count; i++)
		near_offer(&near, names[i]);
	return check_text(&a->check, "%s", near_list(&near, list));
}

static void check_event(struct against *a, const struct element *e, const char *name)
{
	uint32_t presence = jfrec_dictionary_presence(a->d, name, JFREC_PART_TYPE, NULL);

	if (strncmp(name, "jdk.", 4) != 0)
		check_foreign(a, e, name);
	else if (!presence)
		check_add(&a->check, true, e,
			  check_text(&a->check, "no JDK has such an event%s",
				     near_events(a, name)),
			  NULL);
	else if (!a->any && !jfrec_dictionary_event(a->d, name))
		check_add(&a->check, false, e,
			  check_text(&a->check, "JDK %d has no such event, %s ha%s",
				     jfrec_dictionary_jdk(a->d), name_jdks(a, presence),
				     presence & (presence - 1) ? "ve" : "s"),
			  "the JVM ignores it");
}

/* "it has enabled, period" */
static const char *list_settings(struct against *a, const struct jfrec_type *type)
{
	const struct jfrec_field *f;
	char text[256] = "";
	size_t len = 0;

	for (unsigned i = 0; (f = jfrec_type_setting_get(type, i)) && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s",
					i ? ", " : "it has ", jfrec_field_name(f));
	return check_text(&a->check, "%s", text);
}

static void check_setting(struct against *a, const struct element *e, const char *event,
			  const char *name)
{
	const struct jfrec_type *type = jfrec_dictionary_event(a->d, event);
	uint32_t presence = jfrec_dictionary_presence(a->d, event, JFREC_PART_SETTING, name);

	if (!jfrec_dictionary_presence(a->d, event, JFREC_PART_TYPE, NULL))
		return;
	if (!presence)
		check_add(&a->check, true, e, "no JDK has such a setting of that event",
			  type ? list_settings(a, type) : NULL);
	else if (!a->any && type && !jfrec_type_setting(type, name))
		check_add(&a->check, false, e,
			  check_text(&a->check, "JDK %d has no such setting, %s ha%s",
				     jfrec_dictionary_jdk(a->d), name_jdks(a, presence),
				     presence & (presence - 1) ? "ve" : "s"),
			  "the JVM ignores it");
}

static void check_names(struct against *a)
{
	const struct element *root = a->check.s->root;

	for (const struct element *e = root; e; e = element_next(root, e)) {
		const char *name = element_get(e, "name");

		if (e->kind == ELEMENT_EVENT && name)
			check_event(a, e, name);
		if (element_is_jvm_setting(e))
			check_setting(a, e, element_get(e->parent, "name"), name);
	}
}

static int by_line(const void *a, const void *b)
{
	const struct jfrec_settings_finding *left = a, *right = b;

	if (left->line != right->line)
		return left->line < right->line ? -1 : 1;
	return left->column < right->column ? -1 : left->column > right->column;
}

int jfrec_settings_check(struct jfrec_settings *s, int jdk, jfrec_settings_finding_fn *fn,
			 void *ctx, struct jfrec_error *err)
{
	struct against a = { .check.s = s, .any = jdk == 0 };
	struct jfrec_dictionary *d = jfrec_dictionary_new(jdk, err);
	bool failed;

	if (!d)
		return -1;
	a.d = d;
	check_inside(&a.check);
	check_names(&a);
	failed = a.check.failed;
	if (!failed && a.check.count)
		qsort(a.check.findings, a.check.count, sizeof(*a.check.findings), by_line);
	for (size_t i = 0; !failed && i < a.check.count; i++)
		fn(ctx, &a.check.findings[i]);
	check_fini(&a.check);
	jfrec_dictionary_free(d);
	return failed ? jfrec_fail_memory(err) : 0;
}
