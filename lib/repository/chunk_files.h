/* SPDX-License-Identifier: MIT */
/*
 * chunk_files.h - the public view of the chunk files of a repository
 */
#ifndef JFREC_REPOSITORY_CHUNK_FILES_H
#define JFREC_REPOSITORY_CHUNK_FILES_H

#include "jfrec-tool.h"
#include "repository/chunks.h"

/* The strings are the chunk's. */
struct jfrec_repository_chunk chunk_files_see(const struct repository_chunk *c);

#endif
