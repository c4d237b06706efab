/* SPDX-License-Identifier: MIT */
/*
 * ignored_settings.c - warn about settings that the JVM would silently ignore
 *
 * A JVM ignores what is misspelt without a word, and the incident is then not in the recording.
 * What is named jdk.* has to be an event that some JDK has; other names are events of the
 * application, which cannot be checked here.
 */
#include "jvm/ignored_settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "opts/dictionary.h"

static const char prefix[] = "jdk.";

/* Findings ------------------------------------------------------------------------------------- */

struct looking {
	const struct command *command;
	const char *name; /* of the settings */
	bool is_set;	  /* they are what was --set */
	unsigned wrong;
};

static void put(const char *before, const char *text)
{
	if (!text)
		return;
	fputs(before, stderr);
	put_name(stderr, text);
}

static void tell(void *ctx, const struct jfrec_settings_finding *f)
{
	struct looking *l = ctx;

	if (!f->wrong)
		return;
	l->wrong++;
	fprintf(stderr, "jfrec %s: ", l->command->name);
	put("", l->name);
	if (f->line && !l->is_set)
		fprintf(stderr, ":%u", f->line);
	put(l->is_set ? " " : ": ", f->event);
	put("#", f->setting);
	put(f->event ? "" : l->is_set ? " " : ": ", f->option);
	put(f->event || f->option ? ": " : "", f->text);
	put("; ", f->remedy);
	fputc('\n', stderr);
}

static int look(struct looking *l, struct jfrec_settings *s)
{
	struct jfrec_error err;

	if (jfrec_settings_check(s, 0, tell, l, &err) == 0)
		return EXIT_DONE;
	say(l->name, err.text);
	return EXIT_FAILED;
}

/* Where the library that reads .jfc files is not there, the JVM has to judge them. */
static int look_at_file(struct looking *l, const struct jfr_opts_file *f)
{
	struct jfrec_error err;
	struct jfrec_settings *s = jfrec_settings_parse(f->text, f->len, &err);
	int status;

	l->name = f->name;
	if (!s && err.code == JFREC_EUNSUPPORTED)
		return EXIT_DONE;
	if (!s) {
		fprintf(stderr, "jfrec %s: cannot use the settings file ", l->command->name);
		put("", f->name);
		put(": ", err.text);
		fputc('\n', stderr);
		return EXIT_USAGE;
	}
	status = look(l, s);
	jfrec_settings_free(s);
	return status;
}

/* The event and the setting that a key is of; false: it is an option. */
static bool split(const char *key, char event[256], const char **setting)
{
	size_t len;

	key += *key == '+';
	len = strcspn(key, "#");
	if (!key[len] || len >= 256)
		return false;
	memcpy(event, key, len);
	event[len] = '\0';
	*setting = key + len + 1;
	return true;
}

/*
 * The options of the newest JDK, with what is set of them.  Each JDK has other choices: what is not
 * one of the newest's may be one of the JVM's, which is asked later.
 */
static struct jfrec_settings *options_of_sets(const struct jfr_opts *a, struct jfrec_error *err)
{
	struct jfrec_dictionary *d = jfrec_dictionary_new(0, err);
	struct jfrec_settings *s = d ? jfrec_dictionary_options(d, err) : NULL;

	for (size_t i = 0; s && i < a->count; i++) {
		if (a->is_set[i] && !strchr(a->options[i].key, '#'))
			jfrec_settings_set(s, a->options[i].key, a->options[i].value, NULL);
	}
	jfrec_dictionary_free(d);
	return s;
}

static int look_at_sets(struct looking *l, const struct jfr_opts *a)
{
	struct jfrec_error err = { .text = "out of memory" };
	struct jfrec_settings *s = options_of_sets(a, &err);
	int ret = s ? 0 : -1, status = EXIT_FAILED;
	const char *setting;
	char event[256];

	for (size_t i = 0; ret == 0 && i < a->count; i++) {
		if (a->is_set[i] && split(a->options[i].key, event, &setting))
			ret = jfrec_settings_put(s, event, setting, a->options[i].value, &err);
	}
	l->name = "--set";
	l->is_set = true;
	if (ret < 0)
		say(l->name, err.text);
	else
		status = look(l, s);
	jfrec_settings_free(s);
	return status;
}

static bool has_sets(const struct jfr_opts *a)
{
	for (size_t i = 0; i < a->count; i++) {
		if (a->is_set[i])
			return true;
	}
	return false;
}

int ignored_settings_check(const struct jfr_opts *a, const struct command *c)
{
	struct looking l = { .command = c };
	int status = EXIT_DONE;

	if (a->unchecked)
		return EXIT_DONE;
	for (size_t i = 0; i < a->file_count && status == EXIT_DONE; i++)
		status = look_at_file(&l, &a->files[i]);
	if (status == EXIT_DONE && has_sets(a))
		status = look_at_sets(&l, a);
	if (status != EXIT_DONE || !l.wrong)
		return status;
	fputs("Nothing was started; --unchecked passes them to the JVM unchanged.\n", stderr);
	return EXIT_USAGE;
}

/* For one JVM ---------------------------------------------------------------------------------- */

bool ignored_settings_has_events(const struct jfr_opts *a)
{
	for (size_t i = 0; i < a->count; i++) {
		if (a->is_set[i] && strchr(a->options[i].key, '#'))
			return true;
	}
	return false;
}

/* What other JDKs have, and this one does not. */
static int check_key(const struct jfrec_dictionary *d, int pid, const char *event,
		     const char *setting)
{
	const struct jfrec_type *type = jfrec_dictionary_event(d, event);
	bool of_event = type && !jfrec_type_setting(type, setting);
	uint32_t presence;
	char range[JDK_RANGE_MAX];

	if (strncmp(event, prefix, strlen(prefix)) != 0 || (type && !of_event))
		return EXIT_DONE;
	presence = jfrec_dictionary_presence(d, event,
					     of_event ? JFREC_PART_SETTING : JFREC_PART_TYPE,
					     of_event ? setting : NULL);
	fprintf(stderr, "jfrec: process %d: JDK %d has no ", pid, jfrec_dictionary_jdk(d));
	put_name(stderr, event);
	if (of_event)
		put("#", setting);
	fprintf(stderr, "; %s ha%s it\n", jdk_range(d, presence, range),
		presence & (presence - 1) ? "ve" : "s");
	return EXIT_USAGE;
}

int ignored_settings_check_for(const struct jfr_opts *a, const struct jfrec_dictionary *d, int pid)
{
	const char *setting;
	char event[256];
	int status = EXIT_DONE;

	for (size_t i = 0; !a->unchecked && status == EXIT_DONE && i < a->count; i++) {
		if (a->is_set[i] && split(a->options[i].key, event, &setting))
			status = check_key(d, pid, event, setting);
	}
	return status;
}
