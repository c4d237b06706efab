/* SPDX-License-Identifier: MIT */
/*
 * cell.h - one cell of a table as lines of equal width
 */
#ifndef JFREC_QUERY_CELL_H
#define JFREC_QUERY_CELL_H

#include "base/buffer.h"
#include "query/parse.h"
#include "query/text.h"

/* Lines, each padded to the width; their bytes one after the other. */
struct cell_lines {
	struct buffer bytes;
	uint32_t *ends; /* of each line, in bytes */
	uint32_t count, room;
};

struct cell_shape {
	uint32_t width, height; /* what a cell has room for */
	bool is_left, truncates_beginning;
};

static inline void cell_clear(struct cell_lines *l)
{
	l->count = 0;
	buffer_clear(&l->bytes);
}

void cell_fini(struct cell_lines *l);

/* Add the lines of a text that is broken, cut and padded; `height` at most. False: no memory. */
bool cell_add_text(struct cell_lines *l, const struct cell_shape *shape, const struct text *t);

/* Add a line of dashes. */
bool cell_add_rule(struct cell_lines *l, uint32_t width);

/* Sort the lines by their UTF-16 units. */
bool cell_sort(struct cell_lines *l);

/* A line's bytes. */
struct text cell_line(const struct cell_lines *l, uint32_t i);

#endif
