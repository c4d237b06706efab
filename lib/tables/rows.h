/* SPDX-License-Identifier: MIT */
/*
 * rows.h - the state of a pass over rows, for those that take all values of a row
 */
#ifndef JFREC_TABLES_ROWS_H
#define JFREC_TABLES_ROWS_H

#include "tables/values.h"

/* The values of the pass. */
struct values *rows_values(struct jfrec_rows *r);

/* Have stack traces as lists of frames (print/cells.h).  To be called before the first row. */
void rows_list_frames(struct jfrec_rows *r);

/* How to get those of the row at hand. */
const struct value_getters *rows_getters(const struct jfrec_rows *r);

#endif
