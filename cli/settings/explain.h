/* SPDX-License-Identifier: MIT */
/*
 * explain.h - the two halves of `jfrec settings explain`: events and profiles
 */
#ifndef JFREC_CLI_SETTINGS_EXPLAIN_H
#define JFREC_CLI_SETTINGS_EXPLAIN_H

#include <jansson.h>

#include "base/command.h"

/* An event, by its full or simple name; jdk 0: of the newest that has it.  Returns an exit code. */
int explain_event(const char *word, int jdk, bool json);

/*
 * Explain a built-in profile, or (path not NULL) the settings file there that has that name;
 * jdk 0: for all JDKs.
 */
int explain_profile(const char *name, const char *path, int jdk, bool json);

/* How far texts are indented below their title. */
#define INDENT 10

/* "costs     an event each ...", in lines of 80 columns. */
void put_paragraph(const char *title, const char *text);

/* [8, 11] of jfrec_dictionary_presence(). */
json_t *jdks_json(const struct jfrec_dictionary *d, uint32_t presence);

#endif
