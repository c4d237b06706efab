/* SPDX-License-Identifier: MIT */
/*
 * during.h - events that happened while others ran, in their threads
 *
 *	a first pass: jfrec_reader_during() --> struct during, which is only asked from then on
 *	each chunk:   during_enter() --> view, of one thread of ours --> during_passes()
 */
#ifndef JFREC_READ_DURING_H
#define JFREC_READ_DURING_H

#include "format/chunk.h"
#include "format/object.h"
#include "read/chunk_jvms.h"
#include "read/intervals.h"
#include "read/label_spans.h"

struct during {
	struct intervals intervals;
	struct chunk_jvms jvms;
	bool all_threads, outside;
	struct label_spans labels;
	char *label; /* the name of their field; NULL: there are none */
	bool label_is_frame;
};

/* NULL is allowed. */
void during_free(struct during *d);

/* How to find an event's thread and time. */
struct during_use {
	const struct jfrec_type *thread_type; /* NULL: it has no thread */
	uint16_t thread_slot, slots;	      /* of so many first slots all is in */
};

/* What is known of the chunk that was entered.  All zero: none was. */
struct during_view {
	struct metadata *metadata;
	struct during_use *uses; /* by the index of the type */
	uint32_t jvm;
	struct idmap threads; /* key of a thread, to its number in the intervals */
	struct objects objects;
	uint32_t label; /* of the event that passed last, or NO_LABEL */
};

/* Enter a chunk, as the source comes to it. 0, or -1 when memory is gone. */
int during_enter(struct during *d, struct during_view *v, const struct chunk *c);
void during_leave(struct during_view *v);

/* Can events of the type pass? */
bool during_selects(const struct during *d, const struct during_view *v,
		    const struct jfrec_type *t);

/*
 * Does the event pass?  Its slots are used, not all of which are set.  One that cannot be decoded
 * is noted, and does not pass.
 */
bool during_passes(const struct during *d, struct during_view *v, struct chunk *c,
		   const struct jfrec_type *t, const struct raw_event *e, uint64_t *slots);

struct during_use during_use_of(const struct jfrec_type *t);

/* The event's thread, by a number of its JVM.  False: it has none, or that is unknown. */
bool during_thread(struct objects *o, const struct during_use *u, const uint64_t *slots,
		   uint64_t *thread);

/* Stands for all threads of a JVM. */
#define ANY_THREAD 0

/* The thread of that JVM as the intervals know it. */
uint64_t during_id(uint32_t jvm, uint64_t thread);

#endif
