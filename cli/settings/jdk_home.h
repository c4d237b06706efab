/* SPDX-License-Identifier: MIT */
/*
 * jdk_home.h - find the JDKs of this host and their settings files
 */
#ifndef JFREC_CLI_SETTINGS_JDK_HOME_H
#define JFREC_CLI_SETTINGS_JDK_HOME_H

#include <stddef.h>

/* Directories that hold .jfc files, those of $JAVA_HOME and of `java` first; each once. */
struct jdk_homes {
	char **paths; /* "/usr/lib/jvm/java-25/lib/jfr" */
	size_t count;
};

void jdk_homes_find(struct jdk_homes *homes);

/* Only the one of that JDK, or of that directory itself. */
void jdk_homes_only(struct jdk_homes *homes, const char *home);

void jdk_homes_fini(struct jdk_homes *homes);

/* The file NAME or NAME.jfc of the first that has it, to be freed; NULL: none has. */
char *jdk_homes_file(const struct jdk_homes *homes, const char *name);

/* How many of them have that file. */
size_t jdk_homes_having(const struct jdk_homes *homes, const char *name);

#endif
