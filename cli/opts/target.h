/* SPDX-License-Identifier: MIT */
/*
 * target.h - options and operands that select JVMs
 */
#ifndef JFREC_CLI_OPTS_TARGET_H
#define JFREC_CLI_OPTS_TARGET_H

#include "base/command.h"

struct target {
	struct jfrec_jvm_query query; /* .target is the operand */
	bool all;
};

/* Groups for the table of a command: which JVMs; and, in the second, --all. */
extern const struct opt narrow_rows[], target_rows[];

/* Was nothing said that narrows it down? */
bool target_is_any(const struct target *t);

/* Has the command --all? */
bool target_has_all(const struct command *c);

/* jfrec_jvms_find() with what the options say. */
struct jfrec_jvms *target_find(const struct target *t, struct jfrec_error *err);

/* Say that nothing fits. Returns EXIT_NO_JVM. */
int target_report_none(const struct command *c, const struct target *t);

/*
 * Find the JVMs that are meant: one, or with --all any number.  Several without
 * --all are listed on stderr; so is that nothing was named or nothing fits.
 *
 * Returns EXIT_DONE with *list set, to be freed with jfrec_jvms_free(), or another
 * exit code, after which there is nothing to free.  They need not be attachable.
 */
int target_select(const struct command *c, const struct target *t, struct jfrec_jvms **list);

#endif
