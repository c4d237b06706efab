/* SPDX-License-Identifier: MIT */
/*
 * kept.h - keep the part of a stream that may be needed again
 *
 * As many bytes as a chunk of a JVM has are kept in memory; what is more goes to a file without a
 * name, so that memory stays flat whatever a few compressed bytes unfold to.
 */
#ifndef JFREC_INPUT_KEPT_H
#define JFREC_INPUT_KEPT_H

#include "jfrec/base.h"

struct span;

/* More than this is kept in a file. */
#define KEPT_IN_MEMORY (UINT64_C(64) << 20)

/* More than this is not kept at all: no chunk of a JVM comes near it. */
#define KEPT_AT_MOST (UINT64_C(2) << 30)

/* All zero at first. */
struct kept {
	uint64_t at, len; /* which bytes of the stream */
	uint8_t *bytes;	  /* they, or those that go to the file next */
	size_t room;
	bool is_file;
	int fd;
	uint64_t base; /* where the stream was when the file began */
};

static inline uint64_t kept_end(const struct kept *k)
{
	return k->at + k->len;
}

/* Where the next bytes of the stream can be put, at least one.  0, or -1 with *err set. */
int kept_room(struct kept *k, uint8_t **to, size_t *room, struct jfrec_error *err);

/* So many were put there.  0, or -1 with *err set. */
int kept_add(struct kept *k, size_t len, struct jfrec_error *err);

/* Copy bytes that are kept.  0, or -1 with *err set. */
int kept_read(const struct kept *k, uint64_t offset, void *to, size_t len,
	      struct jfrec_error *err);

/* Where bytes that are kept can be mapped: the file and the place in it.  False: in memory. */
bool kept_place(const struct kept *k, uint64_t offset, int *fd, uint64_t *at);

/* Bytes before the offset are not needed any more. */
void kept_forget(struct kept *k, uint64_t offset);

void kept_fini(struct kept *k);

#endif
