/* SPDX-License-Identifier: MIT */
/*
 * intern.h - merge the constants of several chunks, each stored once
 *
 * Keys mean something within a chunk only, and equal constants differ in their
 * bytes where they refer to others by key.  So constants are known by a digest
 * of all that they are made of, to the last string.
 */
#ifndef JFREC_EDIT_INTERN_H
#define JFREC_EDIT_INTERN_H

#include "edit/recode.h"
#include "edit/renumber.h"
#include "format/mark.h"
#include "write/pool_writer.h"

/* The constants of one JVM in the output, by type.  All zero at first. */
struct new_pools {
	struct new_pool *items;
	size_t count, room;
	struct idmap by_type; /* the id of the type, as it was */
};

/* Hand all constants to the chunk and forget them, not their last keys. */
void new_pools_write(struct new_pools *p, struct chunk_writer *w);
void new_pools_fini(struct new_pools *p);

/* What is known of the constants of one type of the chunk, by entry. */
struct interned {
	uint64_t *keys; /* in the output; 0: none yet */
	struct digest *digests;
	uint8_t *states;
};

struct interner {
	struct chunk *chunk;
	struct new_pools *pools;
	uint32_t jvm; /* its number in the output: renumber.h */
	struct recoder recoder;
	struct interned *types;		     /* by the index of the type */
	const struct jfrec_type *frame_type; /* jdk.types.FrameType, or NULL */
	struct mark_place *todo;	     /* constants whose values are still to be written */
	size_t todo_count, todo_room;
	struct buffer value;
	uint64_t serial; /* of the chunk: for constants that are like no other's */
	bool failed;	 /* memory is gone */
};

/* 0, or -1 when memory is gone.  No two chunks share a serial; clocks: see recode.h. */
int interner_init(struct interner *in, struct chunk *c, struct new_pools *pools, uint32_t jvm,
		  uint64_t serial, const struct clock *from, const struct clock *to);

/*
 * To be called once, with the first event of the chunk: all types of frames come into
 * the output, since async-profiler's reader asks which of them a recording knows.
 */
void interner_take_frame_types(struct interner *in);

/* Write the values of the constants that got a key since the last call. */
void interner_settle(struct interner *in);

void interner_fini(struct interner *in);

#endif
