/* SPDX-License-Identifier: MIT */
/*
 * record_reach.h - how far bytes look like what a recorder writes
 *
 * To find where a byte was lost, each place is tried; this tells which leads furthest.
 */
#ifndef JFREC_FORMAT_RECORD_REACH_H
#define JFREC_FORMAT_RECORD_REACH_H

#include "base/idmap.h"
#include "format/metadata.h"

struct reach {
	uint64_t len; /* bytes, from the first on; all of them if they are a whole event */
	uint64_t odd; /* what in these is allowed, and yet seldom right: keys without a constant */
};

/* Keys of constants, by their types; all zero has none, and then no key is odd. */
struct known_keys {
	struct idmap keys, types;
};

/* Note the constants of a whole checkpoint.  0, or -1 when memory is gone. */
int known_keys_add(struct known_keys *k, const struct metadata *m, const uint8_t *checkpoint,
		   uint64_t size);
void known_keys_fini(struct known_keys *k);

/* The bytes of an event, from its size on, whose type is that: metadata, a checkpoint, or other. */
struct reach reach_of(const struct metadata *m, const struct known_keys *k, uint64_t type_id,
		      const uint8_t *bytes, uint64_t len);

#endif
