/* SPDX-License-Identifier: MIT */
/*
 * rows.h - print tables of views for programs: JSON, NDJSON, CSV
 */
#ifndef JFREC_CLI_VIEW_ROWS_H
#define JFREC_CLI_VIEW_ROWS_H

#include "view/show.h"

/* What stands before, between and after several tables, and one of them. */
void rows_begin(enum view_format format);
void rows_print(enum view_format format, struct jfrec_answer *t, bool first);

/* A view that has no table: what the recording lacks. */
void rows_print_missing(enum view_format format, const char *view, const char *missing, bool first);

/* All that was asked for was printed, or not.  Returns an exit code. */
int rows_end(enum view_format format, bool is_complete);

#endif
