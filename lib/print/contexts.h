/* SPDX-License-Identifier: MIT */
/*
 * contexts.h - track the contextual events that are open on each thread
 *
 * Since JDK 25 an event with @Contextual fields, say a request with its id,
 * lends them to the events of its thread that end while it lasts.  Their lines
 * are made when the context opens.
 */
#ifndef JFREC_PRINT_CONTEXTS_H
#define JFREC_PRINT_CONTEXTS_H

#include "base/idmap.h"
#include "print/render.h"

struct open_context;

struct thread_contexts {
	struct open_context *first, *last;
	unsigned count;
};

/* All zero: none are open. */
struct contexts {
	struct idmap by_thread; /* key of the thread: index into threads */
	struct thread_contexts *threads;
	uint32_t thread_count, thread_room;
	uint64_t open;
};

/*
 * Open the context of an event of r->current, decoded into slots.  Without a
 * thread it does nothing.  Contexts of one thread are shown in the order in
 * which they were opened.
 */
void contexts_open(struct contexts *c, struct render *r, const struct jfrec_type *t,
		   const uint64_t *slots, uint32_t chunk, uint64_t offset);

/* Close the one that was opened with this chunk and offset, if any. */
void contexts_close(struct contexts *c, struct render *r, const struct jfrec_type *t,
		    const uint64_t *slots, uint32_t chunk, uint64_t offset);

/* Write the lines of all contexts that are open on a thread. */
void contexts_put(const struct contexts *c, struct render *r, uint64_t thread);

void contexts_fini(struct contexts *c);

/* The field that names the event's thread, or NULL. */
const struct jfrec_field *event_thread_field(const struct jfrec_type *t);

#endif
