/* SPDX-License-Identifier: MIT */
/*
 * input.h - where the bytes come from
 */
#ifndef JFREC_INPUT_INPUT_H
#define JFREC_INPUT_INPUT_H

#include "jfrec.h"

struct input {
	int fd;
	uint64_t size;
};

/* Some bytes of the input, in memory. */
struct span {
	const uint8_t *bytes;
	uint64_t len;
	void *map; /* what to unmap, or to free */
	size_t map_len;
};

/*
 * Open a regular file.  0, or -1 with *err set.  Never blocks: a FIFO, socket,
 * directory or device is refused before it is read.
 */
int input_open(struct input *in, const char *path, struct jfrec_error *err);
void input_close(struct input *in);

/* Read len bytes; fewer (*got) only at the end of the input.  0, or -1 with *err set. */
int input_read(const struct input *in, uint64_t offset, void *to, size_t len, size_t *got,
	       struct jfrec_error *err);

/* The first byte at or after offset that is not in a hole of a sparse file; its end if none. */
uint64_t input_skip_hole(const struct input *in, uint64_t offset);

/*
 * Bring len bytes into memory.  They must lie within in->size.
 *
 * `steady` says that nobody writes the file any more: then it is mapped.
 * A file that grows or shrinks is copied instead, since touching a mapped page
 * beyond the end of a file kills the process.
 */
int input_span(const struct input *in, uint64_t offset, uint64_t len, bool steady,
	       struct span *span, struct jfrec_error *err);
void span_fini(struct span *span);

#endif
