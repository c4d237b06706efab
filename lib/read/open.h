/* SPDX-License-Identifier: MIT */
/*
 * open.h - open what is to be read: files, descriptors, memory, directories
 */
#ifndef JFREC_READ_OPEN_H
#define JFREC_READ_OPEN_H

#include "format/recording.h"
#include "jfrec.h"

/* A reader of files that are open, which it then has; recording_open_files(). */
struct jfrec_reader *reader_of_files(const struct recording_file *files, size_t count,
				     struct jfrec_error *err);

/* A reader that has nothing to read yet.  NULL when memory is gone. */
struct jfrec_reader *reader_without_input(struct jfrec_error *err);

#endif
