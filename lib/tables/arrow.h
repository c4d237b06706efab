/* SPDX-License-Identifier: MIT */
/*
 * arrow.h - batches in the structs of Arrow's C data interface
 */
#ifndef JFREC_TABLES_ARROW_H
#define JFREC_TABLES_ARROW_H

#include "jfrec/arrow.h"
#include "tables/batch.h"

/* A column of a stream. */
struct arrow_column {
	const char *name, *unit; /* of the tables; .unit may be NULL */
	enum jfrec_kind kind;
	bool lists_frames; /* its texts are those of tables/frame_lists.h */
};

/*
 * Is it text, which is there once for all rows that have it?  40,000 events with one text of 1 MB
 * would be 40 GB otherwise.
 */
static inline bool arrow_has_dictionary(const struct arrow_column *c)
{
	return c->kind >= JFREC_KIND_STRING && !c->lists_frames;
}

/* Of a struct with these columns.  False: memory is gone, and nothing is to be released. */
bool arrow_schema_make(struct ArrowSchema *s, const struct arrow_column *columns, size_t count);

/*
 * Of the rows of a batch, whose memory is taken over; it must be cleared afterwards, and nothing
 * else.  False: memory is gone, and nothing is to be released.
 */
bool arrow_array_make(struct ArrowArray *a, const struct arrow_column *columns, struct batch *b);

/* For those who fill arrays: what is made is released with the outermost one. ------------------ */

/* Begin an array whose buffers and children are still to be set.  False: memory is gone. */
bool arrow_array_begin(struct ArrowArray *a, size_t length, size_t nulls, int64_t buffers);

/* Children that are still to be made; .release of each is NULL.  False: memory is gone. */
bool arrow_array_add_children(struct ArrowArray *a, size_t count);

/* Give it the texts of a dictionary, whose bytes are taken over.  False: memory is gone. */
bool arrow_array_give_texts(struct ArrowArray *a, struct text_dictionary *d);

/* The lists of a column's frames, in an array that was begun.  False: memory is gone. */
bool arrow_array_give_frames(struct ArrowArray *a, const struct batch_column *c, size_t rows);

#endif
