/* SPDX-License-Identifier: MIT */
/*
 * cleaning.h - texts of JVMs, without secrets
 */
#ifndef JFREC_CLI_MCP_CLEANING_H
#define JFREC_CLI_MCP_CLEANING_H

#include "mcp/errand.h"

/*
 * To be run in a process of its own, since texts are as hostile as recordings: write so many of the
 * texts of an errand, from number `first` on, to where its command wrote them, without what `jfrec
 * scrub` takes away.  What is secret in one of them is taken from the others, too.  Returns an exit
 * code.
 */
int cleaning_run(const struct grown_text texts[ERRAND_TEXTS], unsigned first, unsigned count,
		 const char *salt);

#endif
