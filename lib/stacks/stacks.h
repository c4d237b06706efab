/* SPDX-License-Identifier: MIT */
/*
 * stacks.h - the profiles of one or two recordings, as trees
 */
#ifndef JFREC_STACKS_STACKS_H
#define JFREC_STACKS_STACKS_H

#include <regex.h>

#include "base/out.h"
#include "jfrec/stacks.h"
#include "page/damage.h"
#include "read/chunk_riders.h"
#include "stacks/gather.h"

/* A difference has two sides; else there is one, or one for each JVM. */
#define DIFFERENCE_SIDES 2
#define MAX_SIDES 8

/* Sources of one profile that exclude each other (sources.h). */
#define MAX_RANKS 4

/* No node is deeper. */
#define STACKS_MAX_DEPTH PATH_MOST

/*
 * A tree of more nodes is pruned (prune.c), unless the caller says otherwise. A node takes some
 * 150 bytes.
 */
#define STACKS_MAX_NODES (1u << 20)

/* A profile of one side. */
struct profile {
	struct tree trees[MAX_RANKS]; /* of the ranks that have samples; the others are all zero */
	struct sample_list samples[MAX_RANKS]; /* of these trees, with keeps_times */
	struct times times[MAX_RANKS];	   /* of their nodes, with packs_times */
	/*
	 * While a chunk is added: nodes before it, and where these are now (NULL: where they were).
	 */
	uint32_t settled[MAX_RANKS], *waiting[MAX_RANKS];
	struct leaks leaks; /* of a profile of leaks, until the recording ends */
	struct doubts doubts;
	struct idmap threads_seen; /* of allocation samples: no later one is a thread's first */
};

/* A profile of an event type that the caller named. */
struct kind_of_type {
	struct profile_kind kind;
	struct stack_source source;
	bool has_unit; /* once a chunk has declared the field */
	char *type, *weight;
};

struct jfrec_stacks {
	struct jfrec_stack_options options; /* its texts are those below */
	char *states, *within_tag;
	char *label; /* the field whose values are the first frames; NULL: there are none */
	bool label_is_frame; /* in formats that have labels, too */
	double leak_tail;
	struct intervals within; /* what jfrec_stacks_read_spans() found */
	regex_t include, exclude;
	bool has_include, has_exclude;
	const struct profile_kind **kinds;
	size_t kind_count, kind_room;
	struct kind_of_type **kinds_of_types;
	size_t type_kind_count, type_kind_room;
	struct profile *profiles[MAX_SIDES]; /* by kind; NULL: nothing was read */
	struct jfrec_stack_profile shown[MAX_SIDES]; /* those that a caller asked for */
	char *title, *note;   /* of pages and pictures; NULL: none */
	char **recordings;    /* of documents: their names */
	size_t recording_count, recording_room;
	struct damage damage; /* of documents, too */
	const char *producer; /* of another profiler's types that a chunk declares; NULL: none */
	struct marker_list markers; /* of side 0, with keeps_times */
	bool is_difference;   /* tree 0 is the second recording, with what was before */
	struct span_ns {
		int64_t start_ns, end_ns; /* since 1970; 0: nothing was read */
	} spans[MAX_SIDES];
	struct gathering gathering;
	bool has_other; /* some stacks were folded into nodes of this frame */
	uint32_t other_frame;
	struct book book; /* of all trees */
	uint32_t *folded; /* by frame: the frame whose kind is folded */
	uint8_t *matches; /* by frame: which expressions match its name */
	uint32_t folded_count, match_count;
};

/* A reading of one side, on which several threads may work. */
struct reading_side {
	struct jfrec_stacks *stacks;
	unsigned side;
	/* The side of a chunk; MAX_SIDES or more: none. NULL: all are of `side`. */
	unsigned (*side_of)(void *ctx, const struct chunk_task *task);
	void *ctx;
};

/*
 * Have recordings be read in one pass with others, by a *reading of which the caller has set
 * side_of, and which must last as long as the pass. 0, or -1 with *err set.
 */
int stacks_ride(struct jfrec_stacks *s, struct reading_side *reading, struct chunk_rider *rider,
		struct jfrec_error *err);

/*
 * After a recording was read: say so if no event has a type that was asked for by name. 0, or -1
 * with *err set: JFREC_EINVAL if no such type has the field that it is to be weighed by.
 */
int kinds_of_types_check(const struct jfrec_stacks *s, struct chunk_source *source,
			 struct jfrec_error *err);

