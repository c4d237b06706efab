/* SPDX-License-Identifier: MIT */
/*
 * repack.h - rewrite several chunks of one JVM as one chunk
 */
#ifndef JFREC_EDIT_REPACK_H
#define JFREC_EDIT_REPACK_H

#include "edit/jvm_groups.h"
#include "edit/rewrite.h"

/* All zero at first, apart from what is the caller's. */
struct pack {
	struct chunk_source *source;
	struct jfrec_output *out;
	struct chunk_writer *writer;
	const struct clock *clock; /* to which ticks are rebased; NULL: they stay */
	/* The chunk being written, if there is one. */
	struct jvm *jvm;
	uint32_t jvm_number;
	struct metadata *metadata;
	int64_t end_ns;
	/* Starts that are taken: some readers take chunks that begin together for one. */
	struct idmap starts;
	uint64_t serial; /* of the chunks that came in */
	struct buffer event;
	uint64_t written; /* chunks */
};

/* Have no other chunk begin at that time. 0, or -1 with *err set. */
int pack_reserve_start(struct pack *p, int64_t start_ns, struct jfrec_error *err);

/*
 * Add the events of a chunk, or those that `how` keeps, to the chunk being
 * written, if it is the same JVM's and has the same types, else to a new one.
 * *added: there was one.  0, or -1 with *err set.
 */
int pack_add(struct pack *p, struct chunk *c, struct jvm *jvm, uint32_t jvm_number,
	     const struct rewrite *how, bool *added, struct jfrec_error *err);

/* End the chunk being written. */
int pack_end(struct pack *p, struct jfrec_error *err);

void pack_fini(struct pack *p);

#endif
