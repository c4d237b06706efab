/* SPDX-License-Identifier: MIT */
/*
 * output.h - write a file that appears complete or not at all
 *
 * What editing functions see of struct jfrec_output (jfrec.h): bytes are
 * appended, copied from an input inside the kernel, and, where the output is a
 * plain file, changed afterwards.
 */
#ifndef JFREC_OUTPUT_OUTPUT_H
#define JFREC_OUTPUT_OUTPUT_H

#include <stdatomic.h>

#include "base/out.h"
#include "output/compress.h"
#include "output/temp.h"

struct jfrec_output {
	char *path; /* NULL: standard output */
	/* Where it is written, whose name a signal handler may look at; committed: .fd is -1. */
	struct temp temp;
	bool force;
	unsigned mode; /* the permissions that it gets */
	bool replaces; /* a file whose permissions it took */
	bool committed;
	bool finished; /* all of it was written, and the buffer is gone */
	bool sealed; /* all of it is on the disk */
	bool is_file;
	bool is_measure; /* it goes nowhere */
	bool gives_way; /* to others who use the disk, and memory for files */
	struct compressor *compressor;
	struct out out;
	uint64_t stored; /* bytes that went to fd */
	uint64_t settled; /* of these, what is on the disk and given back, if it gives way */
	uint64_t most;	 /* bytes that may be appended; 0: no limit */
	const atomic_int *stop;
};

/*
 * An output that is written to an open file, which is then its own; or with
 * -1 goes nowhere.  NULL with *err set, and the file closed.
 */
struct jfrec_output *output_open_fd(int fd, struct jfrec_error *err);

/* jfrec_output_open() for files that are one of thousands, all open: with a small buffer. */
struct jfrec_output *output_open_small(const char *path, bool force, struct jfrec_error *err);

/* Write what is left, but do not wait for the disk.  0, or -1 with *err set. */
int output_finish(struct jfrec_output *o, struct jfrec_error *err);

/* Give one that is sealed its name, which may not be on the disk yet.  The same. */
int output_name(struct jfrec_output *o, struct jfrec_error *err);

/* Bring the name of a file to the disk; not all file systems can. */
void output_sync_directory(const char *path);

/*
 * Bring files that have names to the disk, and then give them to all.  0, or -1 with *err set and
 * *failed the number of the one that failed.
 */
int outputs_commit(struct jfrec_output *const *all, size_t count, size_t *failed,
		   struct jfrec_error *err);

/* Is it a file with a name, not standard output? */
static inline bool output_is_named(const struct jfrec_output *o)
{
	return o->path != NULL;
}

/* jfrec_output_would_replace() of an open file; -1: no. */
bool output_would_replace_fd(const struct jfrec_output *o, int fd);

/* Where a sealed one can be read that is not committed. */
#define OUTPUT_PATH_MAX 32
const char *output_sealed_path(const struct jfrec_output *o, char room[OUTPUT_PATH_MAX]);

/* Bytes appended so far: where the next one goes. */
static inline uint64_t output_at(const struct jfrec_output *o)
{
	return out_total(&o->out);
}

/* Have writing fail with ECANCELED once *stop is set. */
void output_stop_at(struct jfrec_output *o, const atomic_int *stop);

/* Failures stick; output_failed() tells, and output_fail() says why. */
void output_append(struct jfrec_output *o, const void *data, size_t len);

/* Append bytes of a regular file, where possible without bringing them here. */
void output_copy(struct jfrec_output *o, int fd, uint64_t offset, uint64_t len);

/* Can bytes that were appended be changed?  Not those that are compressed, or went down a pipe. */
bool output_can_patch(const struct jfrec_output *o);
void output_patch(struct jfrec_output *o, uint64_t at, const void *data, size_t len);

static inline bool output_failed(const struct jfrec_output *o)
{
	return o->out.error != 0;
}

/* Fill *err from what failed. Returns -1. */
int output_fail(const struct jfrec_output *o, struct jfrec_error *err);

#endif
