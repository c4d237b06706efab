/* SPDX-License-Identifier: MIT */
/*
 * configure.c - jfr configure: edit .jfc files with the JDK's command line
 *
 * The command line, the messages and the files are those of JDK 25; `jfrec
 * settings set` does the same by our own rules for options and files.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/report.h"
#include "jdk/called_as.h"
#include "jdk/wizard.h"
#include "opts/output_opts.h"
#include "settings/jdk_home.h"
#include "settings/source.h"

struct configure {
	bool interactive, verbose;
	char *output; /* NULL: not named */
	char **inputs;
	size_t input_count;
	struct changes changes;
	struct jfrec_settings *s;
	bool dumped; /* the settings have been shown once */
};

/* As --help shows them: the words are taken as the JDK does. */
static const struct opt opts[] = {
	{ .name = "interactive", .help = "ask for each option" },
	{ .name = "verbose", .help = "show the settings that are changed" },
	{ .name = "input", .arg = "FILES", .help = "start from these files, comma-separated, or `none`" },
	{ .name = "output", .arg = "FILE", .help = "write to FILE instead of custom.jfc" },
	{ 0 },
};

static int fail_usage(const char *what, const char *word)
{
	return jfr_fail_usage("configure", "%s%s", what, word);
}

static int fail(const char *sentence)
{
	fputs("jfr configure: ", stderr);
	print_refusal(stderr, sentence);
	return EXIT_FAILED;
}

static int fail_memory(void)
{
	return fail("out of memory");
}

/* The command line ----------------------------------------------------------------------------- */

static int take_input(struct configure *c, const char *list)
{
	while (*list) {
		size_t len = strcspn(list, ",");
		char **inputs = reallocarray(c->inputs, c->input_count + 1, sizeof(*inputs));

		if (!inputs)
			return fail_memory();
		c->inputs = inputs;
		/* As Java splits: what is empty counts only before something. */
		if (!len && !list[strspn(list, ",")])
			return EXIT_DONE;
		inputs[c->input_count] = strndup(list, len);
		if (!inputs[c->input_count++])
			return fail_memory();
		list += len + (list[len] == ',');
	}
	return EXIT_DONE;
}

static int take_output(struct configure *c, const char *path)
{
	size_t len = strlen(path);

	if (c->output)
		return fail("only one output file can be specified");
	if (len < 4 || strcmp(path + len - 4, ".jfc") != 0)
		return fail("filename must end with '.jfc'");
	c->output = strdup(path);
	return c->output ? EXIT_DONE : fail_memory();
}

/* "gc=high"; what follows a second `=` is dropped. */
static int take_change(struct configure *c, const char *word)
{
	size_t key = strcspn(word, "="), value;

	if (!key || !word[key])
		return fail_usage("unknown option ", word);
	value = strcspn(word + key + 1, "=");
	if (!value)
		return fail_usage("unknown option ", word);
	return changes_take(&c->changes, word, key, word + key + 1, value) ? EXIT_DONE
									   : fail_memory();
}

static int take_words(struct configure *c, char **words)
{
	int ret = EXIT_DONE;

	for (; *words && !ret; words++) {
		const char *word = *words;
		bool input = strcmp(word, "--input") == 0, output = strcmp(word, "--output") == 0;

		if (input || output) {
			if (!*++words)
				return fail_usage("missing value for ", word);
			ret = input ? take_input(c, *words) : take_output(c, *words);
		} else if (strcmp(word, "--interactive") == 0) {
			c->interactive = true;
		} else if (strcmp(word, "--verbose") == 0) {
			c->verbose = true;
		} else {
			ret = take_change(c, word);
		}
	}
	if (!ret && !c->interactive && !c->output && !c->changes.count)
		return fail_usage("missing argument", "");
	return ret;
}

/* Inputs --------------------------------------------------------------------------------------- */

