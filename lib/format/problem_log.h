/* SPDX-License-Identifier: MIT */
/*
 * problem_log.h - problems that are reported later, in another order than they were met
 */
#ifndef JFREC_FORMAT_PROBLEM_LOG_H
#define JFREC_FORMAT_PROBLEM_LOG_H

#include "format/problem.h"

/*
 * How many problems of one chunk are kept.  Damaged bytes can have one every few bytes; the others
 * are reported in one sentence.
 */
#define PROBLEM_LOG_MAX 65536

struct logged_problem {
	struct jfrec_problem problem; /* the text is its own, the input's name the log's */
};

/* All zero is empty. */
struct problem_log {
	struct logged_problem *items;
	size_t count, room;
	char **names; /* of inputs */
	size_t name_count, name_room;
	struct jfrec_problem last; /* of those that were not kept */
	uint64_t left_out, left_out_damage, left_out_lost;
};

/* A jfrec_problem_fn, whose context is the log. */
void problem_log_add(void *log, const struct jfrec_problem *problem);

/* Report them, and empty the log. */
void problem_log_tell(struct problem_log *log, struct problems *p);

#endif
