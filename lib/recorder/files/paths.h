/* SPDX-License-Identifier: MIT */
/*
 * paths.h - the files of recordings: %p in their names, and default names
 */
#ifndef JFREC_RECORDER_FILES_PATHS_H
#define JFREC_RECORDER_FILES_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATH_ROOM 1024u

/* The default name of a file; id: 0 is none. */
void path_generate(char *to, size_t size, uint64_t id);

/*
 * An absolute path, and in a directory a file; false: too long, or there is no working directory.
 */
bool path_complete(char path[PATH_ROOM], const char *name, uint64_t id);

#endif
