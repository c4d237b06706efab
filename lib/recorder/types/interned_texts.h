/* SPDX-License-Identifier: MIT */
/*
 * interned_texts.h - texts that many events contain, each kept once
 */
#ifndef JFREC_RECORDER_TYPES_INTERNED_TEXTS_H
#define JFREC_RECORDER_TYPES_INTERNED_TEXTS_H

#include <stdbool.h>

#include "recorder/ground/bytes.h"
#include "recorder/ground/region.h"

#define MOST_TEXT 1000u

/*
 * By the drainer: the entries of the pool of strings that *b does not have yet; count: how many
 * were added.  written: a bit for each slot, which it sets; *seen: texts at the last call.
 */
uint32_t interned_texts_encode(struct bytes *b, uint64_t written[TEXT_SLOTS / 64], uint32_t *seen);

/* The text of a key, terminated, cut to size; false: there is none. */
bool interned_texts_get(uint64_t key, char *to, size_t size);

#endif
