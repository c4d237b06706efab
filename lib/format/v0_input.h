/* SPDX-License-Identifier: MIT */
/*
 * v0_input.h - read an input that has chunks of version 0.x as if they were of 2.1
 */
#ifndef JFREC_FORMAT_V0_INPUT_H
#define JFREC_FORMAT_V0_INPUT_H

#include "format/chunk_header.h"
#include "format/v0_chunk.h"
#include "input/input.h"

/* Is there a chunk of version 0.x at that offset, as far as its first bytes tell? */
bool v0_is_at(struct input *in, uint64_t offset);

/*
 * Has a file such a chunk?  Goes from header to header, as far as these are right; false for a pipe
 * or a compressed file, in which only recording_next() finds them.
 */
bool v0_is_in(struct input *in);

/*
 * From that offset on, chunks of version 0.x come as chunks of 2.1, and all else comes as it is.
 * What cannot be read is reported.  A chunk that lost its types takes those lent, if there are any.
 * *problems and *lent must live as long as the input.  0, or -1 with *err set.
 */
int v0_read(struct input *in, uint64_t offset, struct problems *problems,
	    const struct v0_metadata *lent, struct jfrec_error *err);

/* Is it read that way? */
bool v0_is_decoded(const struct input *in);

/* What the last chunk of 0.x that was read from there declares, or NULL; valid until the next. */
const struct v0_metadata *v0_last_metadata(const struct input *in);

/* Was the chunk at that offset of version 0.x?  Then its minor version; else -1. */
int v0_minor_at(const struct input *in, uint64_t offset);

#endif
