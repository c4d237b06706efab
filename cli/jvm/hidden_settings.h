/* SPDX-License-Identifier: MIT */
/*
 * hidden_settings.h - say which other setting takes its effect from what was --set
 */
#ifndef JFREC_CLI_JVM_HIDDEN_SETTINGS_H
#define JFREC_CLI_JVM_HIDDEN_SETTINGS_H

#include <jansson.h>

#include "opts/jfr_opts.h"

/*
 * Say, for each setting of an event that was --set, which setting of the same event limits it or
 * leaves it without effect, and what lifts that.  settings: those of the recording, as JFR.check
 * with verbose=true prints them.
 *
 * Returns the warnings as a JSON array, to be released; NULL: no memory.
 */
json_t *hidden_settings_say(int pid, const struct jfr_opts *a, const char *settings);

#endif
