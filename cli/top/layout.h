/* SPDX-License-Identifier: MIT */
/*
 * layout.h - write the table of JVMs so that it fits
 */
#ifndef JFREC_CLI_TOP_LAYOUT_H
#define JFREC_CLI_TOP_LAYOUT_H

#include <stdio.h>

#include "top/columns.h"

/*
 * Write the head and a line for each row.  A column in which no row has anything is left out, and
 * where the lines are longer than `width` (0: they may be), so are those that matter least, and
 * texts are cut.
 */
void layout_table(FILE *to, const struct row *rows, size_t count, unsigned width);

/* How many lines there are to say why something of a row is missing. */
size_t layout_count_remarks(const struct row *row);

/* Write `most` of them at most; returns how many were. */
size_t layout_write_remarks(FILE *to, const struct row *row, size_t most);

#endif
