/* SPDX-License-Identifier: MIT */
/*
 * first_slots.h - decode only the first values of events, where the others are not read
 */
#ifndef JFREC_FORMAT_FIRST_SLOTS_H
#define JFREC_FORMAT_FIRST_SLOTS_H

#include "format/chunk.h"

#define FITTING_ENDS 256

/*
 * Ends of events, after their first slots, whose values fit into the events' sizes: those of others
 * that end in the same bytes do so, too.  All zero knows none.  It points into the chunk's bytes,
 * and is for one chunk.
 */
struct fitting_ends {
	struct fitting_end {
		const struct step *steps; /* of the end; NULL: none */
		const uint8_t *bytes;
		size_t len;
	} known[FITTING_ENDS];
};

/*
 * As chunk_decode(), for who looks at the first `count` slots only, which may be all; the others
 * are not set, but their values must fit, too.
 */
bool chunk_decode_first(struct chunk *c, const struct jfrec_type *t, const struct raw_event *e,
			unsigned count, struct fitting_ends *ends, uint64_t *slots);

#endif
