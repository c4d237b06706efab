/* SPDX-License-Identifier: MIT */
/*
 * svg.h - a flame graph as a still picture, for tickets and for paper
 */
#ifndef JFREC_PROFILES_SVG_H
#define JFREC_PROFILES_SVG_H

#include "stacks/stacks.h"

/*
 * Draw a profile of a side that has samples: frames of that share of all, or more, down to a depth.
 * 0, or -1 when memory is gone.
 */
int svg_put(struct jfrec_stacks *s, unsigned side, size_t kind, double minimum, unsigned max_depth,
	    bool has_titles, struct out *out);

#endif
