/* SPDX-License-Identifier: MIT */
/*
 * target.h - options and operands that select JVMs
 */
#ifndef JFREC_CLI_OPTS_TARGET_H
#define JFREC_CLI_OPTS_TARGET_H

#include "common/command.h"

/* Letters of TARGET_OPTS; a command's own are below 512. */
enum {
	OPT_CONTAINER = 512,
	OPT_USER,
	OPT_ALL,
};

/* clang-format off */
/* Rows for a table of options: narrowing down, and meaning more than one. */
#define TARGET_NARROW_OPTS                                           \
	{ OPT_CONTAINER, "container", "ID", "only JVMs in this container" }, \
	{ OPT_USER, "user", "USER", "only JVMs of this user, by name or number" }
#define TARGET_OPTS \
	TARGET_NARROW_OPTS, \
	{ OPT_ALL, "all", NULL, "every JVM that matches, not just one" }
/* clang-format on */

struct target {
	struct jfrec_jvm_query query; /* .target is the operand */
	bool all;
};

/* Groups for the table of a command: which JVMs; and, in the second, --all. */
extern const struct opt narrow_rows[], target_rows[];

/* Keep the option, if it is one of TARGET_OPTS. */
bool target_take_option(struct target *t, int letter, const char *value);

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
