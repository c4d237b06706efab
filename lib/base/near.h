/* SPDX-License-Identifier: MIT */
/*
 * near.h - suggest known names similar to an unknown one
 */
#ifndef JFREC_BASE_NEAR_H
#define JFREC_BASE_NEAR_H

#include <stddef.h>

#define MAX_NEAR 3

/* Set .name, offer the names there are, and the best remain, the nearest first. */
struct near {
	const char *name;
	struct {
		char name[64];
		unsigned likeness; /* 0: there are no more */
	} items[MAX_NEAR];
};

/* A name is as near as it is, or its last part. */
void near_offer(struct near *near, const char *name);

#define NEAR_LIST_MAX (MAX_NEAR * 70)

/* "; near it: startTime, endTime", or "". `list` has NEAR_LIST_MAX bytes. */
const char *near_list(const struct near *near, char *list);

#endif
