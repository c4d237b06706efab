/* SPDX-License-Identifier: MIT */
/*
 * problem.h - report damage in a recording to the caller
 */
#ifndef JFREC_FORMAT_PROBLEM_H
#define JFREC_FORMAT_PROBLEM_H

#include "jfrec/chunk.h"

/* The word for one, or that for another number: "1 byte is", "2 bytes are". */
static inline const char *one_or_more(uint64_t n, const char *one, const char *more)
{
	return n == 1 ? one : more;
}

struct problems {
	jfrec_problem_fn *fn;
	void *ctx;
	const char *input; /* the name of what is being read */
	uint64_t damage;
	uint64_t told; /* damage and notices */
};

/* Report what was put into words before. */
void problem_tell(struct problems *p, const struct jfrec_problem *problem);

/* Something of the recording is lost. */
void problem_damage(struct problems *p, uint64_t offset, uint64_t lost, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* What is lost, where, and when it was recorded: struct jfrec_problem. */
struct loss {
	uint64_t offset, bytes;
	int64_t from_ns, to_ns;
};

/* The same; the text ends in the times, where they are known. */
void problem_loss(struct problems *p, const struct loss *loss, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same, where nothing need be lost. */
void problem_gap(struct problems *p, const struct loss *loss, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Nothing is lost that the producer promised. */
void problem_notice(struct problems *p, uint64_t offset, uint64_t lost, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif
