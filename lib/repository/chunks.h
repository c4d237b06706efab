/* SPDX-License-Identifier: MIT */
/*
 * chunks.h - list the chunk files of a JVM's repository
 *
 * They are opened at once, and from then on used by descriptor: the JVM may remove any of
 * them at any time, and what it has removed stays readable while it is open.
 */
#ifndef JFREC_REPOSITORY_CHUNKS_H
#define JFREC_REPOSITORY_CHUNKS_H

#include <sys/stat.h>

#include "format/chunk_header.h"
#include "jfrec-tool.h"
#include "process/opener.h"

struct repository_chunk {
	char *name; /* of the file, without its directory */
	int fd;	    /* -1: given away to a reader */
	dev_t dev;
	ino_t ino;
	uint64_t file_size;
	uint64_t stored;	    /* of it: less where there are holes */
	int64_t changed_ns;	    /* since 1970 */
	struct chunk_header header; /* as it was when the chunk was opened */
	bool is_guarded;	    /* it was being rewritten just then */
	bool was_removed;	    /* by the JVM, since the look before */
	struct jfrec_repository_chunk seen; /* by jfrec_repository_get() */
};

struct jfrec_repository {
	char *path; /* as the JVM sees it */
	int dir_fd; /* O_PATH; -1: it has been removed */
	struct opener *opener; /* how its files are opened, while it is being made */
	int ns_pid; /* of its JVM, by its name; 0: it has another kind of name */
	size_t count, room;
	struct repository_chunk *chunks; /* the oldest first */
	struct jfrec_error missing;	 /* why a part of it could not be taken in; or JFREC_OK */
	size_t left_out;		 /* wanted files beyond as many as were asked for */
	/* Files of JDK 8 and 11 that cannot be read before they are finished. */
	size_t part_count;
	uint64_t part_bytes;
	size_t damaged; /* files named as chunks that do not begin as one */
	char damaged_name[NAME_MAX + 1]; /* of the first */
	struct jfrec_repository_info info; /* that jfrec_repository_describe() returns */
};

/* Does the JVM still write it, or did when it died? */
static inline bool repository_chunk_is_open(const struct repository_chunk *c)
{
	return c->header.generation != 0;
}

/* Is there nothing in it yet? */
static inline bool repository_chunk_is_empty(const struct repository_chunk *c)
{
	return c->header.size <= CHUNK_HEADER_SIZE || c->header.metadata == 0;
}

/*
 * What a copy of it takes, and never more than there is of it, whatever its header says; a file
 * that is not a JVM's may have other chunks after the first.
 */
static inline uint64_t repository_chunk_bytes(const struct repository_chunk *c)
{
	uint64_t bytes = repository_chunk_is_open(c) && c->header.size < c->file_size
				 ? c->header.size
				 : c->file_size;

	return bytes < c->stored ? bytes : c->stored;
}

/* Does it have holes in what its header claims?  No JVM leaves any. */
static inline bool repository_chunk_is_hollow(const struct repository_chunk *c)
{
	return c->stored < c->file_size && c->stored < c->header.size;
}

/* When the last thing in it was recorded. */
int64_t repository_chunk_end_ns(const struct repository_chunk *c);

typedef bool repository_select_fn(void *ctx, const struct jfrec_repository *r,
				  const struct repository_chunk *c);

/* Which files of a directory become its chunks; all zero: every one that is a chunk. */
struct repository_filter {
	bool own_names;		   /* only such as a JVM gives them */
	const uint32_t *owner;	   /* only files of that user; NULL: of any */
	repository_select_fn *selects; /* NULL: all; others are not kept open */
	void *ctx;
	size_t most; /* so many at most, the rest is counted (left_out); 0: no bound */
};

/* jfrec_repository_of_jvm() for a process that is open. */
struct jfrec_repository *repository_of_process(const struct process *p, struct jfrec_error *err);

/*
 * The same of a directory (O_PATH will do), which is then its own; the path is for messages.  Files
 * are opened with our own rights, or as *o says.
 */
struct jfrec_repository *repository_of_directory(int fd, const char *path,
						 const struct repository_filter *filter,
						 struct jfrec_error *err);
struct jfrec_repository *repository_of_owned(struct opener *o, int fd, const char *path,
					     const struct repository_filter *filter,
					     struct jfrec_error *err);

/* Some of its chunks, with descriptors of their own.  NULL with *err set. */
struct jfrec_repository *repository_copy(const struct jfrec_repository *r, size_t first,
					 size_t count, struct jfrec_error *err);

/*
 * A repository of one of the chunks, with a descriptor of its own: for when the JVM has removed it.
 * NULL with *err set.
 */
struct jfrec_repository *repository_of_chunk(const struct jfrec_repository *r,
					     const struct repository_chunk *c,
					     struct jfrec_error *err);

/* Is that file one of its chunks? */
bool repository_has(const struct jfrec_repository *r, dev_t dev, ino_t ino);

/* Leave out chunks that are not wanted. */
void repository_select(struct jfrec_repository *r, repository_select_fn *selects, void *ctx);

/* Look again at the header of a chunk that was open; what is being rewritten stays as it was. */
void repository_chunk_refresh(struct repository_chunk *c);

#endif