/* The tree of a profile: of the lowest rank that has samples; NULL if none has. */
struct tree *stacks_tree(const struct jfrec_stacks *s, unsigned side, size_t kind);

/* What a caller may know of a profile. */
struct jfrec_stack_profile stacks_describe(const struct jfrec_stacks *s, unsigned side, size_t i);

/* The samples of that tree; NULL: their times were not kept, or it has none. */
const struct sample_list *stacks_samples(const struct jfrec_stacks *s, unsigned side, size_t kind);

/* When the nodes of that tree were seen; NULL if it has no samples. */
struct times *stacks_times(const struct jfrec_stacks *s, unsigned side, size_t kind);

/* Gather the events of a chunk that are asked for. 0, or -1 when memory is gone. */
int gather_chunk(const struct jfrec_stacks *s, struct chunk_source *source, struct chunk *c,
		 struct gather *g);

/*
 * Have what a chunk was gathered with another book be numbers in s->book. 0, or -1 when memory is
 * gone.
 */
int stacks_translate(struct jfrec_stacks *s, struct gathered_chunk *c, const struct book *book);

/* Add what one chunk has, whose frames are numbers in s->book. 0, or -1 when memory is gone. */
int stacks_merge(struct jfrec_stacks *s, unsigned side, struct gathered_chunk *c);

/* At the end of a recording: what was not freed. 0, or -1 when memory is gone. */
int stacks_add_leaks(struct jfrec_stacks *s, unsigned side);

/* Fold what is light in trees that have outgrown their budget. 0, or -1 when memory is gone. */
int stacks_prune(struct jfrec_stacks *s, unsigned side);

/*
 * The same while the rows of a chunk are added: before the first; after one whose tree must be
 * pruned, with the rows so far and the nodes where they end, which get new numbers; after the last.
 * 0, or -1 when memory is gone.
 */
bool stacks_must_prune(const struct jfrec_stacks *s, const struct tree *t);
void stacks_begin_rows(struct jfrec_stacks *s, unsigned side);
int stacks_prune_rows(struct jfrec_stacks *s, unsigned side, const struct gathered *rows,
		      size_t count, uint32_t *nodes);
int stacks_settle(struct jfrec_stacks *s, unsigned side);

/* What was folded of a tree. */
struct weight stacks_other(const struct jfrec_stacks *s, const struct tree *t);

/* Is the first frame of each stack a label, in formats that have these? */
static inline bool stacks_has_labels(const struct jfrec_stacks *s)
{
	return s->label && !s->label_is_frame;
}

/* What a node of the profile weighs, in what was asked for. */
static inline int64_t stacks_weight(const struct jfrec_stacks *s, size_t kind, struct weight w)
{
	return s->options.counts || s->kinds[kind]->unit == UNIT_SAMPLES ? (int64_t)w.samples
									 : w.value;
}

/* What it is measured in. */
static inline enum profile_unit stacks_unit(const struct jfrec_stacks *s, size_t kind)
{
	return s->options.counts ? UNIT_SAMPLES : s->kinds[kind]->unit;
}

/*
 * A walk over all nodes, from the root, whose depth is 0; of the children of one the name decides
 * who is first. So what is written never depends on the order in which stacks came. The first walk
 * puts them in that order in the tree.
 */
struct stacks_walk {
	const struct jfrec_stacks *stacks;
	struct tree *tree; /* NULL: there is nothing to visit */
	/* 1: visit its children; 0: leave them out; -1: end the walk. */
	int (*enter)(void *ctx, uint32_t node, unsigned depth);
	/* After its children; NULL: no. Not called where enter() gave 0. */
	void (*leave)(void *ctx, uint32_t node, unsigned depth);
	void *ctx;
};

/* 0; -1 if memory is gone, or enter() wanted it. */
int stacks_visit(const struct stacks_walk *w);

/* Is that profile to be written: is it the one that is asked for, and has it samples? */
bool stacks_has(const struct jfrec_stacks *s, size_t kind, size_t only);
/* The same of a side. */
bool stacks_side_has(const struct jfrec_stacks *s, unsigned side, size_t kind, size_t only);

/*
 * Write a profile, or all that have samples (JFREC_STACKS_ALL), without nodes of less than a share
 * of all. 0, or -1 with *err set; what `out` meets is looked at later.
 */
typedef int stacks_write_fn(struct jfrec_stacks *s, size_t only, double minimum, struct out *out,
			    struct jfrec_error *err);
stacks_write_fn collapsed_write, firefox_write, html_write, otlp_write, perfetto_write,
	pprof_write, svg_write, tree_json_write;

#endif
