/* SPDX-License-Identifier: MIT */
/*
 * arrow.h - batches in the structs of Arrow's C data interface
 */
#ifndef JFREC_EXPORT_ARROW_H
#define JFREC_EXPORT_ARROW_H

#include "export/batch.h"
#include "jfrec/arrow.h"

/* A column of a stream. */
struct arrow_column {
	const char *name, *unit; /* of the tables; .unit may be NULL */
	enum jfrec_table_kind kind;
};

/* Is each text there once for all rows that have it? */
static inline bool arrow_has_dictionary(const struct arrow_column *c)
{
	return c->kind == JFREC_TABLE_STACK;
}

/* Of a struct with these columns.  False: memory is gone, and nothing is to be released. */
bool arrow_schema_make(struct ArrowSchema *s, const struct arrow_column *columns, size_t count);

/*
 * Of the rows of a batch, whose memory is taken over; it must be cleared afterwards, and nothing
 * else.  False: memory is gone, and nothing is to be released.
 */
bool arrow_array_make(struct ArrowArray *a, const struct arrow_column *columns, struct batch *b);

#endif
