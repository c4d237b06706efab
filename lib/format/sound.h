/* SPDX-License-Identifier: MIT */
/*
 * sound.h - whether all bytes of a chunk are events
 */
#ifndef JFREC_FORMAT_SOUND_H
#define JFREC_FORMAT_SOUND_H

#include "format/chunk_header.h"
#include "format/chunk_pages.h"
#include "format/metadata.h"

/*
 * Do events of declared types, as long as their fields, follow one another from the first byte to
 * the last?  Counts the checkpoints, and notes in which pages which types are; the bytes begin with
 * the chunk's header.
 */
bool events_are_sound(struct metadata *m, const struct chunk_header *h, const uint8_t *bytes,
		      const uint8_t *end, size_t *checkpoints, struct chunk_pages *pages);

/* The same of the constants in the checkpoints of a chunk whose events are sound. */
bool constants_are_sound(const struct metadata *m, const uint8_t *bytes, const uint8_t *end);

#endif
