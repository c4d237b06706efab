/* SPDX-License-Identifier: MIT */
/*
 * name.h - parse the names of repositories and chunk files
 *
 * DIRECTORY/2026_11_20_09_47_05.jfr, in a directory that is named for a time and for the pid
 * of the JVM in its namespace: 2026_11_20_09_46_59_4711.  Times are local ones.
 */
#ifndef JFREC_REPOSITORY_NAME_H
#define JFREC_REPOSITORY_NAME_H

#include <stdbool.h>

/* What the kernel says behind the name of a file that is open and has lost it. */
#define REPOSITORY_DELETED " (deleted)"

/* Of a chunk file. */
bool name_is_chunk(const char *file);

/* Of one as a JVM names it: a time, and a number if there was one of that second. */
bool name_is_own_chunk(const char *file);

/* Of one that JDK 8 or 11 has not finished: until then it has no header, and another name. */
bool name_is_part(const char *file);

/* The pid that a directory of this name is for, in the pid namespace of its JVM; 0: it is none. */
int repository_pid(const char *path);

/*
 * Is that a file of the repository of a JVM whose pid in its namespace that is?  Cuts the path
 * behind the directory, and tells whether the kernel says it is deleted.
 */
bool repository_parse(char *path, int ns_pid, bool *deleted);

#endif
