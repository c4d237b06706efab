/* SPDX-License-Identifier: MIT */
/*
 * own.h - rules that a user wrote in YAML, after the built-in ones
 *
 *	own_read.c   YAML --> struct own_rule, checked against what JDKs can record
 *	own.c        events --> groups --> finding
 */
#ifndef JFREC_ANALYZE_OWN_H
#define JFREC_ANALYZE_OWN_H

#include "analyze/engine.h"
#include "read/chunk_source.h"
#include "read/where.h"

enum own_measure { OWN_COUNT, OWN_RATE, OWN_SUM, OWN_MEAN, OWN_MAX, OWN_PERCENTILE };

/* What events share that are measured together, besides the time. */
struct own_part {
	const char *name; /* as it was written */
	const char *path; /* of the field; NULL: the thread, or the method */
	bool is_thread;	  /* else without a path: the topmost method of the application */
};

/* So many fit into the key of a group, beside the window. */
#define OWN_PARTS 2

struct own_rule {
	struct rule rule; /* the first member: what all rules have */
	struct reads inputs[2];
	struct own_rule *next;
	const char *event, *where; /* where: NULL: all of its events */
	const char *summary, *field;
	enum own_measure how;
	double percentile;
	int64_t window_ns; /* 0: the whole recording */
	struct own_part parts[OWN_PARTS];
	unsigned part_count;
	bool is_span; /* the field is taken for a time span */
	bool is_plain; /* nobody knows its unit before a recording says it: an event of a program's */
	/* Where it stands. */
	const char *file;
	unsigned line;
};

struct jfrec_user_rules {
	struct arena arena;
	struct own_rule *first, *last;
	size_t count;
	struct jfrec_dictionary *newest;
};

/* Of the inputs' fields: these, then the parts that have a path, then the measured one. */
enum { OWN_THREAD_FIELD, OWN_STACK_FIELD, OWN_FIRST_FIELD };

/* The functions of struct rule, the same for all of them. */
void own_take(void *state, const struct event *e);
void own_judge(void *state, struct judging *j);
void own_fini(void *state);

/* To be called once, before anything else is done with the state. */
void own_init(void *state, const struct own_rule *rule);
extern const size_t own_state_size;

/*
 * Have the events of a chunk given to the rule, as far as `where`, which may be NULL, lets them
 * pass. False: no memory.
 */
bool own_listen(void *state, struct chunk_view *v, struct where *where,
		const struct recording *recording);

/* Limits, as all rules take them: asking.c. */
bool limit_parse(const char *text, enum jfrec_unit unit, double *v);
const char *limit_example(enum jfrec_unit unit);

#endif
