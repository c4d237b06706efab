/* SPDX-License-Identifier: MIT */
/*
 * v0_chunk.h - turn a chunk of version 0.x into one of 2.1
 *
 *	 0  "FLR\0"			 4  u2 0, u2 9
 *	 8  u8 metadata event		from the chunk's start; it ends the chunk
 *	16  event			u4 size, u4 type, then, of all but metadata:
 *					u8 end ticks
 *					u8 start ticks, u4 thread, u8 stack: as its type has them
 *					its values
 *	..  metadata event
 *
 * Types 0, 1 and 2 are metadata, checkpoints and lost buffers; the others are declared.
 */
#ifndef JFREC_FORMAT_V0_CHUNK_H
#define JFREC_FORMAT_V0_CHUNK_H

#include "base/buffer.h"
#include "format/problem.h"
#include "format/v0_write.h"

#define V0_HEADER_SIZE 16

/* Do these bytes begin a chunk of version 0.9?  No other 0.x was ever written. */
bool v0_is_header(const uint8_t bytes[static V0_HEADER_SIZE]);

/* Where its header says that the metadata event is. */
uint64_t v0_metadata_offset(const uint8_t bytes[static V0_HEADER_SIZE]);

/* A metadata event. */
struct v0_metadata {
	uint8_t *bytes; /* NULL: none */
	size_t size;
};

/* Keep a copy.  0, or -1 when memory is gone. */
int v0_metadata_copy(struct v0_metadata *m, const uint8_t *bytes, size_t size);

/* What goes on from one chunk of a recording to the next. */
struct v0_series {
	uint64_t last_key[V0_POOL_OTHER + 1];
	uint64_t number;		/* of the chunk before */
	struct v0_metadata last;	/* of that chunk */
	const struct v0_metadata *lent; /* of another recording */
};

/*
 * Turn the chunk whose bytes these are, `offset` bytes into the input, into one of 2.1, which is
 * added to *to; what cannot be read of it is reported.  0, or -1 when memory is gone.  A chunk of
 * which nothing can be read adds nothing.
 */
int v0_translate(const uint8_t *chunk, uint64_t size, uint64_t offset, struct v0_series *series,
		 struct problems *problems, struct buffer *to);

#endif
