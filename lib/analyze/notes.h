/* SPDX-License-Identifier: MIT */
/*
 * notes.h - what was found out about a stack, a thread or a text, by its number
 *
 * Names are compared once for each of them, not for each event.
 */
#ifndef JFREC_ANALYZE_NOTES_H
#define JFREC_ANALYZE_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is empty. */
struct notes {
	uint32_t *list; /* 0: nothing was noted */
	size_t room;
};

/* Make room for that number. False: no memory, and nothing has changed. */
bool notes_grow(struct notes *n, uint32_t number);

/* The note of that number, for reading and changing until the next call; NULL: no memory. */
static inline uint32_t *notes_at(struct notes *n, uint32_t number)
{
	return number < n->room || notes_grow(n, number) ? &n->list[number] : NULL;
}

void notes_fini(struct notes *n);

#endif
