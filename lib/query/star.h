/* SPDX-License-Identifier: MIT */
/*
 * star.h - the columns of SELECT *
 */
#ifndef JFREC_QUERY_STAR_H
#define JFREC_QUERY_STAR_H

#include "query/field.h"

/* A column: label is NULL where it is the field's own.  0, or what ends the enumeration. */
typedef int star_column_fn(void *ctx, unsigned entry, const char *path, const char *label);

/* Call fn for each column of the type.  0, what fn returned, or -2 when memory is gone. */
int star_columns(struct arena *a, const struct jfrec_type *t, unsigned entry, star_column_fn *fn,
		 void *ctx);

#endif
