/* SPDX-License-Identifier: MIT */
/*
 * recall.h - the stack of the thread that emits an event, if it was seen a moment ago
 *
 * Most events of a thread come from few places, time after time by the same way.  A walk depends on
 * the registers that it starts with and on the words that it reads, so when none of them has
 * changed, its result has not either, and reading them again needs no tables.
 */
#ifndef JFREC_NATIVE_RECALL_H
#define JFREC_NATIVE_RECALL_H

#include <stdint.h>

#include "native/walk.h"

/* What traces_add() said of it; 0: it is not known.  end as for walk(). */
uint64_t recall(const struct called_from *from, uint64_t end);

/* From now on it is known to have this key, by what walk() has visited. */
void recall_later(const struct called_from *from, uint64_t end, const struct visited *visited, uint64_t key);

#endif