static bool is_of_jdk(const char *name)
{
	return strcmp(name, "default") == 0 || strcmp(name, "default.jfc") == 0 ||
	       strcmp(name, "profile") == 0 || strcmp(name, "profile.jfc") == 0;
}

static int fail_input(const char *what, const char *name, const char *why)
{
	fprintf(stderr, "jfr configure: %s file '%s'%s%s\n", what, name, why ? ". " : "",
		why ? why : "");
	return EXIT_FAILED;
}

/* Ours has the place before the sentence. */
static const char *without_place(const char *text)
{
	const char *sentence = strncmp(text, "line ", 5) == 0 ? strstr(text, ": ") : NULL;

	return sentence ? sentence + 2 : text;
}

static int fail_reading(const char *name, const struct jfrec_error *err)
{
	static const char root[] = "Expected root element";
	const char *sentence = without_place(err->text);

	switch (err->code) {
	case JFREC_EIO:
		return fail_input(err->sys == ENOENT ? "could not find" : "could not open", name,
				  NULL);
	case JFREC_EFORMAT:
		return fail_input("could not parse", name,
				  strncmp(sentence, root, sizeof(root) - 1) == 0 ? sentence : NULL);
	case JFREC_EINVAL:
		return fail_input("could not use", name, sentence);
	default:
		return fail(err->text);
	}
}

static int add_file(struct configure *c, const char *name, const char *path)
{
	struct jfrec_error err;
	struct jfrec_settings *from = jfrec_settings_read(path, &err);
	int ret = from ? jfrec_settings_add(c->s, from, &err) : -1;

	jfrec_settings_free(from);
	return ret < 0 ? fail_reading(name, &err) : EXIT_DONE;
}

static int add_input(struct configure *c, const char *name)
{
	struct jdk_homes homes = { 0 };
	char *path;
	int ret;

	if (strcmp(name, "none") == 0)
		return EXIT_DONE;
	if (!is_of_jdk(name))
		return add_file(c, name, name);
	if (jdk_names_home())
		jdk_homes_only(&homes, jdk_names_home());
	jdk_homes_find(&homes);
	path = jdk_homes_file(&homes, name);
	jdk_homes_fini(&homes);
	ret = path ? add_file(c, name, path) : fail_input("could not find", name, NULL);
	free(path);
	return ret;
}

static int add_inputs(struct configure *c)
{
	int ret = EXIT_DONE;

	if (!c->input_count)
		return add_input(c, "default.jfc");
	for (size_t i = 0; i < c->input_count && !ret; i++)
		ret = add_input(c, c->inputs[i]);
	return ret;
}

/* What was read is looked at ------------------------------------------------------------------- */

