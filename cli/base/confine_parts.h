/* SPDX-License-Identifier: MIT */
/*
 * confine_parts.h - what confine.c consists of
 */
#ifndef JFREC_CLI_BASE_CONFINE_PARTS_H
#define JFREC_CLI_BASE_CONFINE_PARTS_H

#include <stddef.h>

#include "base/confine.h"

/* Paths that were named, as they were named. */
struct confine_paths {
	const char **reads, **writes;
	size_t read_count, write_count;
};

/* Allow the calls that are in use: 0, or an errno. The last step. */
int confine_calls(enum confinement how);

/* Allow what is at these paths, by Landlock: its version, from 1 on, or 0. */
int confine_files(enum confinement how, const struct confine_paths *paths);

/* Drop all capabilities but those without which these paths cannot be used: 0, or an errno. */
int confine_capabilities(enum confinement how, const struct confine_paths *paths);

/*
 * The directory that confine_writes() means, in that room. False: the path is too long, or there
 * is none.
 */
bool confine_directory(const char *path, char *room, size_t size);

#endif
