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

/* Its command that is no other one of ours. */
extern const struct command jfr_configure;

#endif
