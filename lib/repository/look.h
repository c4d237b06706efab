/* SPDX-License-Identifier: MIT */
/*
 * look.h - read the header of a chunk file that may be changing
 */
#ifndef JFREC_REPOSITORY_LOOK_H
#define JFREC_REPOSITORY_LOOK_H

#include "repository/chunks.h"

/*
 * Fill everything of the chunk but its name from its descriptor; nothing is waited for.  False if
 * it is not a chunk, or another user's than *owner.  One that is just being rewritten is guarded:
 * see chunks_settle().
 */
bool chunk_look(struct repository_chunk *c, const uint32_t *owner);

/*
 * Is it a file of that user with something in it that does not begin as a recording, or cannot be
 * read?  To be called where chunk_look() says that it is not a chunk.
 */
bool chunk_is_damaged(int fd, const uint32_t *owner);

/* Is there a header that can be read?  Of a guarded one that is known once it is settled. */
bool chunk_is_valid(const struct repository_chunk *c);

/*
 * Look at the guarded ones again until none is, all at once, and for a tenth of a second at most. A
 * JVM that died or was stopped meanwhile leaves the guard, followed by what the header was before:
 * this is what then stays.
 */
void chunks_settle(struct repository_chunk *chunks, size_t count);

#endif
