/* SPDX-License-Identifier: MIT */
/*
 * crash_file.h - what a killed native program had recorded, but not flushed
 */
#ifndef JFREC_REPOSITORY_CRASH_FILE_H
#define JFREC_REPOSITORY_CRASH_FILE_H

#include "jfrec/base.h"

/*
 * A chunk of the events that a program with libjfrec-recorder had not written to the chunks of this
 * directory when it was killed: the descriptor of a temporary file.  -1: there are none, or the
 * program still runs.  *missing is set if there is, or was, something that could not be taken in,
 * all of it or a part.
 */
int crash_file_chunk(int directory, struct jfrec_error *missing);

/*
 * The same from the file that is the memory of a program that was killed.  The header of its last
 * chunk is looked at where that is still there, and belongs to the same user.  0 with -1 in
 * *unflushed: it is another kind of file; -1 with *err set: it has nothing to give.
 */
int crash_file_of_memory(const char *path, int *unflushed, struct jfrec_error *missing,
			 struct jfrec_error *err);

/*
 * What these two would open beside that path: the memory that a directory names, or the repository
 * that a memory names. To be freed; NULL: nothing.
 */
char *crash_file_beside(const char *path);

/*
 * The same from the memory itself, which may have anything in it: write the chunk to an empty file.
 * 1; 0: there are no events; -1 with *err set.  If *err is set nevertheless, something is damaged.
 */
int crash_file_write(int memory, int directory, int to, struct jfrec_error *err);

#endif
