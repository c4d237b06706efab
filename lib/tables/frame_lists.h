/* SPDX-License-Identifier: MIT */
/*
 * frame_lists.h - the stack traces of a column as lists of frames, each different frame once
 *
 *	text of a stack (print/cells.h) --> numbers of its frames --> method, line, ... of each
 *
 * A frame is a row of a batch, so that texts are numbers in dictionaries there, too.
 */
#ifndef JFREC_TABLES_FRAME_LISTS_H
#define JFREC_TABLES_FRAME_LISTS_H

#include "tables/batch.h"

/* The columns of the batch: the parts of a frame, in their order in the text. */
enum frame_part {
	FRAME_METHOD, /* a text */
	FRAME_LINE,   /* numbers of 32 bits */
	FRAME_BCI,
	FRAME_TYPE, /* a text */
	FRAME_PARTS,
};

struct frame_lists {
	struct batch different; /* a row for each frame; .rows of them */
	uint32_t *numbers;      /* those of stack i: from ends[i - 1] to ends[i] */
	size_t count, room;
	size_t *ends;
};

/* As engines and schemas call a part. */
const char *frame_part_name(enum frame_part p);

static inline bool frame_part_is_text(enum frame_part p)
{
	return p == FRAME_METHOD || p == FRAME_TYPE;
}

/*
 * The frames of all stacks in a dictionary.  False: memory is gone; frame_lists_fini() may follow
 * in any case.
 */
bool frame_lists_init(struct frame_lists *f, const struct text_dictionary *stacks);
void frame_lists_fini(struct frame_lists *f);

/* The numbers of the frames of a stack, the top first; NULL if no stack has any. */
static inline const uint32_t *frame_list_of(const struct frame_lists *f, uint64_t stack,
					    size_t *count)
{
	size_t from = stack ? f->ends[stack - 1] : 0;

	*count = f->ends[stack] - from;
	return f->numbers ? f->numbers + from : NULL;
}

#endif
