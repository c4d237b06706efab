/* SPDX-License-Identifier: MIT */
/*
 * jobs_opts.h - how many threads read a recording: --jobs
 */
#ifndef JFREC_CLI_OPTS_JOBS_OPTS_H
#define JFREC_CLI_OPTS_JOBS_OPTS_H

#include "base/report.h"

extern const struct opt jobs_rows[];

/* Let the reader have as many threads as the option says, or else the default. */
void jobs_use(struct jfrec_reader *r);

/* The same for threads whose results wait for their turn in memory: fewer, for the same budget. */
void jobs_use_with_results(struct jfrec_reader *r);

/* What it said; 0: it was not given. */
unsigned jobs_wanted(void);

#endif
