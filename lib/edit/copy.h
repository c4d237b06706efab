/* SPDX-License-Identifier: MIT */
/*
 * copy.h - copy chunks unchanged into the output
 */
#ifndef JFREC_EDIT_COPY_H
#define JFREC_EDIT_COPY_H

#include "format/recording.h"
#include "output/output.h"

/* Refuse an output that would replace one of the inputs.  0, or -1 with *err set. */
int copy_check_inputs(const struct recording *r, const struct jfrec_output *o,
		      struct jfrec_error *err);

/* Does the header have a clock, and point to metadata and constants, as readers want it? */
static inline bool header_is_whole(const struct chunk_header *h)
{
	return h->checkpoint >= CHUNK_HEADER_SIZE && h->metadata >= CHUNK_HEADER_SIZE &&
	       chunk_header_has_clock(h);
}

/* Copy the bytes of the chunk.  0, or -1 with *err set. */
int copy_chunk(struct recording *r, const struct extent *x, struct jfrec_output *o,
	       struct jfrec_error *err);

/* Copy them with a header that says that the chunk is finished. */
int copy_finished(struct recording *r, const struct extent *x, struct jfrec_output *o,
		  struct jfrec_error *err);

#endif
