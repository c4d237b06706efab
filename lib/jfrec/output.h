/* SPDX-License-Identifier: MIT */
/* jfrec/output.h - files that appear complete or not at all */
#ifndef JFREC_OUTPUT_H
#define JFREC_OUTPUT_H

#include "jfrec/base.h"

JFREC_BEGIN_DECLS

/*
 * A file that appears complete or not at all: it is written without a name, or under a temporary
 * one in the same directory, flushed to disk, and only then gets its name.
 */
struct jfrec_output;

enum jfrec_compression {
	JFREC_BY_NAME = 0, /* gzip for NAME.gz, zstd for NAME.zst, else none */
	JFREC_PLAIN = 1,
	JFREC_GZIP = 2,
	JFREC_ZSTD = 3,
};

/*
 * Open an output.  path is the file to create, or "-" for standard output.  With force, the output
 * replaces an existing regular file when it is committed; it never replaces any other kind of file.
 *
 * Since recordings contain secrets, only the owner can read and write a new file (0600), whatever
 * the umask.  A file that is replaced keeps its permissions.
 *
 * Returns the output, to be closed with jfrec_output_close(), or NULL with
 * *err set: JFREC_EOUTPUT with .sys (EEXIST: it exists, and force is false),
 * JFREC_ENOMEM.
 */
struct jfrec_output *jfrec_output_open(const char *path, bool force, enum jfrec_compression how,
				       struct jfrec_error *err);

/*
 * Set the permissions of a new file to exactly the lowest nine bits of `mode`; with also_replaced,
 * also those of a file that is replaced.  May be called until the output is sealed.
 */
void jfrec_output_set_mode(struct jfrec_output *o, unsigned mode, bool also_replaced);

/*
 * From now on refuse more than `most` bytes, which are counted before they are compressed: writing
 * fails with EOVERFLOW, and what writes here with JFREC_EOUTPUT and that in .sys.  0: no limit.
 */
void jfrec_output_limit(struct jfrec_output *o, uint64_t most);

/* A jfrec_write_fn whose ctx is a struct jfrec_output: append bytes. */
int jfrec_output_write(void *output, const void *data, size_t len);

/* The size of the file so far, after compression; exact once it is sealed. */
uint64_t jfrec_output_size(const struct jfrec_output *o);

/* Flush the file to disk, but do not name it yet.  0, or -1 with *err set (JFREC_EOUTPUT). */
int jfrec_output_seal(struct jfrec_output *o, struct jfrec_error *err);

/* Seal the file and give it its name.  0, or -1 with *err set and an existing file unchanged. */
int jfrec_output_commit(struct jfrec_output *o, struct jfrec_error *err);

/* Close the output, and remove its file if it was not committed. */
void jfrec_output_close(struct jfrec_output *o);

JFREC_END_DECLS

#endif
