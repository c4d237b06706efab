/* SPDX-License-Identifier: MIT */
/*
 * set.c - jfrec settings set: change settings
 */
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "base/suffix.h"
#include "opts/output_opts.h"
#include "settings/commands.h"
#include "settings/source.h"

struct options {
	struct output_opts to;
	bool yaml, jfc; /* neither: by the name of the output */
	const char *home;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_STRING('o', "output", "FILE", "write to FILE instead of standard output", struct options, to.path),
	OPT_FLAG(0, "force", "replace FILE if it exists", struct options, to.force),
	MODE_ROW("permissions of FILE in octal, such as 640", struct options, to),
	OPT_FLAG(0, "yaml", "write YAML (the default for .yaml and .yml)", struct options, yaml),
	OPT_FLAG(0, "jfc", "write a .jfc file (the default for all other names)", struct options, jfc),
	JDK_HOME_ROW(struct options, home),
	{ 0 },
};
/* clang-format on */

/* Append what a word means. 0, or -1 after saying what failed. */
static int add_input(struct jfrec_settings *s, const char *word, const char *home)
{
	struct jfrec_settings *from = settings_open(word, home);
	struct jfrec_error err;
	int ret = from ? jfrec_settings_add(s, from, &err) : -1;

	if (from && ret < 0)
		say(word, err.text);
	jfrec_settings_free(from);
	return ret;
}

static bool is_change(const char *word)
{
	size_t key = strcspn(word, "=");

	return word[key] && !memchr(word, '/', key);
}

static int write_settings(const struct jfrec_settings *s, struct options *w)
{
	bool yaml = w->yaml || w->jfc ? w->yaml
			    : ends_with_any(w->to.path, ".yaml .yml");
	struct jfrec_error err;
	int ret = output_opts_open(&w->to);

	if (ret)
		return ret;
	if (jfrec_settings_write(s, yaml ? JFREC_SETTINGS_YAML : JFREC_SETTINGS_JFC,
				 jfrec_output_write, w->to.output, &err) < 0)
		ret = output_opts_failure(&w->to, NULL, &err);
	else
		ret = output_opts_commit(&w->to);
	output_opts_close(&w->to);
	return ret;
}

/* In the order of the command line. */
static int add_inputs(struct jfrec_settings *s, const struct options *w, char **words)
{
	for (; *words; words++) {
		if (!is_change(*words) && add_input(s, *words, w->home) < 0)
			return -1;
	}
	return 0;
}

/* The JDK that profiles are for, by their option; 0: the newest. */
static int jdk_of(struct jfrec_settings *s)
{
	const struct jfrec_settings_option *o;

	for (size_t i = 0; jfrec_settings_list(s, NULL) == 0; i++) {
		o = jfrec_settings_option_get(s, i);
		if (!o || strcmp(o->name, "jdk") == 0)
			return o ? atoi(o->value) : 0;
	}
	return 0;
}

/* 1: done; 0: the JDK has no such option; -1: *err is set. */
static int set_as_jdk(struct jfrec_settings *s, const struct change *c, struct jfrec_error *err)
{
	struct jfrec_dictionary *d = jfrec_dictionary_new(jdk_of(s), err);
	int ret = d ? jfrec_settings_set_as_jdk(s, d, c->key, c->value, err) : -1;

	jfrec_dictionary_free(d);
	return ret;
}

/* Our profiles take the JDK's options as well; for all else the rules are those of the JDK. */
static int change_one(struct jfrec_settings *s, const struct change *c, bool has_profile,
		      struct jfrec_error *err)
{
	int ret = 0;

	if (has_profile && !strchr(c->key, '#') && !jfrec_settings_has_control(s, c->key))
		ret = set_as_jdk(s, c, err);
	return ret ? ret : jfrec_settings_set(s, c->key, c->value, err);
}

static int change(struct jfrec_settings *s, const struct changes *changes, bool has_profile)
{
	struct jfrec_error err;

	for (size_t i = 0; i < changes->count; i++) {
		if (change_one(s, &changes->list[i], has_profile, &err) < 0) {
			say(changes->list[i].key, err.text);
			return -1;
		}
	}
	return 0;
}

static bool has_profile(const struct options *w, char **words)
{
	while (*words && (w->home || !jfrec_profile_text(*words)))
		words++;
	return *words;
}

static int set(struct options *w, const struct changes *changes, char **words)
{
	struct jfrec_error err;
	struct jfrec_settings *s = jfrec_settings_new(&err);
	int ret = EXIT_FAILED;

	if (!s)
		say(words[0], err.text);
	else if (add_inputs(s, w, words) == 0 && change(s, changes, has_profile(w, words)) == 0)
		ret = write_settings(s, w);
	jfrec_settings_free(s);
	return ret;
}

/* 0, or an exit code. */
static int take_words(const struct command *self, struct changes *changes, char **words)
{
	unsigned inputs = 0;

	for (; *words; words++) {
		size_t key = strcspn(*words, "=");
		const char *value = *words + key + 1;

		if (!is_change(*words)) {
			inputs++;
		} else if (!key || !*value) {
			return report_usage(self, "%s: a change is KEY=VALUE", *words);
		} else if (!changes_take(changes, *words, key, value, strlen(value))) {
			say(*words, "out of memory");
			return EXIT_FAILED;
		}
	}
	if (!inputs)
		return report_usage(self, "name the settings to begin with; `none` is empty");
	return EXIT_DONE;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options w = { .to.path = "-", .to.how = JFREC_PLAIN, .to.is_public = true };
	struct changes changes = { 0 };
	int ret;

	if (!opt_parse(&p, &w))
		return p.status;
	if (w.yaml && w.jfc)
		return report_usage(self, "only one format can be given");
	ret = take_words(self, &changes, argv + p.first_operand);
	if (!ret)
		ret = set(&w, &changes, argv + p.first_operand);
	changes_fini(&changes);
	return ret;
}

const struct command settings_set = {
	.name = "settings set",
	.args = "NAME|FILE... CHANGE...",
	.examples = "  jfrec settings set profile gc=detailed -o new.jfc\n"
		    "  jfrec settings set profile jdk.FileRead#threshold=1ms -o new.jfc\n",
	.summary = "write settings with changes, as `jfr configure` does",
	.about =
		"Write settings with changes, by the rules of `jfr configure`.  Several settings\n"
		"are merged; `none` is empty.  A CHANGE is OPTION=VALUE, which also changes the\n"
		"settings that depend on the option; EVENT#SETTING=VALUE; or\n"
		"+EVENT#SETTING=VALUE, which adds the setting if it does not exist.",
	.opts = opts,
	.run = run,
};
