/* SPDX-License-Identifier: MIT */
/* jfrec/output.h - files that appear whole or not at all */
#ifndef JFREC_OUTPUT_H
#define JFREC_OUTPUT_H

#include "jfrec/base.h"

JFREC_BEGIN_DECLS

/*
 * A file that appears complete or not at all: it is written under a temporary name in the same
 * directory, flushed to disk, and only then gets its name.
 */
struct jfrec_output;

enum jfrec_compression {
	JFREC_BY_NAME, /* gzip for NAME.gz, zstd for NAME.zst, else none */
	JFREC_PLAIN,
	JFREC_GZIP,
	JFREC_ZSTD,
};

/* What JFREC_BY_NAME stands for with a file of that name. */
enum jfrec_compression jfrec_output_compression(const char *path);

/*
 * Open an output.  path: the file to make, or "-", standard output.  With
 * force an existing file is replaced, at the very end; anything but a regular file never is.
 *
 * A recording holds secrets: a new file can be read and written by its owner alone
 * (0600), whatever the umask; one that is replaced keeps its permissions.
 *
 * Returns the output, to be closed with jfrec_output_close(), or NULL with
 * *err set: JFREC_EOUTPUT with .sys (EEXIST: it exists, and force is false),
 * JFREC_ENOMEM.
 */
struct jfrec_output *jfrec_output_open(const char *path, bool force, enum jfrec_compression how,
				       struct jfrec_error *err);

/*
 * An output that writes nothing: jfrec_output_size() tells how much would have been written.  To be
 * closed, and neither sealed nor committed; NULL with *err set (JFREC_ENOMEM).
 */
struct jfrec_output *jfrec_output_measure(struct jfrec_error *err);

/*
 * Have a new file other permissions, the lowest nine bits of `mode`, exactly; with also_replaced
 * one that is replaced, too.  At any time before it is sealed.
 */
void jfrec_output_set_mode(struct jfrec_output *o, unsigned mode, bool also_replaced);

/*
 * Remove the unfinished files that killed processes of the same user left in the directory of
 * `path`, where a file system has no files without names: ".NAME.jfrec-XXXXXXXX", regular, and
 * not locked by a living process.  Returns how many were removed.
 */
size_t jfrec_output_sweep(const char *path);

/* A jfrec_write_fn whose ctx is a struct jfrec_output: append bytes. */
int jfrec_output_write(void *output, const void *data, size_t len);

/* Bytes in the file so far, compressed ones if it is; exact once it is sealed. */
uint64_t jfrec_output_size(const struct jfrec_output *o);

/* Is the file that would be replaced the one at path, perhaps by way of a link? */
bool jfrec_output_would_replace(const struct jfrec_output *o, const char *path);

/* Flush all of it to disk, but do not name it yet.  0, or -1 with *err set (JFREC_EOUTPUT). */
int jfrec_output_seal(struct jfrec_output *o, struct jfrec_error *err);

/* Seal it, and give it its name.  0, or -1 with *err set; then an existing file is as it was. */
int jfrec_output_commit(struct jfrec_output *o, struct jfrec_error *err);

/*
 * Have it commit to another name in the same directory: after a commit that failed with EEXIST,
 * or before one.  0, or -1 with *err set (JFREC_ENOMEM) and the name as it was.
 */
int jfrec_output_rename(struct jfrec_output *o, const char *path, struct jfrec_error *err);

/* Remove what is not committed.  May be called from a signal handler, if nothing else uses o. */
void jfrec_output_abandon(struct jfrec_output *o);

/* Close it, and remove what was not committed. */
void jfrec_output_close(struct jfrec_output *o);

JFREC_END_DECLS

#endif
