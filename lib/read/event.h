/* SPDX-License-Identifier: MIT */
/*
 * event.h - an event of a chunk that is in memory
 */
#ifndef JFREC_READ_EVENT_H
#define JFREC_READ_EVENT_H

#include "base/arena.h"
#include "format/chunk.h"
#include "jfrec.h"

/* Memory for one event at a time: its slots, and what its values are made into. */
struct event_room {
	uint64_t slots[PLAN_MAX_STEPS];
	struct arena scratch;
};

/* Forget what was made of the event before. */
static inline void event_room_clear(struct event_room *room)
{
	if (room->scratch.total)
		arena_fini(&room->scratch);
}

struct jfrec_event {
	struct arena *scratch; /* for its values; lives as long as the event */
	struct chunk *chunk;
	struct jfrec_type *type;
	struct raw_event raw;
	uint64_t *slots; /* decoded */
};

/* An event of the chunk that is yet to be found and decoded. */
static inline struct jfrec_event event_in(struct event_room *room, struct chunk *c)
{
	return (struct jfrec_event){
		.scratch = &room->scratch,
		.chunk = c,
		.slots = room->slots,
	};
}

#endif
