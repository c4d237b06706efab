/* SPDX-License-Identifier: MIT */
/*
 * follow.h - follow a repository from one chunk file to the next
 *
 * The chunk files of a JVM lie in a directory, named for local time; their headers tell their
 * order.  The directory may move (JFR.configure repositorypath), and is gone when the JVM ends.
 */
#ifndef JFREC_STREAM_FOLLOW_H
#define JFREC_STREAM_FOLLOW_H

#include <limits.h>

#include "format/chunk_header.h"
#include "process/opener.h"
#include "stream/pending_chunks.h"

struct follow {
	int fd;		/* of the directory to look for chunks in, O_PATH; -1: not known yet */
	char *name;	/* the same as people call it */
	struct opener
		opener; /* how its files are opened: as the JVM's user, if it is known by that */
	bool has_process;
	struct process process; /* who writes there, if has_process */
	bool is_abandoned;	/* no process writes there, as far as can be seen */
	struct pending_chunks held; /* what came in the directory since it is known */
	/* The chunk that was followed last. */
	bool has_last;
	struct chunk_header last;
	char *last_file; /* its name in the directory */
};

/* Nothing is followed yet. */
#define FOLLOW_NONE                                \
	((struct follow){ .fd = -1,                \
			  .opener = OPENER_HERE,      \
			  .process = PROCESS_NONE, \
			  .held = PENDING_CHUNKS_NONE })

/*
 * The chunk files of a directory, or of the newest repository in it; also finds out who writes
 * there.  0, or -1 with *err set.
 */
int follow_directory(struct follow *f, const char *path, struct jfrec_error *err);

/*
 * Those of a JVM, wherever it has them: without a word to it.  It need not record now.  0, or
 * -1 with *err set: JFREC_ENOJVM, JFREC_EPERMISSION, JFREC_ENOMEM.
 */
int follow_jvm(struct follow *f, const struct jfrec_jvm *jvm, struct jfrec_error *err);

/* FOLLOW_NONE is allowed, and is what it leaves. */
void follow_fini(struct follow *f);

/* Where a stream begins. */
struct follow_start {
	enum { FOLLOW_NEWEST, FOLLOW_OLDEST, FOLLOW_TIME } at;
	int64_t ns; /* FOLLOW_TIME: the chunk of that time, or else the next one */
};

/* A chunk file. */
struct follow_file {
	int fd;			    /* -1: there is none */
	char path[32];		    /* by which what is open can be opened once more */
	char name[NAME_MAX + 1];    /* in its directory */
	struct chunk_header header; /* zero: it has none yet */
};

#define FOLLOW_NO_FILE ((struct follow_file){ .fd = -1 })

/* FOLLOW_NO_FILE, which is what it leaves, is allowed. */
void follow_file_close(struct follow_file *file);

/* Has a file of the directory that name? */
bool follow_has_name(struct follow *f, const char *name);

/*
 * Find the chunk file to read next: the first, or the one after the last.  1: *file is set; 0:
 * there is none now; -1: *err is set (JFREC_ENOMEM).
 */
int follow_next(struct follow *f, const struct follow_start *start, struct follow_file *file,
		struct jfrec_error *err);

/*
 * Find a chunk that a JVM of JDK 8 or 11 writes: it has no header before it is finished, and then
 * becomes one of the others.  As follow_next().
 */
int follow_part(struct follow *f, struct follow_file *file, struct jfrec_error *err);

/*
 * The chunk file of this name or path has been followed to its end. 0, or -1 when memory is gone.
 */
int follow_passed(struct follow *f, const char *path, const struct chunk_header *h);

/*
 * Ask where the JVM's chunks are now.  1: elsewhere; 0: nowhere, or where they were; -1: *err is
 * set.
 */
int follow_move(struct follow *f, struct jfrec_error *err);

/* Has the process that writes there ended? */
bool follow_has_ended(const struct follow *f);

/* Is the directory gone? */
bool follow_is_deleted(const struct follow *f);

#endif
