/* SPDX-License-Identifier: MIT */
/*
 * cost.h - measure the space that each event type takes in a recording
 */
#ifndef JFREC_COST_COST_H
#define JFREC_COST_COST_H

#include "base/covered.h"
#include "cost/active.h"
#include "cost/change.h"
#include "cost/needs.h"
#include "cost/squeeze.h"
#include "jfrec-tool.h"
#include "read/chunk_source.h"

/* The events of one type in the chunk at hand. */
struct slice {
	const uint8_t **events; /* where they begin */
	size_t count, room;
	uint64_t bytes;
	size_t row; /* of the type in cost.rows; only if there are events */
};

/* The events of one type in the recording. */
struct cost_row {
	struct jfrec_cost_type told;
	char *name, *label; /* told.name, told.label */
	struct squeeze sample;
	int64_t origin_ns; /* when the first one was made */
	double rush;	   /* struct seen */
	uint32_t type;	   /* its index in the chunk at hand, if `chunk` is that one's number */
	size_t chunk;
	bool has_offers;
};

/* Changes that are made together, and what that does. */
struct scenario {
	struct change **changes;
	size_t count;
	struct jfrec_cost_change *told; /* of the only change, or of all of them */
	bool is_offer;
	size_t row; /* an offer's only type */
	/* Bytes that are saved in what is recorded over time, and in what each chunk has. */
	double over_time, per_chunk;
	struct jfrec_sizes saved; /* of both, as the samples have it */
};

struct cost {
	struct jfrec_cost told;
	struct chunk_source *source;
	struct chunk *chunk; /* the one at hand */
	struct needs needs;
	struct slice *slices; /* by the index of the type */
	struct active active;
	struct covered time; /* of chunks */
	struct cost_row *rows;
	size_t row_count, row_room;
	struct digest_map by_name; /* of rows: index + 1 */
	struct scenario *scenarios;
	size_t scenario_count, scenario_room;
	struct jfrec_cost_change together;
	struct squeeze whole, constants, metadata;
	uint64_t constant_bytes;
	uint64_t least_chunk, greatest_chunk,
		last_chunk; /* bytes; the first two without the last */
	bool offers;
	struct jfrec_event event;	   /* that is being decoded */
	struct jfrec_cost_type *types;	   /* by rate; as many as rows */
	struct jfrec_cost_change *changes; /* as they are reported */
	size_t change_count;
	struct jfrec_error *err;
};

/* The slice of a row in the chunk at hand, or NULL. */
static inline struct slice *cost_slice(const struct cost *k, size_t row)
{
	return k->rows[row].chunk == k->told.chunks ? &k->slices[k->rows[row].type] : NULL;
}

/* The next event of a slice, from *i on. */
static inline bool slice_next(const struct cost *k, const struct slice *s, size_t *i,
			      struct raw_event *e)
{
	struct cursor at;

	if (*i == s->count)
		return false;
	at = (struct cursor){ .pos = s->events[(*i)++], .end = k->chunk->end };
	return walk_next(&at, e) == 1;
}

/* Mark in k->needs what the events of a slice need. */
void cost_mark(struct cost *k, const struct slice *s);

/* What so many bytes of events of a row come to. Those with hardly any are as others. */
struct jfrec_sizes cost_sizes(const struct cost *k, const struct cost_row *row, double bytes);

/* cost_scenario.c ------------------------------------------------------------------------------ */

/* Add a scenario.  0, or -1 with k->err set; then the changes are still the caller's. */
int cost_add_scenario(struct cost *k, const struct scenario *s);

/* Add the changes that were asked for: each, and all together.  0, or -1 with k->err set. */
int cost_add_changes(struct cost *k, const char *const *changes, size_t count);

/* Have a change offered for each setting of the row's type that might save something, once. */
int cost_add_offers(struct cost *k, size_t row, const struct jfrec_type *t);

/* What the scenarios do to the chunk at hand.  0, or -1 with k->err set. */
int cost_try_scenarios(struct cost *k);

/* 0, or -1 with k->err set if a change was asked for that no type has. */
int cost_check_changes(struct cost *k);

void cost_free_scenarios(struct cost *k);

/* cost_rates.c --------------------------------------------------------------------------------- */

/* When all chunks are read: sizes, rates, and the public tables. 0, or -1 with k->err set. */
int cost_finish(struct cost *k);

#endif
