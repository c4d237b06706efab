/* SPDX-License-Identifier: MIT */
/*
 * needs.h - find which event types of a chunk use which constants
 *
 * Most constants of a recording are there for its events: a JVM writes a stack trace because
 * an event has it, its methods because of the trace, their names because of the methods.  So
 * what an event type costs are its events and its share of these, and what one saves by having
 * fewer events are the constants that no event refers to any more.
 */
#ifndef JFREC_COST_NEEDS_H
#define JFREC_COST_NEEDS_H

#include "format/mark.h"

/* A constant; of all its copies in the chunk. */
struct need {
	uint64_t bytes;
	uint32_t types;	 /* that refer to it, directly or by others */
	uint32_t inside; /* of these, types of the group at hand, if `group` is its number */
	uint32_t group;
};

struct needs {
	struct chunk *chunk;
	struct marks marks;
	uint64_t *first; /* by the index of the type: its constants in `all` */
	struct need *all;
	uint64_t count;
	uint64_t bytes; /* of all constants */
	uint32_t group;
	uint64_t only_inside; /* bytes of constants that only types of the group refer to */
};

/* 0, or -1 when memory is gone. */
int needs_init(struct needs *n, struct chunk *c);
void needs_fini(struct needs *n);

/* Count the bytes of a checkpoint's constants; damage ends that, and was reported before. */
void needs_checkpoint(struct needs *n, const struct raw_event *e);

/*
 * To know what some events need: clear, mark each of them, spread.  Then call one of what
 * follows.  Slots of plan_of(t)->step_count may be used.
 */
void needs_clear(struct needs *n);
void needs_event(struct needs *n, const struct jfrec_type *t, const struct raw_event *e,
		 uint64_t *slots);
void needs_spread(struct needs *n);

/* They were the events of one type: it refers to these constants. */
void needs_add_type(struct needs *n);

/*
 * They were, and all types are added: its share of the bytes, and those that are its own.
 */
void needs_share(struct needs *n, double *share, uint64_t *own);

/* Begin a group of types, and add one whose events they were. */
void needs_begin_group(struct needs *n);
void needs_add_to_group(struct needs *n);

/* They were events of the group's types: the bytes of its own constants that these need. */
uint64_t needs_left_of_group(const struct needs *n);

/* Bytes of constants that no type needs. */
uint64_t needs_spare(const struct needs *n);

#endif
