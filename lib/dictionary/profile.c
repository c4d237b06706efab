/* SPDX-License-Identifier: MIT */
/*
 * profile.c - the settings profiles that are built into the library
 *
 * They are written for all JDKs at once. What is good for some only follows from an option
 * `jdk`; what a JDK does not have is taken out.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "dictionary/embedded.h"
#include "jfrec.h"

/* The option that profiles have if they depend on the JDK. */
static const char jdk_option[] = "jdk";

size_t jfrec_profiles_count(void)
{
	size_t n = 0;

	while (embedded_profiles[n].name)
		n++;
	return n;
}

const char *jfrec_profiles_get(size_t i)
{
	return i < jfrec_profiles_count() ? embedded_profiles[i].name : NULL;
}

const char *jfrec_profile_text(const char *name)
{
	return embedded_text(embedded_profiles, name);
}

/* Fitting -------------------------------------------------------------------------------------- */

struct fitting {
	const struct jfrec_dictionary *d;
	jfrec_settings_left_out_fn *left_out;
	void *ctx;
};

/* Of events of the application nothing is known here: they stay. */
static bool is_known(void *ctx, const char *event, const char *setting)
{
	const struct fitting *f = ctx;
	const struct jfrec_type *type = jfrec_dictionary_event(f->d, event);
	bool known = setting ? !type || jfrec_type_setting(type, setting) : type != NULL;

	if (known || strncmp(event, "jdk.", strlen("jdk.")) != 0)
		return true;
	if (f->left_out)
		f->left_out(f->ctx, event, setting);
	return false;
}

static bool has_jdk_option(const struct jfrec_settings *s)
{
	for (size_t i = 0; i < jfrec_settings_option_count(s); i++) {
		if (strcmp(jfrec_settings_option_get(s, i)->name, jdk_option) == 0)
			return true;
	}
	return false;
}

int jfrec_settings_fit(struct jfrec_settings *s, const struct jfrec_dictionary *d,
		       jfrec_settings_left_out_fn *left_out, void *ctx, struct jfrec_error *err)
{
	struct fitting f = { d, left_out, ctx };
	char jdk[16];

	if (jfrec_settings_list(s, err) < 0)
		return -1;
	snprintf(jdk, sizeof(jdk), "%d", jfrec_dictionary_jdk(d));
	if (has_jdk_option(s) && jfrec_settings_set(s, jdk_option, jdk, err) < 0)
		return -1;
	jfrec_settings_restrict(s, is_known, &f);
	return 0;
}
