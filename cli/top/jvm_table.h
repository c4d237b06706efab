/* SPDX-License-Identifier: MIT */
/*
 * jvm_table.h - write the table of JVMs so that it fits
 */
#ifndef JFREC_CLI_TOP_JVM_TABLE_H
#define JFREC_CLI_TOP_JVM_TABLE_H

#include <stdio.h>

#include "top/columns.h"

/*
 * Write the head and a line for each row.  A column in which no row has anything is left out, and
 * where the lines are longer than `width` (0: they may be), so are those that matter least, and
 * texts are cut.
 */
void jvm_table_write(FILE *to, const struct row *rows, size_t count, unsigned width);

/*
 * Write lines that say why something of rows is missing, one for all rows of which the same is to
 * be said, and `most` lines at most. Returns how many there would be.
 */
size_t jvm_table_remarks(FILE *to, const struct row *rows, size_t count, size_t most);

#endif
