/* SPDX-License-Identifier: MIT */
/*
 * stream_opts.h - options of the commands that follow JVMs: stream, watch and metrics
 */
#ifndef JFREC_CLI_STREAM_STREAM_OPTS_H
#define JFREC_CLI_STREAM_STREAM_OPTS_H

#include "opts/format_opts.h"
#include "stream/loop.h"

/* What was asked for.  All zero at first. */
struct stream_opts {
	struct format_opts format;
	struct loop loop;
	int64_t from_ns;
	unsigned drops; /* events, if the output is read too slowly */
	int64_t cooldown_ns; /* 0: the default */
};

/*
 * Groups for the tables: since when and for how long; which JVMs besides those of the operands, and
 * what they are to record; how to judge; where metrics go.
 */
extern const struct opt follow_rows[], judging_rows[], metrics_rows[];

/* Takers of rows that only one command has; `to` is that member, or loop.all. */
opt_take_fn stream_take_span, stream_take_on, stream_take_exec;

/*
 * Take the command line by the command's table, and follow what it names; what is printed, findings
 * or metrics instead of events, may have been set in o before.  Returns an exit code.  Frees *o.
 */
int stream_run(const struct command *self, int argc, char **argv, struct stream_opts *o);

#endif
