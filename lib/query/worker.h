/* SPDX-License-Identifier: MIT */
/*
 * worker.h - the queries, asked of the events of one chunk
 */
#ifndef JFREC_QUERY_WORKER_H
#define JFREC_QUERY_WORKER_H

#include "base/sort.h"
#include "query/cell_text.h"
#include "query/getter.h"
#include "query/query.h"

/* How a listener is fed by events of one type of this chunk. */
struct program {
	struct program *next;
	unsigned query;
	const struct listener *listener;
	struct getter *filters; /* of the listener's, and its columns */
	struct getter *columns;
	struct getter **arguments; /* of columns that calculate: by the column; or NULL */
	unsigned *keys;	    /* of its columns, those of GROUP BY */
	unsigned *same_as; /* by the column: the first one of the same value, or itself */
	bool only_counts;  /* its events differ in nothing, and are counted in one group */
	bool only_ends;	   /* of all its events, only the first and the last make a difference */
	bool has_fixed_key;
	bool has_begun;	   /* its first event was fed */
	uint32_t group;    /* of a fixed key: its number + 1, once it was found */
	uint64_t fed;	   /* events */
	uint64_t again;    /* how many more events are to be counted there */
};

/*
 * The last event of a query's programs that only look at the ends: it is fed before another kind.
 */
struct pending {
	struct program *program; /* NULL: none */
	const struct jfrec_type *type;
	struct raw_event event;
	int64_t end_ticks;
};

struct program_list {
	struct program *first, *last;
};

/*
 * All programs of a type.  Light ones want to know how many events there are, and of each segment
 * the one that ended first and the one that ended last: events that have no others are not even
 * sorted.
 */
struct type_programs {
	struct program_list all, light; /* all: but the light ones */
	struct plan plan;		/* of the slots that they need */
	uint64_t met;			/* events, for the light ones */
	/* In the segment, as in its list: */
	uint64_t in_segment;
	struct sort_item earliest, latest;
};

struct worker {
	const struct jfrec_query *queries;
	struct chunk_source *source; /* says which events there are */
	struct reading reading;
	struct arena arena; /* of the partial results */
	struct partial *partials;
	struct pending *pending; /* by the query */
	struct type_programs *types; /* by the index of the type */
	bool *selected;		     /* by the index of the type: can its events pass? */
	int *schema_types;	     /* by the index of the type: the place in the schema, or -1 */
	uint64_t *counts;	     /* by the place in the schema */
	uint64_t events;
	struct sort_list segment;
	struct sort_list ends; /* of types with light programs only, by their place */
	uint32_t *met; /* types with light programs in the segment: their indices */
	uint32_t met_count;
	struct value *values; /* of one event */
	struct where **wheres; /* by the query; NULL where it has none */
	struct cell_writer writer;
	struct objects *objects;
	bool out_of_memory;
	uint64_t slots[PLAN_MAX_STEPS];
};

/*
 * Look at all events of the chunk; w->out_of_memory says if that failed.  To be given to
 * worker_fini() in any case, before the task is given back.
 */
void worker_run(struct worker *w, const struct jfrec_query *q, struct chunk_task *task);
/* Forget rows beyond the query's LIMIT, if there are many and they are not wanted. */
bool keep_limit(const struct jfrec_query *q, unsigned query, struct partial *p);

void worker_fini(struct worker *w);

#endif
