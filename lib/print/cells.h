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

/*
 * A stack trace as the list of its frames: method, line, index of the bytecode and type, separated
 * by the first of these, and each frame ended by the second.  These are in no UTF-8 either.
 */
#define CELL_NEXT_PART "\xfe"
#define CELL_END_FRAME "\xfd"

extern const struct format cell_format, frame_list_format;

/*
 * The template of the value that a path leads to from an event's slots on, to be run by a renderer
 * of cell_format; frame_list_format makes it one of stack traces as lists.  NULL when memory is
 * gone.  It lives as long as the shapes, so make it once for them.
 */
struct op *cell_ops(struct shapes *s, struct path path, const struct format *format);

#endif
