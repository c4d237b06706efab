/* SPDX-License-Identifier: MIT */
/*
 * cmdline.c - find the main class or jar in a java command line
 */
#include "process/cmdline.h"

#include <string.h>

/* Options whose value is the next word.  Others have theirs after `:` or `=`. */
static const char *const with_value[] = {
	"-cp",
	"-classpath",
	"--class-path",
	"-p",
	"--module-path",
	"--upgrade-module-path",
	"--add-modules",
	"--limit-modules",
	"--enable-native-access",
	"--add-reads",
	"--add-exports",
	"--add-opens",
	"--patch-module",
	"-d",
	"--describe-module",
	"--source",
};

const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool takes_value(const char *option)
{
	for (size_t i = 0; i < sizeof(with_value) / sizeof(*with_value); i++) {
		if (strcmp(option, with_value[i]) == 0)
			return true;
	}
	return false;
}

static const char *next_word(const char *word)
{
	return word + strlen(word) + 1;
}

static bool begins(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* "repository=/var/jfr,maxchunksize=2m", after `=` or `:`. */
static void take_recorder_options(struct cmdline *c, const char *options)
{
	static const char key[] = "repository=";
	const char *found = strstr(options, key);

	if (found)
		c->repository = found + strlen(key);
}

/* Options that are not about signals and attach. */
static void take_value(struct cmdline *c, const char *option)
{
	static const char tmpdir[] = "-Djava.io.tmpdir=", recorder[] = "-XX:FlightRecorderOptions",
			  alt_tmp[] = "-XX:AltTempDir=";

	if (begins(option, tmpdir))
		c->tmpdir = option + strlen(tmpdir);
	else if (begins(option, alt_tmp))
		c->alt_tmp = option + strlen(alt_tmp);
	else if (begins(option, recorder))
		take_recorder_options(c, option + strlen(recorder));
	else if (strcmp(option, "-XX:-FlightRecorder") == 0)
		c->recorder_disabled = true;
	else if (strcmp(option, "-XX:+FlightRecorder") == 0)
		c->recorder_disabled = false;
}

/* The last of several wins, as in the JVM. */
static void take_flag(struct cmdline *c, const char *option)
{
	if (strcmp(option, "-XX:+DisableAttachMechanism") == 0)
		c->attach_disabled = true;
	else if (strcmp(option, "-XX:-DisableAttachMechanism") == 0)
		c->attach_disabled = false;
	else if (strcmp(option, "-Xrs") == 0 || strcmp(option, "-XX:+ReduceSignalUsage") == 0)
		c->reduced_signals = true;
	else if (strcmp(option, "-XX:-ReduceSignalUsage") == 0)
		c->reduced_signals = false;
	else
		take_value(c, option);
}

/*
 * -jar is followed by more options or the jar; -m by the module at once.  An @file
 * may hold all of them, so it is named if nothing after it can be.
 */
static const char *find_main(struct cmdline *c, const char *word)
{
	const char *file = NULL;

	while (word < c->end) {
		if (*word == '@' && !file)
			file = word;
		else if (*word != '-' && *word != '@')
			return word;
		if (strcmp(word, "-m") == 0 || strcmp(word, "--module") == 0)
			return next_word(word) < c->end ? next_word(word) : NULL;
		if (begins(word, "--module="))
			return word + strlen("--module=");
		take_flag(c, word);
		if (takes_value(word))
			word = next_word(word);
		if (word < c->end)
			word = next_word(word);
	}
	return file;
}

void cmdline_parse(struct cmdline *c, const char *bytes, size_t len)
{
	const char *name;

	*c = (struct cmdline){ .program = bytes, .end = bytes + len };
	if (len == 0)
		return;
	name = base_name(bytes);
	c->is_java = strcmp(name, "java") == 0 || strcmp(name, "javaw") == 0;
	if (c->is_java) {
		c->main = find_main(c, next_word(bytes));
		return;
	}
	/* A program with a JVM inside: which options are for that is not known. */
	for (const char *word = next_word(bytes); word < c->end; word = next_word(word))
		take_flag(c, word);
}

const char *environ_find_option(const char *bytes, size_t len, const char *option)
{
	static const char *const variables[] = {
		"JAVA_TOOL_OPTIONS=",
		"JDK_JAVA_OPTIONS=",
		"_JAVA_OPTIONS=",
	};

	for (const char *word = bytes; word < bytes + len; word = next_word(word)) {
		for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
			const char *found =
				begins(word, variables[i]) ? strstr(word, option) : NULL;

			if (found)
				return found + strlen(option);
		}
	}
	return NULL;
}
