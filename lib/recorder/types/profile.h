/* SPDX-License-Identifier: MIT */
/*
 * profile.h - the settings of a .jfc file
 *
 * Of the JDK's format only <event name="..."> and <setting name="...">value</setting> count; all
 * else is skipped.  The file may come from any process that may attach: nothing is expanded or
 * looked up.
 */
#ifndef JFREC_RECORDER_TYPES_PROFILE_H
#define JFREC_RECORDER_TYPES_PROFILE_H

#include "recorder/types/settings.h"

#define PROFILE_MAX (1u << 20)

/* Add what the text says.  NULL, or what is wrong with it; then some of it may have been added. */
const char *profile_parse(struct settings *to, char *text, size_t len);

/*
 * Add what a file of that path says, or the profile of that name: default, profile, none.  -1: *err
 * is in the JDK's words.
 */
int profile_read(struct settings *to, const char *name, struct jfrec_recorder_error *err);

/* The same of several, separated by commas; *err is in the recorder's own words. */
int profile_read_list(struct settings *to, const char *names, struct jfrec_recorder_error *err);

#endif
