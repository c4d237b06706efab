/* SPDX-License-Identifier: MIT */
/* jfrec/repository.h - the chunk files that a JVM keeps on disk */
#ifndef JFREC_REPOSITORY_H
#define JFREC_REPOSITORY_H

#include "jfrec/jvm.h"
#include "jfrec/reader.h"

JFREC_BEGIN_DECLS

/*
 * A repository is the directory of chunk files in which a JVM keeps what it records; the newest of
 * them is still growing.  It is read without attaching to the JVM, even if the JVM hangs.
 */
struct jfrec_repository;

/*
 * Open the repository of a JVM, by the files that the JVM has open.  Its chunks stay readable from
 * then on, even if the JVM removes them.
 *
 * Returns the repository, to be closed with jfrec_repository_close(), or NULL with *err set:
 * JFREC_EREFUSED if it records nothing to a disk, JFREC_EPERMISSION, JFREC_ENOJVM, JFREC_EIO
 * (EMFILE: there are more chunks than files may be open), JFREC_ENOMEM.
 */
struct jfrec_repository *jfrec_repository_of_jvm(const struct jfrec_jvm *jvm,
						 struct jfrec_error *err);

/* The same for a directory: of a JVM that has ended, or any other with chunk files in it. */
struct jfrec_repository *jfrec_repository_open(const char *path, struct jfrec_error *err);

/* Close the repository.  Readers of its chunks stay open. */
void jfrec_repository_close(struct jfrec_repository *r);

/* The chunks that existed when the repository was opened and that have been selected since. */
struct jfrec_repository_info {
	const char *path; /* as the JVM sees it; lives as long as the repository */
	int ns_pid;	  /* the pid of its JVM in its own namespace, by the path; 0: unknown */
	size_t chunks;	  /* that can be read */
	uint64_t bytes;	  /* of them */
	int64_t flushed_ns;    /* when the last thing in them was recorded, since 1970; 0: none */
	uint64_t bytes_behind; /* that the JVM wrote after that and that cannot be read */
	/*
	 * Chunks that JDK 8 or 11 has begun: they cannot be read before they are finished, and
	 * never if the JVM was killed.
	 */
	size_t unreadable;
	uint64_t unreadable_bytes;
	size_t left_out; /* beyond as many as were asked for */
	/* Files with the name of a chunk that do not begin as a recording, and are passed over. */
	size_t damaged;
	const char *damaged_name; /* of the first one, or NULL; lives as long as the repository */
};

/* Valid until the next call or until the repository is closed. */
const struct jfrec_repository_info *jfrec_repository_describe(struct jfrec_repository *r);

/* Keep only the chunks that overlap that span (ns since 1970; NULL: no bound). */
void jfrec_repository_select_span(struct jfrec_repository *r, const int64_t *from_ns,
				  const int64_t *to_ns);

/*
 * Open a reader of the chunks, for example for jfrec_write_merged(), which copies finished chunks
 * unchanged and completes the last one.  May be called once.  The repository may be closed before
 * the reader.
 *
 * Returns the reader, to be closed with jfrec_reader_close(), or NULL with *err set:
 * JFREC_EFORMAT if there is no chunk, JFREC_ENOMEM.
 */
struct jfrec_reader *jfrec_repository_read(struct jfrec_repository *r, struct jfrec_error *err);

JFREC_END_DECLS

#endif
