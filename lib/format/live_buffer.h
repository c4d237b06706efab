/* SPDX-License-Identifier: MIT */
/*
 * live_buffer.h - a window on the bytes of a growing chunk
 *
 * Constants point to where they lie, so nothing may move while the chunk grows: it has addresses
 * for more bytes than it will ever have, and byte n of the chunk is always at bytes[n].  An address
 * has memory only once its byte was fetched, and until it is released: what stays are the
 * constants.
 *
 * A walk looks at the bytes in a window, whose memory stays the same, and copies to their addresses
 * those of wanted events only: a page costs more than the events on it.
 *
 * The file is copied, never mapped: a mapped page that its file has lost kills the process that
 * touches it.
 */
#ifndef JFREC_FORMAT_LIVE_BUFFER_H
#define JFREC_FORMAT_LIVE_BUFFER_H

#include "base/cursor.h"
#include "input/input.h"

/* Two varints, the second perhaps long, and of a checkpoint what is before its pools. */
#define GROWING_HEAD 64

struct growing {
	struct input *in;
	uint64_t offset; /* of the chunk in it */
	uint8_t *bytes;
	uint64_t room;	   /* addresses */
	uint64_t size;	   /* of the chunk so far; what follows must not be touched */
	uint64_t usable;   /* size, up to whole pages */
	uint8_t *window;   /* NULL: no walk has begun */
	uint64_t from, to; /* what of the chunk it has */
	uint64_t placed;   /* bytes of it that were copied to their addresses */
	bool is_dense;	   /* much of it will be: room is made for all at once */
};

/* 0, or -1 with *err set (JFREC_ENOMEM).  The input must outlive it. */
int growing_init(struct growing *g, struct input *in, uint64_t offset, struct jfrec_error *err);

/* A zeroed one is allowed. */
void growing_fini(struct growing *g);

/*
 * The chunk has so many bytes now, no fewer than before.  0, or -1 with *err set
 * (JFREC_EUNSUPPORTED: there are not so many addresses; JFREC_ENOMEM).
 */
int growing_extend(struct growing *g, uint64_t size, struct jfrec_error *err);

/*
 * Have these bytes in memory.  False if the chunk, or its file, does not have
 * them all; what of them is not there is zeros.
 */
bool growing_fetch(struct growing *g, uint64_t offset, uint64_t len);

/*
 * For a walk from front to back: the bytes at that offset, in the window.  They are at least
 * GROWING_HEAD, unless the chunk ends before; none if its file does.
 */
struct cursor growing_look(struct growing *g, uint64_t offset);

/* growing_fetch() for a walk: by way of the window. */
bool growing_walk(struct growing *g, uint64_t offset, uint64_t len);

/*
 * Give back the memory of these bytes, as far as it is whole pages.  Returns the first byte that
 * is left: `from`, or the start of the last page.
 */
uint64_t growing_release(struct growing *g, uint64_t from, uint64_t to);

#endif
