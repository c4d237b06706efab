/* SPDX-License-Identifier: MIT */
/*
 * chains.h - what keeps an object alive: from a root of the collector to the object
 *
 * A jdk.OldObjectSample that was recorded with path-to-gc-roots says who refers to its object, who
 * to that, and so on. As frames, the root first, such chains are a tree like that of stacks:
 *
 *	acme.web.Sessions.SESSIONS (static)    a java.util.HashMap with Size: 18677
 *	java.util.HashMap.table
 *	element of java.util.HashMap$Node[]
 *	java.util.HashMap$Node.value
 *	acme.web.Sessions$Session.basket       a byte[]
 */
#ifndef JFREC_STACKS_CHAINS_H
#define JFREC_STACKS_CHAINS_H

#include "stacks/traces.h"

/* Longer chains are cut at the object: the JVM leaves out the middle of those beyond 200. */
#define CHAIN_MAX 256

/* One reference of a chain. */
struct holder {
	uint32_t frame; /* its text: a field, an element of an array, or a root */
	uint32_t class; /* frame with the class of what it refers to; FRAME_NONE: not known */
	int64_t size;	/* how many elements that has, as the JVM describes it; -1 */
};

/*
 * The chain of a sample, the root first, into `to`, which has room for CHAIN_MAX; returns how many
 * there are. 0: it has none. object, root: keys of the event's fields of these types, which may be
 * NULL. Of a chain through a static field what keeps the class is left out. FRAME_NONE in a frame:
 * memory is gone (traces.h).
 */
uint32_t chain_get(struct traces *t, const struct jfrec_type *object_type, uint64_t object,
		   const struct jfrec_type *root_type, uint64_t root, struct holder *to);

#endif
