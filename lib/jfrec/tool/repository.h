/* SPDX-License-Identifier: MIT */
/* jfrec/tool/repository.h - the chunk files of a repository one by one, as collect takes them */
#ifndef JFREC_TOOL_REPOSITORY_H
#define JFREC_TOOL_REPOSITORY_H

#include "jfrec/repository.h"

/*
 * Read the repository of a JVM again (*r NULL: for the first time) and keep its chunks open, so
 * that they stay readable after the JVM exits.  Chunks that the JVM has removed stay open only
 * until the next call, so that they do not use space on its disk for longer.
 *
 * 0, or -1 with *err set as by jfrec_repository_of_jvm(), and *r unchanged.
 */
int jfrec_repository_again(struct jfrec_repository **r, const struct jfrec_jvm *jvm,
			   struct jfrec_error *err);

/* Read the headers of the chunks again, after the JVM has ended. */
void jfrec_repository_refresh(struct jfrec_repository *r);

/* The directory, as the JVM sees it; lives as long as the repository. */
const char *jfrec_repository_path(const struct jfrec_repository *r);

/* A chunk file, as it was when it was last read. */
struct jfrec_repository_chunk {
	const char *name; /* of the file, without its directory; lives as long as the repository */
	int64_t start_ns, end_ns; /* since 1970 */
	int64_t start_ticks;	  /* with start_ns it differs from all others of that JVM */
	uint64_t bytes;		  /* that a copy of it takes */
	bool is_open;		  /* its JVM writes it, or did when it was killed */
	bool is_empty;		  /* there is nothing in it yet */
	bool is_hollow;		  /* its file has holes, which no JVM leaves */
	bool is_jvms;		  /* it has a name of the form that JVMs use */
	bool is_read;		  /* a reader has it, or it is skipped */
};

/* How many chunk files there are, empty ones included. */
size_t jfrec_repository_count(const struct jfrec_repository *r);

/*
 * Number i, the oldest first; NULL beyond the last.  Valid until the next call or until the
 * repository changes.
 */
const struct jfrec_repository_chunk *jfrec_repository_get(struct jfrec_repository *r, size_t i);

/* Has file number i been removed since it was opened? */
bool jfrec_repository_was_removed(const struct jfrec_repository *r, size_t i);

/* Is the chunk selected?  It is valid during the call. */
typedef bool jfrec_repository_select_fn(void *ctx, const struct jfrec_repository *r,
					const struct jfrec_repository_chunk *c);

/* Keep the chunks for which the function is true; the others are closed. */
void jfrec_repository_select(struct jfrec_repository *r, jfrec_repository_select_fn *selects,
			     void *ctx);

/* Make readers skip chunk number i. */
void jfrec_repository_skip(struct jfrec_repository *r, size_t i);

/*
 * A repository of some of the chunks, from number `first` on, which stay open in it also when the
 * JVM removes them.  To be closed; NULL with *err set: JFREC_EIO, JFREC_ENOMEM.
 */
struct jfrec_repository *jfrec_repository_copy(const struct jfrec_repository *r, size_t first,
					       size_t count, struct jfrec_error *err);

/* jfrec_repository_read() for some of the chunks, from number `first` on; each chunk once. */
struct jfrec_reader *jfrec_repository_read_some(struct jfrec_repository *r, size_t first,
						size_t count, struct jfrec_error *err);

/*
 * Write the command of the JVM, as the first chunk has it (jdk.JVMInformation), to a buffer; "jvm"
 * if it is not known.
 */
void jfrec_repository_command(const struct jfrec_repository *r, char *command, size_t size);

#endif
