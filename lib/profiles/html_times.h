/* SPDX-License-Identifier: MIT */
/*
 * html_times.h - when the stacks of a page were seen
 */
#ifndef JFREC_PROFILES_HTML_TIMES_H
#define JFREC_PROFILES_HTML_TIMES_H

#include "base/buffer.h"
#include "stacks/stacks.h"

/* The spans that all profiles of a page are cut into. All zero: nothing was looked at. */
struct time_axis {
	int64_t first_ns, last_ns, width_ns;
	unsigned width; /* number of times_width_ns() */
	uint32_t count; /* of spans; 0: the times are not known */
	uint32_t max_count; /* at most so many; 0: as many as a screen can show */
	/* bytes that the times of a profile may take before they are compressed; 0: any */
	size_t room;
	bool has_times;
	int32_t offset_s; /* of the zone that they are shown in */
};

/* Make it as long as a profile of the page needs. 0, or -1 when memory is gone. */
int html_times_look(struct jfrec_stacks *s, unsigned side, size_t kind, struct time_axis *axis);

/* After the last profile: choose the spans, and add them. */
void html_times_put_axis(struct time_axis *axis, struct buffer *to);

/* Add a profile's times. 0, or -1 when memory is gone. */
int html_times_put(struct jfrec_stacks *s, unsigned side, size_t kind, const struct time_axis *axis,
		   struct buffer *to);

#endif
