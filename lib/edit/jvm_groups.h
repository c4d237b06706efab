/* SPDX-License-Identifier: MIT */
/*
 * jvm_groups.h - group chunks by the JVM that wrote them
 *
 * No chunk says whose it is.  Two are of one JVM if the second begins at the
 * nanosecond at which the first ends, by the same clock; if it follows in one
 * file, by the same clock and later; or if both have the event that tells the
 * process and when it was started, and it is the same.
 */
#ifndef JFREC_EDIT_JVM_GROUPS_H
#define JFREC_EDIT_JVM_GROUPS_H

#include "edit/chunk_list.h"
#include "edit/intern.h"

/* What jdk.JVMInformation says. */
struct jvm_identity {
	bool is_asked, is_known;
	uint64_t pid, start;
};

struct jvm {
	struct piece first, last; /* by start */
	int64_t end_ns;		  /* the latest */
	struct jvm_identity identity;
	struct new_pools pools; /* of the chunk being written */
	struct clock clock;	/* of its first chunk */
};

struct jvm_groups {
	struct jvm *items;
	uint32_t count, room;
};

/* Tell each chunk its JVM. 0, or -1 with *err set. */
int jvm_groups_find(struct jvm_groups *j, struct pieces *p, struct chunk_source *s,
		    struct jfrec_error *err);

/* The clock of a chunk of the JVM: its first chunk's, where both agree. */
struct clock jvm_clock(const struct jvm *j, const struct chunk_header *h);

void jvm_groups_fini(struct jvm_groups *j);

#endif
