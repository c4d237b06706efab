/* SPDX-License-Identifier: MIT */
/*
 * stacks.h - the profiles of one or two recordings, as trees
 */
#ifndef JFREC_STACKS_STACKS_H
#define JFREC_STACKS_STACKS_H

#include <regex.h>

#include "base/out.h"
#include "jfrec/stacks.h"
#include "stacks/gather.h"

/* A difference has two sides. */
#define MAX_SIDES 2

/* Sources of one profile that exclude each other (sources.h). */
#define MAX_RANKS 2

/* A profile of one side. */
struct profile {
	struct tree trees[MAX_RANKS]; /* of the ranks that have samples; the others are all zero */
	struct doubts doubts;
};

struct jfrec_stacks {
	struct jfrec_stack_options options; /* its texts are those below */
	char *states;
	regex_t include, exclude;
	bool has_include, has_exclude;
	const struct profile_kind **kinds;
	size_t kind_count, kind_room;
	struct profile *profiles[MAX_SIDES]; /* by kind; NULL: nothing was read */
	struct gathering gathering;
	struct book book; /* of all trees */
	uint32_t *folded; /* by frame: the frame whose kind is folded */
	uint8_t *matches; /* by frame: which expressions match its name */
	uint32_t folded_count, match_count;
};

/* The tree of a profile: of the lowest rank that has samples; NULL if none has. */
const struct tree *stacks_tree(const struct jfrec_stacks *s, unsigned side, size_t kind);

/* Add what one chunk has, whose frames are numbers in s->book. 0, or -1 when memory is gone. */
int stacks_merge(struct jfrec_stacks *s, unsigned side, const struct gathered_chunk *c);

/* What a node of the profile weighs, in what was asked for. */
static inline int64_t stacks_weight(const struct jfrec_stacks *s, size_t kind, struct weight w)
{
	return s->options.counts || s->kinds[kind]->unit == UNIT_SAMPLES ? (int64_t)w.samples
									 : w.value;
}

/* The children of a node in the order of their names, to be freed; *count of them. */
uint32_t *stacks_children(const struct jfrec_stacks *s, const struct tree *t, uint32_t node,
			  size_t *count);

/* A format that a profile can be written in; NULL is returned where memory is gone. */
typedef int stacks_write_fn(struct jfrec_stacks *s, size_t kind, double minimum, struct out *out,
			    struct jfrec_error *err);
stacks_write_fn collapsed_write;

#endif
