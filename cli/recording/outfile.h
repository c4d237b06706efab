/* SPDX-License-Identifier: MIT */
/*
 * outfile.h - the output file of a recording, from a temporary name to its own
 */
#ifndef JFREC_CLI_RECORDING_OUTFILE_H
#define JFREC_CLI_RECORDING_OUTFILE_H

#include "base/outname.h"
#include "opts/output_opts.h"

/* A group for the table of a command: those of struct output_opts. */
extern const struct opt outfile_rows[];

/* The name of a recording that got none, unless a configuration says another. */
#define OUTFILE_DEFAULT_NAME "jfrec-%p-%t.jfr"

struct outfile {
	char path[OUTNAME_MAX]; /* "-" for standard output */
	char made[OUTNAME_MAX]; /* the name that was made up, "" if it was given */
	unsigned number;	/* what tells it from files that have that name */
	bool to_stdout, is_compressed, committed;
	struct jfrec_output *output;
};

/*
 * Can that be?  No path: a name is made up, in the directory of the configuration or the current
 * one.  several: for more than one JVM; json: standard output is taken.
 */
int outfile_check(struct output_opts *w, const struct command *c, bool several, bool json);

/* All of these return an exit code, after saying what failed. */

/* Make the file, under its first name, for a recording of that JVM; to be closed. */
int outfile_open(struct outfile *o, const struct output_opts *w, const struct jfrec_jvm *jvm);

/* Is there room for so many bytes? */
int outfile_check_room(const struct outfile *o, uint64_t size);

/* All has been written: give it its name. */
int outfile_commit(struct outfile *o);

/* Writing failed. */
int outfile_fail(const struct outfile *o, const struct jfrec_error *err);

/* What was not committed is removed. */
void outfile_close(struct outfile *o);

#endif
