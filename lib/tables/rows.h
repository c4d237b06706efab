/* SPDX-License-Identifier: MIT */
/*
 * rows.h - the state of a pass over rows, for those that take all values of a row
 */
#ifndef JFREC_TABLES_ROWS_H
#define JFREC_TABLES_ROWS_H

#include "jfrec/tables.h"

struct filler;

/* Add the row at hand to a filler; its values cannot be asked for then.  False: memory is gone. */
bool rows_fill(struct jfrec_rows *r, struct filler *f);

/* Have stack traces as lists of frames (print/cells.h).  To be called before the first row. */
void rows_list_frames(struct jfrec_rows *r);

#endif
