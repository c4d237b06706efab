/* SPDX-License-Identifier: MIT */
/* jfrec/repository.h - the chunk files that a JVM keeps on disk */
#ifndef JFREC_REPOSITORY_H
#define JFREC_REPOSITORY_H

#include "jfrec/jvm.h"
#include "jfrec/reader.h"

JFREC_BEGIN_DECLS

/*
 * A repository: the directory of chunk files in which a JVM keeps what it records, the
 * newest of them still growing.  It is read without attaching to the JVM, which need not even be
 * able to run.
 */
struct jfrec_repository;

/*
 * Open the repository of a JVM, by the files that it has open.  From then on nothing of it can be
 * removed.
 *
 * Returns the repository, to be closed with jfrec_repository_close(), or NULL with *err set:
 * JFREC_EREFUSED if it records nothing to a disk, JFREC_EPERMISSION, JFREC_ENOJVM, JFREC_EIO
 * (EMFILE: there are more chunks than files may be open), JFREC_ENOMEM.
 */
struct jfrec_repository *jfrec_repository_of_jvm(const struct jfrec_jvm *jvm,
						 struct jfrec_error *err);

/*
 * Look again at the repository of a JVM (*r NULL: for the first time), and hold what it has now,
 * so that its end takes nothing away.  Of what the JVM has removed, only that is held on to which
 * was there at the look before: space on its disk is not kept for longer.
 *
 * 0, or -1 with *err set as by jfrec_repository_of_jvm(), and *r as it was.
 */
int jfrec_repository_again(struct jfrec_repository **r, const struct jfrec_jvm *jvm,
			   struct jfrec_error *err);

/* The JVM has ended: see how its chunks were left. */
void jfrec_repository_refresh(struct jfrec_repository *r);

/* The same of a directory: that of a JVM that has ended, or any with chunk files in it. */
struct jfrec_repository *jfrec_repository_open(const char *path, struct jfrec_error *err);

/* Close the repository.  Readers of its chunks stay open. */
void jfrec_repository_close(struct jfrec_repository *r);

/* What was there when it was opened, and selected since. */
struct jfrec_repository_info {
	const char *path; /* as the JVM sees it; lives as long as the repository */
	int ns_pid;	  /* the pid of its JVM in its own namespace, by the path; 0: unknown */
	size_t chunks;	  /* that can be read */
	uint64_t bytes;	  /* of them */
	int64_t flushed_ns;    /* when the last thing in them was recorded, since 1970; 0: none */
	uint64_t bytes_behind; /* that the JVM wrote after that, and did not make readable */
	/*
	 * Chunks that JDK 8 or 11 has begun: they cannot be read before they are
	 * finished, and if the JVM was killed never.
	 */
	size_t unreadable;
	uint64_t unreadable_bytes;
	size_t left_out; /* beyond as many as were asked for (jfrec/leftovers.h) */
};

/* Valid until it is asked again or the repository is closed. */
const struct jfrec_repository_info *jfrec_repository_describe(struct jfrec_repository *r);

/* Leave out chunks that have nothing of that span (ns since 1970; NULL: no bound). */
void jfrec_repository_select_span(struct jfrec_repository *r, const int64_t *from_ns,
				  const int64_t *to_ns);

/*
 * A reader of the chunks, such as for jfrec_write_merged(), which copies finished ones as they are
 * and completes the last.  May be called once; the repository may be closed before the reader.
 *
 * Returns the reader, to be closed with jfrec_reader_close(), or NULL with *err set:
 * JFREC_EFORMAT if there is no chunk, JFREC_ENOMEM.
 */
struct jfrec_reader *jfrec_repository_read(struct jfrec_repository *r, struct jfrec_error *err);

/* The directory, as the JVM sees it; lives as long as the repository. */
const char *jfrec_repository_path(const struct jfrec_repository *r);

/* One of its chunk files, as it was when it was last looked at. */
struct jfrec_repository_chunk {
	const char *name; /* of the file, without its directory; lives as long as the repository */
	int64_t start_ns, end_ns; /* since 1970 */
	int64_t start_ticks;	  /* with start_ns it differs from all others of that JVM */
	uint64_t bytes;		  /* that a copy of it takes */
	bool is_open;		  /* its JVM writes it, or did when it was killed */
	bool is_empty;		  /* there is nothing in it yet */
	bool is_hollow;		  /* its file has holes, which no JVM leaves */
	bool is_jvms;		  /* has a name such as JVMs give */
	bool is_read;		  /* a reader has it, or it is skipped */
};

/* How many chunk files there are, empty ones included. */
size_t jfrec_repository_count(const struct jfrec_repository *r);

/* Number i, the oldest first.  Valid until it is asked again or the repository changes. */
const struct jfrec_repository_chunk *jfrec_repository_get(struct jfrec_repository *r, size_t i);

/* Has file number i been removed since it was opened? */
bool jfrec_repository_was_removed(const struct jfrec_repository *r, size_t i);

/* Is the chunk selected?  It is valid during the call. */
typedef bool jfrec_repository_select_fn(void *ctx, const struct jfrec_repository *r,
					const struct jfrec_repository_chunk *c);

/* Keep the chunks for which the function is true; the others are closed. */
void jfrec_repository_select(struct jfrec_repository *r, jfrec_repository_select_fn *selects,
			     void *ctx);

/* Have reading skip chunk number i. */
void jfrec_repository_skip(struct jfrec_repository *r, size_t i);

/*
 * A repository of some of the chunks, from number `first` on, which stay open in it also when the
 * JVM removes them.  To be closed; NULL with *err set: JFREC_EIO, JFREC_ENOMEM.
 */
struct jfrec_repository *jfrec_repository_copy(const struct jfrec_repository *r, size_t first,
					       size_t count, struct jfrec_error *err);

/* jfrec_repository_read() of some of the chunks, from number `first` on: once of each. */
struct jfrec_reader *jfrec_repository_read_some(struct jfrec_repository *r, size_t first,
						size_t count, struct jfrec_error *err);

/*
 * The command of its JVM, by what the first chunk says (jdk.JVMInformation), in a buffer; "jvm" if
 * that is not known.
 */
void jfrec_repository_command(const struct jfrec_repository *r, char *command, size_t size);

JFREC_END_DECLS

#endif
