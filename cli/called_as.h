/* SPDX-License-Identifier: MIT */
/*
 * called_as.h - jfrec by another name: the JDK's tools jcmd and jfr
 */
#ifndef JFREC_CLI_CALLED_AS_H
#define JFREC_CLI_CALLED_AS_H

#include "command.h"

/* Take the command line of `jcmd` and answer as it does, exit status included. */
int as_jcmd(int argc, char **argv);

/* The same of `jfr`, as far as we have its commands. */
int as_jfr(int argc, char **argv);

/* Commands that only that has; ours do the same and more. */
extern const struct command jfr_assemble, jfr_disassemble, jfr_scrub, jfr_configure;

/* What these share: "jfr COMMAND: SENTENCE" on stderr. Returns EXIT_FAILED. */
int jfr_fail(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Does it end in .jfr?  Complains if not. */
bool jfr_has_name(const struct command *c, const char *path);

/* On standard output, from the root on. */
void jfr_print_path(const char *path);

#endif
