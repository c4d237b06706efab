/* SPDX-License-Identifier: MIT */
/*
 * chunk_jvms.h - which chunks are of one JVM, so that a thread's id means the same in them
 *
 * No chunk says whose it is. It is of the JVM of another one by the same clock that is in the same
 * file, that ends when it begins, or that begins at the same time: two dumps of a JVM have that
 * chunk both. All others are taken for different JVMs.
 */
#ifndef JFREC_READ_CHUNK_JVMS_H
#define JFREC_READ_CHUNK_JVMS_H

#include "base/idmap.h"
#include "format/chunk.h"

/* All zero knows none. */
struct chunk_jvms {
	struct clock *clocks; /* of each JVM */
	size_t count, room;
	/* The number of the JVM that was there last, by a hash of what a chunk has in common. */
	struct idmap by_file, by_start, by_end;
};

void chunk_jvms_fini(struct chunk_jvms *j);

/*
 * The number of the chunk's JVM: the same each time it is asked for. Chunks are first asked for in
 * the order of the recording. IDMAP_NONE when memory is gone.
 */
uint32_t chunk_jvms_number(struct chunk_jvms *j, const struct chunk *c);

#endif
