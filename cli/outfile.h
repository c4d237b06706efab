/* SPDX-License-Identifier: MIT */
/*
 * outfile.h - a recording that is brought here appears whole or not at all
 *
 * It is written under a name of its own in the same directory, and gets the
 * name that was wished for when all of it is on the disk.
 */
#ifndef JFREC_CLI_OUTFILE_H
#define JFREC_CLI_OUTFILE_H

#include "command.h"
#include "compress.h"
#include "outname.h"

enum {
	OPT_COMPRESS = 700,
	OPT_FORCE,
};

/* clang-format off */
/* Rows for a table of options. */
#define OUTFILE_OPTS \
	{ 'o', "output", "FILE", "write to FILE, to a name in DIR/, or to - (stdout)" }, \
	{ OPT_COMPRESS, "compress", "HOW", "compress by gzip or zstd" }, \
	{ OPT_FORCE, "force", NULL, "replace FILE if it exists" }
/* clang-format on */

/* What was wished for; all zero: a name is made up, in the current directory. */
struct outfile_wish {
	const char *output;
	const char *compress;
	bool force;
};

struct outfile {
	char path[OUTNAME_MAX]; /* "-" for standard output */
	char temp[OUTNAME_MAX]; /* "" if there is none */
	bool force, to_stdout;
	int fd;
	struct compressor *compressor;
	int error; /* of writing */
};

/* Keep the option, if it is one of OUTFILE_OPTS.  As talk_take_option(). */
int outfile_take_option(struct outfile_wish *w, const struct command *c, int letter,
			const char *value);

/* Can that be?  several: for more than one JVM; json: standard output is taken. */
int outfile_check(const struct outfile_wish *w, const struct command *c, bool several, bool json);

/* All of these return an exit code, after saying what failed. */

/* Make the file, under its first name, for a recording of that JVM; to be closed. */
int outfile_open(struct outfile *o, const struct outfile_wish *w, const struct jfrec_jvm *jvm);

/* Is there room for so many bytes? */
int outfile_check_room(const struct outfile *o, uint64_t size);

/* All has been written: give it its name. */
int outfile_commit(struct outfile *o);

/* Why writing failed. */
int outfile_fail(const struct outfile *o);

/* A jfrec_write_fn. */
int outfile_write(void *ctx, const void *data, size_t len);

/* What was not committed is removed. */
void outfile_close(struct outfile *o);

#endif
