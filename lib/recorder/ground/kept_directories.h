/* SPDX-License-Identifier: MIT */
/*
 * kept_directories.h - directories that stay in reach when the root changes
 */
#ifndef JFREC_RECORDER_GROUND_KEPT_DIRECTORIES_H
#define JFREC_RECORDER_GROUND_KEPT_DIRECTORIES_H

#include <stdbool.h>

/* Keep a descriptor of this directory.  Children of fork() have it, too. */
void directory_keep(const char *directory);

/* The same for the directory of a file. */
void directory_keep_of(const char *file);

/*
 * Open the directory of this file: the one that was kept, if it was and still is, or the one that
 * has its path now.  The descriptor is the caller's, and is good for the functions whose names end
 * in at() alone.  -1: errno.
 */
int directory_open_of(const char *file);

/* The name of the file in it. */
const char *name_in_directory(const char *file);

/* Before a fork(): open again what the program has closed, so that the child has it. */
void directory_look_after(void);

/* In a child of fork(): without keep, which says that it records, they are closed. */
void directory_after_fork(bool keep);

#endif
