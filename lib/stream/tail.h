/* SPDX-License-Identifier: MIT */
/*
 * tail.h - read the end of a chunk file while a JVM writes it
 *
 * Each flush writes a new header, which says how far the chunk may be read.  Headers are asked
 * for, not waited for: 68 bytes that are in the page cache cost less than being woken up for each
 * of the JVM's writes, and it works on every file system and in every container.
 */
#ifndef JFREC_STREAM_TAIL_H
#define JFREC_STREAM_TAIL_H

#include "format/chunk.h"

struct tail {
	struct recording *recording; /* whose current file it is */
	char *path, *name;	     /* NULL: no file is open */
	struct chunk_header first;   /* the file's, as it was found: zero if it had none */
	struct extent extent;	     /* by the newest header that was believed */
	bool has_name; /* as was seen last: in its directory there is the name it was opened by */
	bool is_part; /* it has no header that counts while it has the name it was opened by */
	uint8_t seen[CHUNK_HEADER_SIZE]; /* the header, as it was when it was believed */
	struct chunk *chunk;		 /* NULL: nothing of it can be read, so far */
	bool is_finished;		 /* the JVM has finished it, and all of it was seen */
	bool is_lost; /* nothing of it will ever be read here; it may be found by another name */
	bool is_unreadable; /* as was reported: there is only its end to wait for */
};

/*
 * Open a file that will be a chunk; h: its header as it was found, zero if it has none yet.  `name`
 * is what it is called in problems.  0, or -1 with *err set.
 */
int tail_open(struct tail *t, const char *path, const char *name, const struct chunk_header *h,
	      struct jfrec_error *err);

/*
 * Continue with the chunk after this one, which is finished: JVMs write a file for each, but others
 * put several into one.  False if there is none, and this one is still open.
 */
bool tail_next(struct tail *t);

/* Does that descriptor stand for the file that is open? */
bool tail_is_file(const struct tail *t, int fd);

/* Close it and give up the chunk. All zero but the recording is allowed. */
void tail_close(struct tail *t);

/*
 * Look at the header.  1: the chunk is there, or has grown; 0: nothing new; -1: *err is set.
 *
 * abandoned: no process writes it any more, so what is there is all there is.
 */
int tail_refresh(struct tail *t, bool abandoned, struct jfrec_error *err);

#endif
