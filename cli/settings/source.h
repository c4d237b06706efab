/* SPDX-License-Identifier: MIT */
/*
 * source.h - open settings by name or from a file
 */
#ifndef JFREC_CLI_SETTINGS_SOURCE_H
#define JFREC_CLI_SETTINGS_SOURCE_H

#include "base/command.h"

/* A row for a table of options. */
#define JDK_HOME_ROW(s, member) \
	OPT_STRING(0, "jdk-home", "DIRECTORY", "look up names in this JDK", s, member)

/*
 * Read the settings that a word means: `none`, a profile, a file, or a name of those of a JDK;
 * of the one at jdk_home, or (NULL) the first that is found, after profiles.
 *
 * Returns them, to be freed, or NULL after saying what failed.
 */
struct jfrec_settings *settings_open(const char *word, const char *jdk_home);

/* What a word means where settings are named. */
enum settings_kind {
	SETTINGS_UNKNOWN,
	SETTINGS_NONE, /* empty ones */
	SETTINGS_PROFILE,
	SETTINGS_FILE, /* *path is its path, to be freed */
};

/*
 * Find what a word means; where several JDKs have settings of that name, say which counts.
 * jdk_home: as for settings_open().  *path is NULL for all but SETTINGS_FILE.
 */
enum settings_kind settings_find(const char *word, const char *jdk_home, char **path);

/*
 * Changes, "KEY=VALUE", by the rules of `jfr configure`: of several for one key the last
 * counts, where the first one stands.
 */
struct changes {
	struct change {
		char *key, *value;
	} * list;
	size_t count;
};

/* Take one from the command line.  False: no memory. */
bool changes_take(struct changes *c, const char *key, size_t key_len, const char *value,
		  size_t value_len);

void changes_fini(struct changes *c);

#endif
