/* SPDX-License-Identifier: MIT */
/*
 * renumber.h - the types of a JVM under other ids
 */
#ifndef JFREC_EDIT_RENUMBER_H
#define JFREC_EDIT_RENUMBER_H

#include "base/buffer.h"
#include "format/metadata.h"

/* From the ids of one JVM to its own in the output; the same in all of its chunks. */
struct type_ids {
	struct idmap new_ids; /* by old id */
	uint64_t *next;	      /* shared by all JVMs; NULL: ids stay */
	bool failed;	      /* memory is gone */
};

uint64_t new_type_id(struct type_ids *ids, uint64_t old);

/*
 * Append the content of a metadata event with other ids of types, and another
 * one of its own.
 */
void renumber_metadata(const struct metadata *m, struct type_ids *ids, uint64_t metadata_id,
		       struct buffer *to);

#endif
