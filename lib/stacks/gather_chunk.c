/* SPDX-License-Identifier: MIT */
/*
 * gather_chunk.c - walk over a chunk for the events that make profiles
 */
#include "format/event_time.h"
#include "format/first_slots.h"
#include "stacks/gather_parts.h"
#include "stacks/stacks.h"

/* The types that events had before, by the last bits of their ids: there are few. */
struct seen_type {
	uint64_t id;
	const struct jfrec_type *type; /* NULL: none */
};
#define SEEN_TYPES 64

static inline const struct jfrec_type *type_of(struct seen_type *seen, struct chunk *c,
					       const struct raw_event *e)
{
	struct seen_type *s = &seen[e->type_id % SEEN_TYPES];

	if (!s->type || s->id != e->type_id)
		*s = (struct seen_type){ e->type_id, chunk_type_of(c, e) };
	return s->type;
}

/* One chunk's events to its rows. 0, or -1 when memory is gone. */
static int gather_events(const struct jfrec_stacks *s, struct chunk_source *source,
			 struct chunk *c, struct gather *g)
{
	uint64_t *slots = source_room(source)->slots;
	struct bounds bounds = bounds_of(s->options.from_ns, s->options.to_ns);
	/* jfrconv's bounds are of when events begin, which is looked at with their other fields. */
	bool is_bound = (s->options.from_ns || s->options.to_ns) && !s->options.is_jfrconv;
	const struct type_set types = gather_types(g);
	struct chunk_walk w = chunk_walk(c);
	struct seen_type seen[SEEN_TYPES] = { 0 };
	struct fitting_ends ends = { 0 };
	struct raw_event e;
	struct ticks ticks;

	while (chunk_walk_any_of(&w, &types, &e)) {
		const struct jfrec_type *t;
		const struct type_use *use;

		/*
		 * Where there are pages the chunk is sound: there is no reason to report on other
		 * types.
		 */
		if (c->pages.count && !type_set_may_have(&types, e.type_id))
			continue;
		t = type_of(seen, c, &e);
		if (!t)
			continue;
		use = &g->uses[t->index];
		if (!use->is_needed)
			continue;
		/* Settings say what samples stand for, whichever are asked for. */
		if (!use->is_setting &&
		    ((is_bound && (!event_ticks(c, t, &e, slots, &ticks) ||
				   !ticks_touch(&ticks, &c->clock, &bounds))) ||
		     !source_passes(source, c, t, &e, slots)))
			continue;
		if (chunk_decode_first(c, t, &e, use->slots, &ends, slots) &&
		    gather_add(g, t, slots) < 0)
			return -1;
	}
	return 0;
}

/*
 * Where only the first profile with samples is wanted, the chunk's first one is as far as this
 * needs to look: should another chunk have an earlier one, that has been looked for here, too.
 * Without pages each walk is over all events, and expressions may yet leave out all that was found.
 */
int gather_chunk(const struct jfrec_stacks *s, struct chunk_source *source, struct chunk *c,
		 struct gather *g)
{
	if (!s->options.only_first || s->has_include || s->has_exclude ||
	    s->gathering.with_markers || !c->pages.count)
		return gather_events(s, source, c, g);
	for (uint32_t i = 0; i < s->kind_count && !gather_has_samples(g); i++) {
		if (gather_turn_to(g, i) && gather_events(s, source, c, g) < 0)
			return -1;
	}
	return 0;
}
