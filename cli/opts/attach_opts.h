/* SPDX-License-Identifier: MIT */
/*
 * attach_opts.h - options of the commands that attach to a JVM
 */
#ifndef JFREC_CLI_OPTS_ATTACH_OPTS_H
#define JFREC_CLI_OPTS_ATTACH_OPTS_H

#include "common/command.h"

/* A letter of ATTACH_OPTS; those of target.h begin at 512, a command's own are below that. */
enum {
	OPT_TIMEOUT = 600,
};

/* clang-format off */
/* Rows for a table of options. */
#define ATTACH_OPTS \
	{ OPT_TIMEOUT, "timeout", "TIME", "wait this long for each reply, such as 30s" }, \
	{ 'v', "trace", NULL, "report each step on standard error" }
/* clang-format on */

struct attach_opts {
	int timeout_ms; /* 0: the default */
	bool trace;
};

/* A group for the table of a command. */
extern const struct opt attach_rows[];

/*
 * Keep the option, if it is one of ATTACH_OPTS.  1: it was; 0: it is another's; -1: its value
 * makes no sense, which was said.
 */
int attach_opts_take_option(struct attach_opts *t, const struct command *c, int letter,
			    const char *value);

/* These options, for a session with that JVM. */
struct jfrec_session_options attach_opts_session(const struct attach_opts *t,
						 const struct jfrec_jvm *jvm);

/* jfrec_session_open() with them. */
struct jfrec_session *attach_opts_open(const struct attach_opts *t, const struct jfrec_jvm *jvm,
				       struct jfrec_error *err);

#endif
