/* SPDX-License-Identifier: MIT */
/*
 * since.c - which JDKs have an event, and what they record of it by default
 *
 * usage: since EVENT
 */
#include <stdio.h>

#include <jfrec/dictionary.h>

static int print_near(const struct jfrec_dictionary *d, const char *event)
{
	const char *names[JFREC_NEAR_MAX];
	size_t count = jfrec_dictionary_near(d, event, names);

	fprintf(stderr, "since: no JDK has %s%s%s\n", event, count > 0 ? "; is it " : "",
		count > 0 ? names[0] : "");
	return 1;
}

static int print_event(struct jfrec_dictionary *d, const char *event, struct jfrec_error *err)
{
	const struct jfrec_type *type = jfrec_dictionary_event(d, event);
	uint32_t jdks = jfrec_dictionary_presence(d, event, JFREC_PART_TYPE, NULL);
	const struct jfrec_explanation *e;
	const char *value;

	if (!type)
		return print_near(d, event);
	e = jfrec_dictionary_explain(d, type, err);
	if (!e)
		return -1;
	printf("%s: %s\n", jfrec_type_label(type), e->records ? e->records : "?");
	printf("stack trace: %s\n", jfrec_type_field(type, "stackTrace") ? "yes" : "no");
	for (size_t i = 0; i < jfrec_dictionary_jdk_count(d); i++)
		if (jdks >> i & 1)
			printf("JDK %d\n", jfrec_dictionary_jdk_get(d, i));
	value = jfrec_dictionary_value(d, event, "enabled", JFREC_DEFAULT_JFC);
	printf("default.jfc: %s\n", value ? value : "not there");
	value = jfrec_dictionary_value(d, event, "enabled", JFREC_PROFILE_JFC);
	printf("profile.jfc: %s\n", value ? value : "not there");
	return 0;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: since EVENT" };
	struct jfrec_dictionary *d = argc == 2 ? jfrec_dictionary_new(0, &err) : NULL;
	int ret = d ? print_event(d, argv[1], &err) : -1;

	if (ret < 0)
		fprintf(stderr, "since: %s\n", err.text);
	jfrec_dictionary_free(d);
	return ret != 0;
}
