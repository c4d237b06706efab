/* SPDX-License-Identifier: MIT */
/*
 * headless.h - make a header for a chunk that lost it
 */
#ifndef JFREC_FORMAT_HEADLESS_H
#define JFREC_FORMAT_HEADLESS_H

#include "format/chunk_header.h"
#include "format/metadata.h"
#include "input/input.h"

/* A chunk before or after it, whose clock the lost header is made with. */
struct lender {
	struct chunk_header header;
	bool is_behind;
	struct metadata *metadata; /* for a chunk that lost its own, too; or NULL */
};

/*
 * Is there, from `from` up to `to`, a chunk that lost its header, and of which there is no copy? It
 * has metadata among its bytes, or that of the lender fits, and many events by it, whose ticks go
 * by the lender's clock.  True: *h is a header for it; it begins and ends with its events.
 */
bool headless_header(struct input *in, uint64_t from, uint64_t to, const struct lender *lender,
		     struct chunk_header *h);

#endif
