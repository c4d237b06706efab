/* SPDX-License-Identifier: MIT */
/*
 * source.h - read bytes in sequence from a descriptor or memory
 */
#ifndef JFREC_INPUT_SOURCE_H
#define JFREC_INPUT_SOURCE_H

#include "input/input.h"

/* Bytes of a file descriptor as they come, or of memory, a buffer at a time. */
struct source {
	int fd;
	const uint8_t *memory; /* NULL: the descriptor */
	uint64_t memory_len;
	bool once;   /* a pipe or socket; others may share the descriptor of a file */
	uint64_t at; /* bytes read so far */
	size_t pos, len;
	bool at_end;
	const struct waiting *waiting; /* or NULL */
	uint8_t buf[64 << 10];
};

/* Have bytes in the buffer, if there are any left. 0, or -1 with *err set. */
int source_fill(struct source *s, struct jfrec_error *err);

/* Would that have to wait for somebody to write? */
bool source_would_wait(const struct source *s);

/* Enough bytes to know a compression by. */
#define MAGIC_SIZE 4

/* Have so many in the buffer, before any are taken, unless there are fewer. 0, or -1 with *err set. */
int source_begin(struct source *s, struct jfrec_error *err);

#endif
