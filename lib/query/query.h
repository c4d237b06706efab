/* SPDX-License-Identifier: MIT */
/*
 * query.h - queries that are asked of one recording, in one pass
 *
 *	chunk --worker--> partial of each query --merge, in the order of chunks--> result
 *
 * A worker is all that changes while the events of a chunk are looked at; it
 * shares with others what does not: the queries, the schema.
 */
#ifndef JFREC_QUERY_QUERY_H
#define JFREC_QUERY_QUERY_H

#include "format/event_time.h"
#include "query/partial.h"
#include "query/ride.h"
#include "query/table.h"
#include "read/chunk_crew.h"
#include "read/where.h"

struct query {
	const char *name; /* of the view; NULL: none */
	const char *title;
	bool is_form;
	struct parsed parsed;
	struct resolved resolved;
	struct where *where; /* of jfrec-where(7), as the first chunk knows it; NULL: none */
	const char *from;    /* the names of its types, separated by commas, if it has one */
	struct answer {
		struct partial result;
		struct jfrec_answer *table; /* once it was run; NULL: the query failed to resolve */
	} answers[MAX_QUERY_PARTS]; /* of which query_parts says more; the first is that of all */
};

/* A listener of a query. */
struct hearing {
	unsigned query;
	const struct listener *listener;
};

struct jfrec_query {
	struct chunk_source *source;
	struct arena arena; /* of all that lives as long as this */
	struct schema schema;
	struct objects objects; /* that results refer to */
	struct query **queries;
	unsigned query_count;
	/* was read to know its types, and is looked at when the queries run */
	struct chunk_task *first;
	/*
	 * What listens to the types: of type i of the schema those from first_heard[i] to
	 * first_heard[i + 1].  A recording may have 100,000 types, and FROM * a listener for each:
	 * none is looked for among all.
	 */
	struct hearing *hearings;
	size_t *first_heard;
	bool has_run;
	struct bounds bounds;
	bool keeps_limits; /* jfrec_query_keep_limits() */
	const struct query_parts *parts; /* NULL: there is one */
	bool has_part[MAX_QUERY_PARTS];
	int largest;	   /* when memory was gone: the query with the largest table; -1: none */
	uint64_t largest_rows;
	uint64_t *counts; /* of events, by the place of the type in the schema; or NULL */
	/* Of the JVMs whose chunks were seen: the clocks by which each is known. */
	struct clock *clocks;
	unsigned clock_count;
	uint64_t events;
	int64_t first_zone_s; /* ahead of UTC, in the first chunk */
};

#endif
