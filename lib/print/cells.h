/* SPDX-License-Identifier: MIT */
/*
 * cells.h - the texts of single values, as CSV has them in its cells
 *
 * For tables that others write: a renderer of cell_format runs the template of one column at a
 * time.  The text is the value's own: no quotes, no escapes, malformed characters as U+FFFD.
 */
#ifndef JFREC_PRINT_CELLS_H
#define JFREC_PRINT_CELLS_H

#include "print/render.h"

/* What is written for null; no UTF-8 has this byte. */
#define CELL_NULL "\xff"

extern const struct format cell_format;

/*
 * The template of the value that a path leads to from an event's slots on.  NULL when memory is
 * gone.  It lives as long as the shapes, so make it once for them.
 */
struct op *cell_ops(struct shapes *s, struct path path);

#endif
