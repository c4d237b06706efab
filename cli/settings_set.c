/* SPDX-License-Identifier: MIT */
/*
 * settings_set.c - jfrec settings set: settings with changes
 */
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "settings.h"
#include "settings_source.h"
#include "writing.h"

enum {
	OPT_YAML = 256,
	OPT_JFC,
};

/* clang-format off */
static const struct opt opts[] = {
	{ 'o', "output", "FILE", "write to FILE, not to standard output" },
	{ OPT_FORCE, "force", NULL, "replace FILE if it exists" },
	{ OPT_YAML, "yaml", NULL, "write YAML (the default for .yaml and .yml)" },
	{ OPT_JFC, "jfc", NULL, "write a .jfc file (the default for all other names)" },
	JDK_HOME_OPT,
	{ 0 },
};
/* clang-format on */

struct wishes {
	struct writing to;
	int form; /* OPT_YAML, OPT_JFC, or 0: by the name of the output */
	const char *home;
};

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

/* "gc=high" */
static int change(struct jfrec_settings *s, const char *word)
{
	size_t len = strcspn(word, "=");
	char *key = strndup(word, len);
	struct jfrec_error err;
	int ret = -1;

	if (!key)
		say(word, "out of memory");
	else if ((ret = jfrec_settings_set(s, key, word + len + 1, &err)) < 0)
		say(word, err.text);
	free(key);
	return ret;
}

static bool is_change(const char *word)
{
	return strchr(word, '=') && !strchr(word, '/');
}

static bool has_suffix(const char *text, const char *suffix)
{
	size_t len = strlen(text), n = strlen(suffix);

	return len > n && strcmp(text + len - n, suffix) == 0;
}

static int write_settings(const struct jfrec_settings *s, struct wishes *w)
{
	bool yaml = w->form ? w->form == OPT_YAML
			    : has_suffix(w->to.path, ".yaml") || has_suffix(w->to.path, ".yml");
	struct jfrec_error err;
	int ret = writing_open(&w->to);

	if (ret)
		return ret;
	if (jfrec_settings_write(s, yaml ? JFREC_SETTINGS_YAML : JFREC_SETTINGS_JFC,
				 jfrec_output_write, w->to.output, &err) < 0)
		ret = writing_failure(&w->to, NULL, &err);
	else
		ret = writing_commit(&w->to);
	writing_close(&w->to);
	return ret;
}

/* First what they are changed from, then the changes in their order. */
static int set(const struct command *self, struct wishes *w, char **words)
{
	struct jfrec_error err;
	struct jfrec_settings *s;
	unsigned inputs = 0;
	int ret = EXIT_DONE;

	for (size_t i = 0; words[i]; i++)
		inputs += !is_change(words[i]);
	if (!inputs)
		return report_usage(self, "name the settings to begin with; `none` is empty");
	s = jfrec_settings_new(&err);
	for (size_t i = 0; s && !ret && words[i]; i++)
		ret = !is_change(words[i]) && add_input(s, words[i], w->home) < 0;
	for (size_t i = 0; s && !ret && words[i]; i++)
		ret = is_change(words[i]) && change(s, words[i]) < 0;
	if (!s)
		say(words[0], err.text);
	ret = s && !ret ? write_settings(s, w) : EXIT_FAILED;
	jfrec_settings_free(s);
	return ret;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .command = self->name, .opts = opts, .argc = argc, .argv = argv };
	struct wishes w = { .to.path = "-", .to.how = JFREC_PLAIN };
	int letter;

	while ((letter = opt_next(&p)) != OPT_END) {
		switch (letter) {
		case OPT_HELP:
			return command_help(self);
		case OPT_JDK_HOME:
			w.home = p.value;
			break;
		case OPT_YAML:
		case OPT_JFC:
			if (w.form && w.form != letter)
				return report_usage(self, "name one form of output");
			w.form = letter;
			break;
		default:
			if (writing_take_option(&w.to, self, letter, p.value) <= 0)
				return EXIT_USAGE;
		}
	}
	return set(self, &w, argv + p.first_operand);
}

const struct command settings_set = {
	.name = "settings set",
	.args = "NAME|FILE... CHANGE...",
	.summary = "write settings with changes, as `jfr configure` does",
	.about = "Write settings with changes, by the rules of `jfr configure`.  Several settings\n"
		 "are joined; `none` is empty.  A CHANGE is OPTION=VALUE, and what follows from it\n"
		 "changes, too; EVENT#SETTING=VALUE; or +EVENT#SETTING=VALUE, to add what is not\n"
		 "there.",
	.opts = opts,
	.run = run,
};
