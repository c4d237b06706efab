/* SPDX-License-Identifier: MIT */
/*
 * attach_opts.h - options of the commands that attach to a JVM
 */
#ifndef JFREC_CLI_OPTS_ATTACH_OPTS_H
#define JFREC_CLI_OPTS_ATTACH_OPTS_H

#include "base/command.h"

struct attach_opts {
	int timeout_ms; /* 0: the default */
	bool trace;
	bool whole; /* it is the time for opening and all commands together */
	bool anyway; /* also a JVM that is at its limits */
};

/* Groups for the table of a command; the second one for those that set `whole`. */
extern const struct opt attach_rows[], attach_whole_rows[];

/* These options, for a session with that JVM. */
struct jfrec_session_options attach_opts_session(const struct attach_opts *t,
						 const struct jfrec_jvm *jvm);

/* The time for all commands from now on, for jfrec_session_allow(). */
int attach_opts_whole_ms(const struct attach_opts *t);

/* jfrec_session_open() with them. */
struct jfrec_session *attach_opts_open(const struct attach_opts *t, const struct jfrec_jvm *jvm,
				       struct jfrec_error *err);

#endif
