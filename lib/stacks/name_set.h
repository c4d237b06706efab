/* SPDX-License-Identifier: MIT */
/*
 * name_set.h - texts that are each kept once, under small numbers
 *
 * Numbers are given in the order in which texts come, from 0 on, and mean the same in all chunks.
 */
#ifndef JFREC_STACKS_NAME_SET_H
#define JFREC_STACKS_NAME_SET_H

#include "base/arena.h"
#include "base/digest.h"

#define NAME_NONE UINT32_MAX

struct name {
	const char *text; /* ends in NUL */
	uint32_t len;
};

/* All zero is empty. */
struct name_set {
	struct name *list;
	uint32_t count, room;
	struct digest_map by_text;
	struct arena arena;
};

/* The number of that text; NAME_NONE when memory is gone. */
uint32_t name_set_put(struct name_set *n, const char *text, size_t len);

/*
 * The same of a name in a recording, of which as much is kept as anybody reads: a page with names
 * of megabytes is too much for a browser.  "..." stands for the rest.
 */
#define NAME_MOST 4096
uint32_t name_set_put_clipped(struct name_set *n, const char *text, size_t len);

void name_set_fini(struct name_set *n);

#endif
