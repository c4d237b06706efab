/* SPDX-License-Identifier: MIT */
/*
 * lost_returns.h - put back the carriage returns that a chunk lost, where each CR LF became LF
 *
 * The header says how many bytes are missing, and each event how long it was: so it is known in
 * which events they lack. Inside of one, the line feed is searched before which the missing byte
 * makes the event readable to its end.
 */
#ifndef JFREC_FORMAT_LOST_RETURNS_H
#define JFREC_FORMAT_LOST_RETURNS_H

#include "base/buffer.h"

/* What was put back. */
struct returned {
	uint64_t count;
	uint64_t unsure;       /* of these, may stand elsewhere in their events */
	uint64_t first_unsure; /* the first one's place in the chunk, as it is then */
};

/* The most bytes that a chunk of so many, by its header, can lack. */
uint64_t most_returns(uint64_t size);

/*
 * Put the chunk whose header, and what is left of it, are these bytes into *out, as long as its
 * header says.  0, or -1 when memory is gone.
 */
int returns_put_back(const uint8_t *bytes, uint64_t len, struct buffer *out, struct returned *told);

#endif
