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

/* What the kernel adds to the name of an open file that has been removed. */
#define REPOSITORY_DELETED " (deleted)"

/* Of a chunk file. */
bool name_is_chunk(const char *file);

/* Of one as a JVM names it: a time, and a number if there was one of that second. */
bool name_is_own_chunk(const char *file);

/* Of one that JDK 8 or 11 has not finished: until then it has no header, and another name. */
bool name_is_part(const char *file);

/* The pid in the name of a repository, in the pid namespace of its JVM; 0: not such a name. */
int name_repository_pid(const char *path);

/*
 * Is that a file of the repository of the JVM with this pid in its own namespace?  Cuts the path
 * off after the directory; *deleted tells whether the kernel reports it as deleted.
 */
bool name_parse_chunk_path(char *path, int ns_pid, bool *deleted);

#endif
