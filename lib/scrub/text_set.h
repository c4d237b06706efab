/* SPDX-License-Identifier: MIT */
/*
 * text_set.h - search bytes for any text of a set
 *
 * One pass over the bytes finds all texts.  Which byte strings can begin one is
 * in a bitmap, so that most places cost a look at it.  At others the texts, which
 * are sorted, are searched, and what is known to be equal is not compared again.
 *
 * Of a text of more than TEXT_SET_WINDOW bytes its beginning is enough: bytes that are equal to
 * that beginning, and as many as are equal after it, are taken for it.  So each byte is compared at
 * most TEXT_SET_WINDOW times, and some more for the logarithm of the number of texts, whatever the
 * texts and the bytes are.
 */
#ifndef JFREC_SCRUB_TEXT_SET_H
#define JFREC_SCRUB_TEXT_SET_H

#include "base/arena.h"
#include "base/digest.h"

/* The shortest text that can be hunted. */
#define TEXT_SET_MIN 4

#define TEXT_SET_WINDOW 256

struct text_set_text {
	const uint8_t *bytes;
	size_t len;
	uint32_t prefix; /* the longest other text that this one begins with, or TEXT_SET_NONE */
	/* Bytes equal in the texts between which the search comes to this one. */
	uint32_t left, right;
	bool common;
};

#define TEXT_SET_NONE UINT32_MAX

/* All zero is an empty set. */
struct text_set {
	struct arena arena;
	struct text_set_text *texts; /* sorted, once it is ready */
	uint32_t count, room;
	struct digest_map known;
	uint8_t *starts; /* a bit for each hash of four bytes */
	unsigned start_bits;
	bool failed; /* memory is gone, or there are too many */
};

/* Add a text of at least TEXT_SET_MIN bytes; of a very long one its beginning. */
void text_set_add(struct text_set *h, const void *text, size_t len);

/* To be called when all are added.  0, or -1 when memory is gone. */
int text_set_ready(struct text_set *h);

/*
 * The first text in these bytes, and the longest there; NULL if there is none.  Of
 * the bytes *found at *at are equal to it.
 */
const struct text_set_text *text_set_find(const struct text_set *h, const uint8_t *bytes,
					  size_t len, size_t *at, size_t *found);

/* Forget the texts, of up to TEXT_SET_WINDOW bytes, that are in these bytes.  0, or -1 when memory
 * is gone. */
int text_set_forget(struct text_set *h, const uint8_t *bytes, size_t len);

void text_set_fini(struct text_set *h);

#endif
