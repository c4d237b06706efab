/* SPDX-License-Identifier: MIT */
/*
 * rescue.h - recover chunks without metadata or header, and events after damage
 */
#ifndef JFREC_FORMAT_RESCUE_H
#define JFREC_FORMAT_RESCUE_H

#include "format/metadata.h"
#include "format/recording.h"

/*
 * Metadata that fits the chunk's events: that of the chunk before or after it, if it is the same
 * JVM's, or one that was given.  In a row of events each must be exactly as long as it says: then
 * ids mean the same.  A reference, and *whose says what it is; NULL if none fits.
 *
 * With `own`, which was found in the chunk but leaves events over, only one that fits more of them.
 */
struct metadata *rescue_metadata(struct recording *r, const struct extent *x, const uint8_t *bytes,
				 const uint8_t *end, struct metadata *own, const char **whose);

/*
 * The metadata at that offset of a chunk, if only the size and the type before it are damaged:
 * where it ends by itself, an event must follow, or the chunk's end.  A reference, or NULL.
 */
struct metadata *rescue_own_metadata(struct recording *r, const uint8_t *bytes, const uint8_t *end,
				     uint64_t offset);

/*
 * The first place after `from` where events begin that follow each other
 * exactly up to `to`, where one is known to begin; `to` if there is none.
 *
 * Bytes say nothing of where events begin, so each must be declared, as long as
 * its fields, and of the chunk's time: what passes by chance is very rare.
 */
const uint8_t *rescue_resume(const struct metadata *m, const struct chunk_header *h,
			     const uint8_t *from, const uint8_t *to);

/*
 * A chunk in the bytes from `from` to `to`, whose header is damaged: where only the magic is, it is
 * repaired; else the copy that a JVM leaves with each flush is taken, or one is made (headless.h).
 * True: *x is that chunk, which reaches up to `to`.
 */
bool rescue_header(struct recording *r, uint64_t from, uint64_t to, struct extent *x);

/*
 * Does the file begin with a chunk that has nothing right in its header but the magic, and has
 * there been left a copy of it before `to`?
 */
bool rescue_has_copy(struct recording *r, uint64_t to);

#endif
