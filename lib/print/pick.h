/* SPDX-License-Identifier: MIT */
/*
 * pick.h - when an event was, and whether that is wanted
 */
#ifndef JFREC_PRINT_PICK_H
#define JFREC_PRINT_PICK_H

#include "print/render.h"

/* The ticks at which an event began and ended. */
struct ticks {
	int64_t start, end;
};

/* Read them from the event's bytes. False if they cannot be decoded, which is noted. */
bool event_ticks(struct render *r, const struct view *v, const struct jfrec_type *t,
		 const struct raw_event *e, struct ticks *ticks);

/* Does the event touch the span of time that is to be printed? */
bool is_picked(const struct render *r, const struct view *v, const struct ticks *ticks);

#endif
