/* SPDX-License-Identifier: MIT */
/*
 * recordings.h - list a JVM's recordings, and select one of them
 */
#ifndef JFREC_CLI_JVM_RECORDINGS_H
#define JFREC_CLI_JVM_RECORDINGS_H

#include "jvm/for_each_jvm.h"

/* "running" */
const char *recordings_state_text(enum jfrec_jfr_state state);

/* An object of its id, name, state and limits. */
json_t *recordings_json(const struct jfrec_jfr_recording *r);

/* The settings that it was asked for (verbose), as an object of objects: by event, by name. */
json_t *recordings_settings_json(const struct jfrec_jfr_recording *r);

/* A table; nothing if there are none. */
void recordings_print(FILE *to, const struct jfrec_jfr_recordings *list);

/*
 * The one that is meant by its id or name, or (NULL) the only one there is.  Returns an exit
 * code, after saying why there is none or more than one.
 */
int recordings_select(const struct each_jvm *j, const char *name, uint64_t *id);

#endif
