/* SPDX-License-Identifier: MIT */
/*
 * filter_report.h - report how many events a command kept and removed
 */
#ifndef JFREC_CLI_RECORDING_FILTER_REPORT_H
#define JFREC_CLI_RECORDING_FILTER_REPORT_H

#include "opts/output_opts.h"

/* All types together. */
struct jfrec_edit_row filter_report_total(const struct jfrec_filtered *f);

/* One object: the output, its size, chunks and events, and an array of types. */
json_t *filter_report_json(const struct output_opts *w, const struct jfrec_filtered *f);

/* A line of totals, and a table with a row for each type. */
void filter_report_print_total(FILE *to, const struct output_opts *w,
			       const struct jfrec_filtered *f);
void filter_report_print_types(FILE *to, const struct jfrec_filtered *f);

/* A name from a recording: harmless, if it goes to standard output. */
void filter_report_print_name(FILE *to, const char *name);

#endif
