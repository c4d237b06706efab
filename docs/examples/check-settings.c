/* SPDX-License-Identifier: MIT */
/*
 * check-settings.c - will that JDK understand this settings file?
 *
 * usage: check-settings JDK [FILE]
 *
 * Without a file, checks the profiles that come with the library.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jfrec/profile.h>

static void print_finding(void *ctx, const struct jfrec_settings_finding *f)
{
	int *wrong = ctx;

	printf("  line %u: %s%s%s\n", f->line, f->text, f->remedy ? "; " : "",
	       f->remedy ? f->remedy : "");
	*wrong += f->wrong;
}

static int check(struct jfrec_settings *s, int jdk, struct jfrec_error *err)
{
	int wrong = 0;

	if (!s || jfrec_settings_check(s, jdk, print_finding, &wrong, err) < 0)
		wrong = -1;
	jfrec_settings_free(s);
	return wrong;
}

/* How much is wrong in all of them; -1: *err is set. */
static int check_profiles(int jdk, struct jfrec_error *err)
{
	int wrong = 0;

	for (size_t i = 0; i < jfrec_profiles_count() && wrong >= 0; i++) {
		const char *text = jfrec_profile_text(jfrec_profiles_get(i));
		int found;

		printf("%s\n", jfrec_profiles_get(i));
		found = check(jfrec_settings_parse(text, strlen(text), err), jdk, err);
		wrong = found < 0 ? -1 : wrong + found;
	}
	return wrong;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: check-settings JDK [FILE]" };
	int wrong = -1;

	if (argc == 3)
		wrong = check(jfrec_settings_read(argv[2], &err), atoi(argv[1]), &err);
	else if (argc == 2)
		wrong = check_profiles(atoi(argv[1]), &err);
	if (wrong < 0)
		fprintf(stderr, "check-settings: %s\n", err.text);
	return wrong != 0;
}
