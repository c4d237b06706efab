/* SPDX-License-Identifier: MIT */
/*
 * jfr_opts.h - options that set Flight Recorder's options
 */
#ifndef JFREC_CLI_OPTS_JFR_OPTS_H
#define JFREC_CLI_OPTS_JFR_OPTS_H

#include "common/command.h"

#define JFRARGS_MAX	  256
#define JFRARGS_FILES_MAX 4

/* The row of a table of options for what meant.h does, which jfrargs_take() keeps. */
enum { OPT_UNCHECKED = 900 };
#define UNCHECKED_OPT \
	{ OPT_UNCHECKED, "unchecked", NULL, "take settings that no JDK has or understands, too" }

/* Which letter of a command stands for which option; ends with all zero. */
struct jfrargs_row {
	int letter;
	const char *key;
	const char *value; /* for a letter that takes none */
};

/* Settings that the JVM does not have: a file here, or a profile. */
struct jfrargs_file {
	const char *name; /* as it was given */
	const char *text;
	size_t len;
	bool is_model; /* not .jfc: it must be made into that, see carry.h */
	char *owned;   /* the text, if it is ours */
};

/* All zero is none. */
struct jfrargs {
	struct jfrec_jfr_option options[JFRARGS_MAX];
	bool is_set[JFRARGS_MAX]; /* the option came by --set */
	size_t count;
	struct jfrargs_file files[JFRARGS_FILES_MAX];
	size_t file_count;
	char *keys[JFRARGS_MAX]; /* what belongs to us */
	size_t key_count;
	bool unchecked;
};

/*
 * Keep the option, if its letter is in the table, after checking it.  1: it was; 0: it is
 * another's; -1: it makes no sense, which was said.
 */
int jfrargs_take(struct jfrargs *a, const struct command *c, enum jfrec_jfr_command command,
		 const struct jfrargs_row *rows, int letter, const char *value);

/* --set KEY=VALUE.  0, or -1 after saying why. */
int jfrargs_set(struct jfrargs *a, const struct command *c, const char *text);

/* --settings: a profile, a name that the JVM knows, or a file.  0, or -1 after saying why. */
int jfrargs_settings(struct jfrargs *a, const struct command *c, const char *value);

/*
 * Settings of the configuration, if no others were given.  Returns an exit code, after saying why
 * not.
 */
int jfrargs_default_settings(struct jfrargs *a, const struct command *c);

/* The value of an option, or NULL. */
const char *jfrargs_get(const struct jfrargs *a, const char *key);

void jfrargs_fini(struct jfrargs *a);

#endif
