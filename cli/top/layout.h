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

/*
 * Write lines that say why something of rows is missing, one for all rows of which the same is to
 * be said, and `most` lines at most. Returns how many there would be.
 */
size_t layout_remarks(FILE *to, const struct row *rows, size_t count, size_t most);

#endif
