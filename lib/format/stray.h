/* SPDX-License-Identifier: MIT */
/*
 * stray.h - find constants that are stored under the type of others
 */
#ifndef JFREC_FORMAT_STRAY_H
#define JFREC_FORMAT_STRAY_H

#include "format/chunk_pages.h"
#include "format/pool.h"

/*
 * May some of a chunk's constants be stored under a type that is not theirs?  That is seen from
 * which types there are in which checkpoint: `events` has those of the chunk's events.  Hardly ever
 * of a sound chunk.
 */
bool strays_possible(const struct metadata *m, const struct pool_blocks *blocks,
		     const struct met_types *events);

/*
 * Find constants of which the others show that they are of another type, and set *stray.  `missing`
 * has, by the index of the type, the keys that something refers to and no constant has.  Where
 * several blocks could be the one, only the type is known.
 */
bool stray_find(const struct metadata *m, struct pools *p, const struct idmap *missing,
		struct pool_stray *stray);

#endif