static int warn(struct configure *c)
{
	if (jfrec_settings_list(c->s, NULL) < 0)
		return fail_memory();
	for (size_t i = 0; i < jfrec_settings_count(c->s); i++) {
		const struct jfrec_setting *s = jfrec_settings_get(c->s, i);

		if (s->control && !jfrec_settings_has_control(c->s, s->control))
			printf("Warning! Setting '%s#%s' refers to missing control '%s'\n",
			       s->event, s->name, s->control);
	}
	return EXIT_DONE;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void print_sorted(char **lines, size_t count)
{
	if (!count)
		return;
	qsort(lines, count, sizeof(*lines), by_text);
	puts("\nSetting:");
	for (size_t i = 0; i < count; i++)
		puts(lines[i]);
}

/* What has changed since the last time; at first, as the JDK has it, all that was read. */
static void dump(void *ctx, struct jfrec_settings *s)
{
	struct configure *c = ctx;
	bool is_listed = jfrec_settings_list(s, NULL) == 0;
	size_t count = jfrec_settings_count(s), n = 0;
	char **lines = is_listed ? calloc(count + 1, sizeof(*lines)) : NULL;

	for (size_t i = 0; c->verbose && lines && i < count; i++) {
		const struct jfrec_setting *row = jfrec_settings_get(s, i);
		bool shown = row->changed || (!c->dumped && row->line && *row->value);

		if (shown &&
		    asprintf(&lines[n], "\"%s#%s=%s\"", row->event, row->name, row->value) >= 0)
			n++;
	}
	if (c->verbose && lines)
		print_sorted(lines, n);
	c->dumped = true;
	while (n)
		free(lines[--n]);
	free(lines);
	jfrec_settings_forget_changes(s);
}

static int change(struct configure *c)
{
	struct jfrec_error err;

	for (size_t i = 0; i < c->changes.count; i++) {
		const struct change *one = &c->changes.list[i];

		if (jfrec_settings_set(c->s, one->key, one->value, &err) < 0)
			return fail(err.text);
		if (!strchr(one->key, '#'))
			dump(c, c->s);
	}
	return EXIT_DONE;
}

/* Writing -------------------------------------------------------------------------------------- */

/* As Java makes a path absolute: without looking at what is there. */
static char *absolute(const char *path)
{
	char *here, *full;

	if (*path == '/')
		return strdup(path);
	here = getcwd(NULL, 0);
	if (!here || asprintf(&full, "%s/%s", here, path) < 0)
		full = NULL;
	free(here);
	return full;
}

static int write_file(const struct jfrec_settings *s, const char *path, struct jfrec_error *err)
{
	const struct output_opts w = { .force = true, .how = JFREC_PLAIN, .is_public = true };
	struct jfrec_output *o = output_opts_make(&w, path, err);
	int ret = -1;

	if (o && jfrec_settings_write(s, JFREC_SETTINGS_JFC, jfrec_output_write, o, err) == 0)
		ret = jfrec_output_commit(o, err);
	jfrec_output_close(o);
	return ret;
}

static int save(struct configure *c)
{
	struct jfrec_error err;
	char *path = absolute(c->output);
	int ret = EXIT_DONE;

	if (!path)
		return fail_memory();
	if (write_file(c->s, path, &err) < 0) {
		fprintf(stderr, "jfr configure: could not %s file: %s (%s)\n",
			err.sys == ENOENT || err.sys == EACCES ? "find" : "write", path,
			err.sys ? strerror(err.sys) : err.text);
		ret = EXIT_FAILED;
	} else {
		printf("Configuration written successfully to:\n%s\n", path);
	}
	free(path);
	return ret;
}

/* ---------------------------------------------------------------------------------------------- */

static int ask(struct configure *c)
{
	char *path = c->output ? absolute(c->output) : strdup("custom.jfc");
	int ret = path ? wizard_run(c->s, &path, dump, c) : -1;

	free(c->output);
	c->output = path;
	return ret < 0 ? fail_memory() : ret;
}

static int configure(struct configure *c)
{
	struct jfrec_error err;
	int ret;

	c->s = jfrec_settings_new(&err);
	if (!c->s)
		return fail(err.text);
	ret = add_inputs(c);
	if (ret || (ret = warn(c)) || (ret = change(c)))
		return ret;
	dump(c, c->s);
	if (c->interactive) {
		ret = ask(c);
		if (ret != 1)
			return ret;
	}
	if (!c->output)
		c->output = strdup("custom.jfc");
	return c->output ? save(c) : fail_memory();
}

static int run(const struct command *self, int argc, char **argv)
{
	struct configure c = { 0 };
	int ret;

	(void)self;
	ret = take_words(&c, argv + (argc > 0));
	if (!ret)
		ret = configure(&c);
	if (finish_stdout() && !ret)
		ret = EXIT_FAILED;
	jfrec_settings_free(c.s);
	changes_fini(&c.changes);
	for (size_t i = 0; i < c.input_count; i++)
		free(c.inputs[i]);
	free(c.inputs);
	free(c.output);
	return ret;
}

const struct command jfr_configure = {
	.name = "configure",
	.args = "[OPTION=VALUE|EVENT#SETTING=VALUE]...",
	.summary = "write a settings file with changes",
	.opts = opts,
	.run = run,
};
