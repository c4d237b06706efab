/* SPDX-License-Identifier: MIT */
/*
 * source.h - read bytes in sequence from a descriptor or memory
 */
#ifndef JFREC_INPUT_SOURCE_H
#define JFREC_INPUT_SOURCE_H

#include "input/input.h"

/* Bytes of a file descriptor as they come, of memory, or of another stream, a buffer at a time. */
struct source {
	int fd;
	const uint8_t *memory; /* NULL: the descriptor */
	uint64_t memory_len;
	/* What it reads in place of both, and the source after that; or NULL. */
	void *from;
	int (*read)(void *from, void *to, size_t len, size_t *got, struct jfrec_error *err);
	const struct source *root;
	bool once;   /* a pipe or socket; others may share the descriptor of a file */
	uint64_t start, end; /* of what is read of a file; the end is UINT64_MAX: the file's */
	uint64_t at; /* what comes next */
	size_t pos, len;
	bool at_end;
	const struct waiting *waiting; /* or NULL */
	uint8_t buf[64 << 10];
};

/* Have bytes in the buffer, if there are any left. 0, or -1 with *err set. */
int source_fill(struct source *s, struct jfrec_error *err);

/* How many bytes were read so far, where they begin: of a file, a pipe or memory. */
uint64_t source_consumed(const struct source *s);

/* Would that have to wait for a writer? */
bool source_would_wait(const struct source *s);

/* Enough bytes to know a compression by. */
#define MAGIC_SIZE 8

/*
 * Have so many in the buffer, before any are taken, unless there are fewer. 0, or -1 with *err set.
 */
int source_begin(struct source *s, struct jfrec_error *err);

#endif
