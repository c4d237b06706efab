/* SPDX-License-Identifier: MIT */
/*
 * columns.h - a list of words in columns, as `jfr` prints its views
 */
#ifndef JFREC_CLI_VIEW_COLUMNS_H
#define JFREC_CLI_VIEW_COLUMNS_H

#include <stddef.h>
#include <stdio.h>

/* Sort the words and print them, from the top of each column to its end. */
void print_in_columns(FILE *to, const char **words, size_t count, size_t columns);

#endif
