/* SPDX-License-Identifier: MIT */
/*
 * sample_list.h - each sample, in few bytes: for formats that show them all
 *
 * Samples keep the order in which they were added.
 */
#ifndef JFREC_STACKS_SAMPLE_LIST_H
#define JFREC_STACKS_SAMPLE_LIST_H

#include "base/buffer.h"
#include "stacks/tree.h"

struct sample {
	int64_t time;	      /* ns since 1970; of a chunk that is being read: ticks */
	struct weight weight;
	uint32_t place;	      /* the node where its stack ends; of a chunk: its row */
};

/* All zero is an empty list. */
struct sample_list {
	struct buffer packed;
	struct sample last;
	size_t count;
};

/* 0, or -1 when memory is gone. */
int sample_list_add(struct sample_list *s, struct sample one);

/* Call fn with each; its result, if not 0, ends it, and is returned. */
typedef int sample_list_fn(void *ctx, const struct sample *sample);
int sample_list_each(const struct sample_list *s, sample_list_fn *fn, void *ctx);

/* Change each place to the number that stands there. 0, or -1 when memory is gone. */
int sample_list_renumber(struct sample_list *s, const uint32_t *numbers);

void sample_list_fini(struct sample_list *s);

#endif
