/* SPDX-License-Identifier: MIT */
/*
 * debug_info.h - functions and lines of machine code, from one file with debug information
 *
 * The file may come from anyone: it is read, never mapped, and what it claims about sizes is
 * checked before memory is taken.  libdw follows references; how deep is bounded here.
 */
#ifndef JFREC_SYMBOLS_DEBUG_INFO_H
#define JFREC_SYMBOLS_DEBUG_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "jfrec/base.h"

/* The most bytes of a build ID; the usual one has 20. */
#define BUILD_ID_MAX 64u

struct build_id {
	uint8_t bytes[BUILD_ID_MAX];
	unsigned size; /* 0: none */
};

struct debug_info;

/* Takes the descriptor of a regular file over.  NULL with *err set. */
struct debug_info *debug_info_open(int fd, struct jfrec_error *err);
void debug_info_close(struct debug_info *d);

struct build_id debug_info_id(const struct debug_info *d);

/* Does it have more than symbols? */
bool debug_info_has_lines(const struct debug_info *d);

/*
 * Find the file that has the part which this one shares with others (dwz): by the path that is
 * written here, and its build ID.  NULL: there is none.
 */
typedef struct debug_info *find_shared(void *ctx, const char *path, struct build_id id);

/*
 * To be called once, before debug_info_find().  0, or -1 with *err set: then only symbols of the
 * file count, if it has any.
 */
int debug_info_read(struct debug_info *d, find_shared *find, void *ctx, struct jfrec_error *err);

/* A function that code belongs to; a name of NULL, a line of 0: unknown. */
struct code_frame {
	const char *name; /* as long as the file is open */
	uint32_t line;
};

/* So many functions can be in each other at one address. */
#define CODE_FRAMES_MAX 64u

/*
 * The function at an address, as the file counts it; before it those that were inlined there,
 * the innermost first.  Returns how many there are; 0: nothing is known.
 */
unsigned debug_info_find(struct debug_info *d, uint64_t address, struct code_frame *frames);

#endif
