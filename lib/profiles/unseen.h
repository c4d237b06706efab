/* SPDX-License-Identifier: MIT */
/*
 * unseen.h - what a profile does not show, as exported files say it
 */
#ifndef JFREC_PROFILES_UNSEEN_H
#define JFREC_PROFILES_UNSEEN_H

#include <stddef.h>
#include <stdint.h>

struct jfrec_stacks;

struct unseen {
	const char *key;  /* for programs: "lost" */
	const char *what; /* for people: "samples that were lost" */
	uint64_t count;
};
#define UNSEEN_MAX 6

/* Of a profile that has samples: what was not seen, without what is 0. Returns how many. */
size_t unseen_of(const struct jfrec_stacks *s, size_t kind, struct unseen to[static UNSEEN_MAX]);

#endif
