/* SPDX-License-Identifier: MIT */
/*
 * worker.h - the queries, asked of the events of one chunk
 */
#ifndef JFREC_QUERY_WORKER_H
#define JFREC_QUERY_WORKER_H

#include "query/cell_text.h"
#include "query/programs.h"
#include "query/query.h"

/*
 * The last event of a query's programs that only look at the ends: it is fed before another kind.
 */
struct pending {
	struct program *program; /* NULL: none */
	const struct jfrec_type *type;
	struct raw_event event;
	int64_t end_ticks;
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
	uint64_t event; /* that is in the slots: counted as they are decoded */
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
