/* SPDX-License-Identifier: MIT */
/*
 * output_opts.h - options of the commands that write recordings
 */
#ifndef JFREC_CLI_OPTS_OUTPUT_OPTS_H
#define JFREC_CLI_OPTS_OUTPUT_OPTS_H

#include "base/report.h"
#include "base/values.h"

/* All zero at first. */
struct output_opts {
	const char *path;
	const char *name; /* if the path is a directory: the name in it, with %p and so on */
	bool force;
	bool is_public; /* without events: the umask decides who may read it */
	bool has_mode;
	unsigned mode; /* of --mode */
	enum jfrec_compression how;
	struct jfrec_output *output;
};

/* A group for the table of a command. */
extern const struct opt output_rows[];

/* Rows for a table of their own, with lines of help that fit the command. */
#define COMPRESS_ROW(help, s, member) \
	OPT_CHOICE(0, "compress", "HOW", help, s, member.how, output_compressions)
#define MODE_ROW(help, s, member) \
	OPT_CALL(0, "mode", "OCTAL", help, output_take_mode, s, member)
extern const struct opt_choice output_compressions[];
opt_take_fn output_take_mode;

/* Is there an output, and does it go with the rest?  json: standard output is taken. */
int output_opts_check(const struct output_opts *w, const struct command *c, bool json);

/* An output as jfrec_output_open() makes it, with the permissions that are asked for. */
struct jfrec_output *output_opts_make(const struct output_opts *w, const char *path,
				      struct jfrec_error *err);

/* All of these return an exit code, after saying what failed. */
int output_opts_open(struct output_opts *w);
int output_opts_commit(struct output_opts *w);
int output_opts_failure(const struct output_opts *w, const struct jfrec_reader *r,
			const struct jfrec_error *err);

void output_opts_close(struct output_opts *w);

/* Where results go: stderr if the recording itself goes to standard output. */
FILE *output_opts_results(const struct output_opts *w);

#endif
