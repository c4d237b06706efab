/* SPDX-License-Identifier: MIT */
/*
 * tables.h - the tables of a recording: jfrec/tables.h
 */
#ifndef JFREC_TABLES_TABLES_H
#define JFREC_TABLES_TABLES_H

#include "format/event_time.h"
#include "read/chunk_source.h"
#include "tables/columns.h"

struct jfrec_tables {
	struct chunk_source *source;
	struct arena arena;
	struct table *tables;
	size_t count, room;
	struct digest_map by_type; /* as recorded: number + 1 */
	struct digest_map by_name; /* number + 1 */
	struct digest_map by_simple_name; /* the same, or that there are several */
	uint64_t most; /* that may be written; 0: no limit */
	struct bounds span; /* other events become no rows */
	int64_t deadline_ns;	   /* by the monotonic clock, when reading ends; 0: never */
	struct digest_map told;	   /* problems, so that a second pass does not repeat them */
};

/* The number of the table of an event type; -1: it has none, for it is not selected. */
long tables_of_type(const struct jfrec_tables *t, const char *type);

/* May another one be written after so many?  0, or -1 with *err set. */
int tables_check_limit(const struct jfrec_tables *t, uint64_t written, struct jfrec_error *err);

/* Has reading taken longer than it may? */
bool tables_are_late(const struct jfrec_tables *t);

/* Pass a problem on to the caller of the reader, unless it was already: a jfrec_problem_fn. */
void tables_tell(void *tables, const struct jfrec_problem *problem);

#endif
