/* SPDX-License-Identifier: MIT */
/*
 * crash_file.h - what a killed native program had recorded, but not flushed
 */
#ifndef JFREC_REPOSITORY_CRASH_FILE_H
#define JFREC_REPOSITORY_CRASH_FILE_H

#include "base/buffer.h"
#include "jfrec/base.h"

/*
 * A chunk of the events that a program with libjfrec-recorder had not written to the chunks of this
 * directory when it was killed: the descriptor of a file in memory.  -1: there are none, the program
 * still runs, or its memory was not kept.
 */
int crash_file_chunk(int directory);

/*
 * The same from the file that is the memory of a program that was killed.  The header of its last
 * chunk is looked at where that is still there, and belongs to the same user.  0 with -1 in
 * *unflushed: it is another kind of file; -1 with *err set: it has nothing to give.
 */
int crash_file_of_memory(const char *path, int *unflushed, struct jfrec_error *err);

/*
 * The same from the memory itself, which may have anything in it: put the chunk into *out.  False:
 * there are no events, or it is not the memory of a recorder.
 */
bool crash_file_read(int fd, int directory, struct buffer *out);

#endif
