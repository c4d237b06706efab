/* SPDX-License-Identifier: MIT */
/*
 * called_as.h - the interface of jcmd and jfr, the other names of jfrec
 */
#ifndef JFREC_CLI_JDK_CALLED_AS_H
#define JFREC_CLI_JDK_CALLED_AS_H

#include "base/command.h"

/* Take the command line of `jcmd` and answer as it does, exit status included. */
int as_jcmd(int argc, char **argv);

/* The same of `jfr`, as far as we have its commands. */
int as_jfr(int argc, char **argv);

/* Take the command line of async-profiler's `jfrconv`, and convert as it does. */
int as_jfrconv(int argc, char **argv);

/*
 * Both begin so: find the JDK that we stand in, and drop the -J options, which are for the JVM
 * that a tool of the JDK runs in.  Returns an exit code, after saying what is wrong.
 */
int jdk_names_begin(int *argc, char **argv);

/* The home of the JDK in whose bin we are, or NULL. */
const char *jdk_names_home(void);

/* Its version, such as "25.0.3".  False if we stand in none. */
bool jdk_names_version(char *to, size_t size);

/* Commands that only that has; ours do the same and more. */
extern const struct command jfr_assemble, jfr_disassemble, jfr_scrub, jfr_configure, jfr_view;

/* The options of `jfr view`, all views, and examples. */
void jfr_view_explain(FILE *to);

/* What these share: "jfr COMMAND: SENTENCE" on stderr. Returns EXIT_FAILED. */
int jfr_fail(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Look at a command line of `jfr` as the JDK does, before the command takes it.  EXIT_DONE, or an
 * exit code after saying, in the JDK's words, what is wrong.
 */
int jfr_check_words(const struct command *c, char *const *words, int count);

/* The path from the root on, as Java makes it; to be freed.  NULL: no memory. */
char *jfr_absolute(const char *path);

/* The same, on standard output. */
void jfr_print_path(const char *path);

/* "jfr COMMAND: SENTENCE", then the usage of the command.  Returns EXIT_USAGE. */
int jfr_fail_usage(const char *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* How the command is typed: lines that begin with " jfr NAME ".  NULL: there is none such. */
const char *jfr_syntax(const char *command);

/* What it does, in a line.  NULL: there is none such. */
const char *jfr_summary(const char *command);

/* The usage: how it is typed, and what its options are. */
void jfr_print_usage(const char *command, FILE *to);

/* All commands, each with what it does. */
void jfr_print_commands(FILE *to);

/* The jfrec command that does what the JDK's does, or NULL. */
const struct command *jfr_command(const char *name);

#endif
