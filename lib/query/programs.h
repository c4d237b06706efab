/* SPDX-License-Identifier: MIT */
/*
 * programs.h - what the queries do with the events of each type of a chunk
 *
 * What a query means for a type is compiled when the chunk is begun, as a plan is: feeding an event
 * looks nothing up.  Many queries ask for the same field, whose value is got once from an event.
 */
#ifndef JFREC_QUERY_PROGRAMS_H
#define JFREC_QUERY_PROGRAMS_H

#include "base/sort.h"
#include "query/getter.h"

struct worker;

/* A value of the events of a type, as all queries share it. */
struct event_value {
	struct event_value *next;
	struct getter getter;
	uint64_t event; /* which the value is of: worker.event */
	struct value value;
};

enum take {
	TAKE_NOTHING, /* it is counted */
	TAKE_VALUE,
	TAKE_FIXED,
	TAKE_CALCULATED,
};

/*
 * Where the value of a column is, once the program has got its values.  It is pointed at: one that
 * was stored a moment ago is slow to copy.
 */
struct column_program {
	const struct value *value;
	uint8_t how;	    /* enum take */
	uint8_t aggregator; /* enum aggregator */
	bool is_refined;    /* cut, or shown as text */
	unsigned column;
	struct event_value *source; /* TAKE_VALUE, TAKE_FIXED */
	struct value *made;	    /* the value, where it is calculated or refined; else NULL */
};

/* How a listener is fed by events of one type of this chunk. */
struct program {
	struct program *next;
	unsigned query;
	const struct listener *listener;
	struct getter *filters; /* of the listener's, and its columns */
	struct event_value **asked; /* what its columns take, each once */
	unsigned asked_count;
	bool makes_values; /* some columns are calculated or refined */
	struct column_program *columns;
	unsigned column_count;
	unsigned cell_count; /* of the columns, those that a group has cells of */
	struct getter **arguments; /* of columns that calculate: by the column; or NULL */
	unsigned *keys;	    /* of its columns, those of GROUP BY */
	bool only_counts;  /* its events differ in nothing, and are counted in one group */
	bool only_ends;	   /* of all its events, only the first and the last make a difference */
	bool has_fixed_key;
	bool has_begun;	   /* its first event was fed */
	uint32_t group;    /* of a fixed key: its number + 1, once it was found */
	uint64_t fed;	   /* events */
	uint64_t again;    /* how many more events are to be counted there */
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
	bool are_made; /* when the first event of the type comes */
	struct program_list all, light; /* all: but the light ones */
	struct event_value *values;
	struct plan plan; /* of the slots that they need */
	uint64_t met;	  /* events, for the light ones */
	/* In the segment, as in its list: */
	uint64_t in_segment;
	struct sort_item earliest, latest;
};

struct jfrec_query;

/* Look which listeners there are for each type, before the first chunk.  False: no memory. */
bool programs_prepare(struct jfrec_query *q);

/* Make those of a type that the schema has, in the worker's arenas.  False: no memory. */
bool programs_make(struct worker *w, const struct jfrec_type *t);

#endif
