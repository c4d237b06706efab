/* SPDX-License-Identifier: MIT */
/*
 * folder.h - a directory of recordings, each to be judged by itself
 */
#ifndef JFREC_CLI_ANALYZE_FOLDER_H
#define JFREC_CLI_ANALYZE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* The paths of the recordings in a directory, in the order of their names. */
struct folder {
	char **paths;
	size_t count, room;
	bool is_chunks; /* all have names as JVMs give them to chunks: together they are one */
};

/* Is it the name of a JVM's chunk, "2026_11_22_10_00_00.jfr" or "2026_11_22_10_00_00_1.jfr"? */
bool folder_is_chunk(const char *name);

/* False after saying why it cannot be read. folder_fini() in any case. */
bool folder_read(struct folder *f, const char *path);
void folder_fini(struct folder *f);

#endif
