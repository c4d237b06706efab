/* SPDX-License-Identifier: MIT */
/*
 * recording_files.h - what recording.c and recording_files.c need of each other
 */
#ifndef JFREC_FORMAT_RECORDING_FILES_H
#define JFREC_FORMAT_RECORDING_FILES_H

#include "format/recording.h"

/* Go on with the next file that is a recording.  1; 0 when there is none. */
int recording_open_next(struct recording *r);

/* From that offset on, take chunks of version 0.x for ones of 2.1.  0, or -1 with *err set. */
int recording_read_v0(struct recording *r, uint64_t offset, struct jfrec_error *err);

/*
 * Can the open file be read from its first header on, or from a later chunk?  0; 1: it is an
 * archive, of which something else is to be made; or -1 with *err set.
 */
int recording_check_first(struct recording *r, struct jfrec_error *err);

#endif
