/* SPDX-License-Identifier: MIT */
/*
 * copies.h - recordings without secrets, of which all questions are asked
 *
 * A reply is about such a copy, so that no question, however it takes values apart, can get at what
 * `jfrec scrub` takes away. The copies of the last few recordings are kept, in files without names.
 */
#ifndef JFREC_CLI_MCP_COPIES_H
#define JFREC_CLI_MCP_COPIES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/grown_text.h"

#define KEPT_COPIES 6

struct copy {
	struct stat of; /* the recording, as it was */
	int fd;
	struct grown_text damage; /* what could not be read of it: lines; empty: nothing */
	uint64_t used;		  /* when: a count */
};

struct copies {
	struct copy kept[KEPT_COPIES];
	unsigned count;
	uint64_t clock;
	char directory[64]; /* for those that are being made; only this user may enter it */
};

/* False with errno set: there is no directory for them. */
bool copies_begin(struct copies *c);

/* Close and remove all. */
void copies_end(struct copies *c);

/*
 * A descriptor of the caller's own for the copy of that recording; -1: there is none.  *damage
 * lives until another copy is kept.
 */
int copies_find(struct copies *c, const struct stat *of, const struct grown_text **damage);

/*
 * Keep a copy, which is made and has no name any more; its descriptor, and what is in *damage, are
 * the copies' then.
 */
void copies_keep(struct copies *c, const struct stat *of, int fd, struct grown_text *damage);

#endif
