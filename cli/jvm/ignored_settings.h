/* SPDX-License-Identifier: MIT */
/*
 * ignored_settings.h - warn about settings that the JVM would silently ignore
 */
#ifndef JFREC_CLI_JVM_IGNORED_SETTINGS_H
#define JFREC_CLI_JVM_IGNORED_SETTINGS_H

#include "opts/jfr_opts.h"

/*
 * Look at all settings: what no JDK has, or would understand, is refused, unless --unchecked was
 * given.  Returns an exit code, after saying what is wrong.
 */
int ignored_settings_check(const struct jfr_opts *a, const struct command *c);

/* The same of what is --set, for the JDK of one JVM. */
int ignored_settings_check_for(const struct jfr_opts *a, const struct jfrec_dictionary *d, int pid);

/* Is there anything for that? */
bool ignored_settings_has_events(const struct jfr_opts *a);

#endif
