/* SPDX-License-Identifier: MIT */
/*
 * view_opts.h - options of the commands that answer with tables
 */
#ifndef JFREC_CLI_VIEW_VIEW_OPTS_H
#define JFREC_CLI_VIEW_VIEW_OPTS_H

#include "opts/jobs_opts.h"
#include "view/show.h"

/* All zero at first, but view.command. */
struct view_opts {
	struct view_request view;
	unsigned width, cell_height, truncate;
	bool json, ndjson, csv;
};

/* The whole table of a command. */
extern const struct opt view_rows[];

/* Check the options, and fill in the request.  Returns an exit code, after saying what is wrong. */
int view_opts_finish(struct view_opts *o);

/* Show it once, or again and again.  Returns an exit code. */
int view_opts_show(struct view_opts *o, char *const *operands, int count);

#endif
