/* SPDX-License-Identifier: MIT */
/*
 * scrub_rules.h - what the configuration wants redacted
 */
#ifndef JFREC_CLI_OPTS_SCRUB_RULES_H
#define JFREC_CLI_OPTS_SCRUB_RULES_H

#include "base/command.h"

/*
 * Add the rules in files that the configuration names, and set *hosts and *paths if it wants these
 * redacted.  Returns an exit code, after saying what failed.
 */
int scrub_rules_of_config(struct jfrec_scrub_rules *rules, bool *hosts, bool *paths);

/* Add the sets that are built in: those with tokens in front of what takes all of a value.  0 or
 * -1. */
int scrub_rules_add_sets(struct jfrec_scrub_rules *rules, bool hosts, bool paths,
			 struct jfrec_error *err);

/* Say what is wrong with rules.  Returns an exit code. */
int scrub_rules_failure(const char *path, const struct jfrec_error *err);

#endif
