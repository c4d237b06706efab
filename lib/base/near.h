/* SPDX-License-Identifier: MIT */
/*
 * near.h - suggest known names similar to an unknown one
 */
#ifndef JFREC_BASE_NEAR_H
#define JFREC_BASE_NEAR_H

#include <stdint.h>
#include <stddef.h>

#define NEAR_FAR UINT32_MAX

/*
 * How many letters must be added, dropped, changed or swapped to make the name, or its part after
 * the last dot, of what was typed.  Case, '-' and '_' do not count; the beginning of a name is as
 * near as one wrong letter, and its end, of four letters or more, as two.  NEAR_FAR: it takes too
 * many for what was typed to be a typo.
 */
uint32_t near_distance(const char *typed, const char *name);

#define MAX_NEAR 3

/* Set .name, offer the names there are, and the best remain, the nearest first. */
struct near {
	const char *name;
	struct {
		char name[64]; /* "": there are no more */
		uint32_t distance;
	} items[MAX_NEAR];
};

void near_offer(struct near *near, const char *name);

/* How many are left of them: those about as near as the nearest. */
size_t near_count(const struct near *near);

#define NEAR_LIST_MAX (MAX_NEAR * 70 + 32)

/* "; did you mean startTime or endTime?", or "".  `list` has NEAR_LIST_MAX bytes. */
const char *near_list(const struct near *near, char *list);

#endif
