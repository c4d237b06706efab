/* SPDX-License-Identifier: MIT */
/*
 * damage.h - what was damaged in recordings, as JSON documents tell it
 */
#ifndef JFREC_PAGE_DAMAGE_H
#define JFREC_PAGE_DAMAGE_H

#include <stddef.h>

#include "base/out.h"
#include "jfrec/chunk.h"

/* All zero at first. */
struct damage {
	struct jfrec_problem *items; /* with texts of its own */
	size_t count, room;
};

/* Copy a problem. 0, or -1 when memory is gone. */
int damage_add(struct damage *d, const struct jfrec_problem *problem);

/* As an array of objects. */
void damage_put(const struct damage *d, struct out *out);

void damage_fini(struct damage *d);

#endif
