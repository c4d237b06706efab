/* SPDX-License-Identifier: MIT */
/*
 * jfr_opts.h - options that set Flight Recorder's options
 */
#ifndef JFREC_CLI_OPTS_JFR_OPTS_H
#define JFREC_CLI_OPTS_JFR_OPTS_H

#include "base/command.h"

#define JFR_OPTS_MAX	   256
#define JFR_OPTS_FILES_MAX 4

/* Settings that the JVM does not have: a file here, or a profile. */
struct jfr_opts_file {
	const char *name; /* as it was given */
	const char *text;
	size_t len;
	bool is_model; /* not .jfc: it must be made into that, see jvm_settings.h */
	bool is_profile; /* one of ours */
	char *owned;   /* the text, if it is ours */
};

/* All zero is none. */
struct jfr_opts {
	struct jfrec_jfr_option options[JFR_OPTS_MAX];
	bool is_set[JFR_OPTS_MAX]; /* the option came by --set */
	size_t count;
	struct jfr_opts_file files[JFR_OPTS_FILES_MAX];
	size_t file_count;
	char *keys[JFR_OPTS_MAX]; /* what belongs to us */
	size_t key_count;
	bool unchecked;
	bool is_default; /* the files are the default: jfr_opts_default_settings() */
};

/* What a row says of an option of a JFR command. */
struct jfr_opts_key {
	enum jfrec_jfr_command command;
	const char *key;
	const char *value; /* for a row that takes none */
};

/*
 * Rows for a table of options: the value goes to the JVM, by that key, after it was checked; the
 * destination is a struct jfr_opts.
 */
#define JFR_ROW(letter, name, arg, help, s, member, command, key) \
	OPT_CALL_HOW(letter, name, arg, help, jfr_opts_take_row, s, member, \
		     (&(const struct jfr_opts_key){ command, key, NULL }))
#define JFR_ROW_IS(letter, name, help, s, member, command, key, value) \
	OPT_CALL_HOW(letter, name, NULL, help, jfr_opts_take_row, s, member, \
		     (&(const struct jfr_opts_key){ command, key, value }))
opt_take_fn jfr_opts_take_row;

/* Groups: --settings, --set and --unchecked; --unchecked alone. */
extern const struct opt settings_rows[], unchecked_rows[];

/* For rows with other lines of help; the destination is a struct jfr_opts. */
opt_take_fn jfr_opts_take_settings, jfr_opts_take_set;

/* --set KEY=VALUE.  0, or -1 after saying why. */
int jfr_opts_set(struct jfr_opts *a, const struct command *c, const char *text);

/* --settings: a profile, a name that the JVM knows, or a file.  0, or -1 after saying why. */
int jfr_opts_settings(struct jfr_opts *a, const struct command *c, const char *value);

/* What `jfrec record` records by default: what analyze needs. */
#define JFR_OPTS_RECORDED "analyze"

/*
 * Settings of the configuration, if no others were given, and without those `otherwise`; NULL:
 * what the JVM takes by itself.  Returns an exit code, after saying why not.
 */
int jfr_opts_default_settings(struct jfr_opts *a, const struct command *c, const char *otherwise);

/* The value of an option, or NULL. */
const char *jfr_opts_get(const struct jfr_opts *a, const char *key);

void jfr_opts_fini(struct jfr_opts *a);

#endif
