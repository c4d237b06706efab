/* SPDX-License-Identifier: MIT */
/*
 * deadlock_section.h - the deadlocks that a JVM found, at the end of its thread dump
 */
#ifndef JFREC_THREADS_DEADLOCK_SECTION_H
#define JFREC_THREADS_DEADLOCK_SECTION_H

#include "threads/dump.h"

/* What begins the section. */
#define DEADLOCK_FOUND "Found one Java-level deadlock:"

/* While it is read; all zero at first. */
struct deadlock_section {
	struct jfrec_deadlocked *threads; /* of the deadlock that is read */
	size_t count, room;
	struct jfrec_deadlocked *of; /* whose stack is read; or NULL */
	const char **frames;
	size_t frame_count, frame_room;
	bool in_stacks;
};

/* A line from there on, which is kept. */
void deadlock_section_line(struct deadlock_section *s, struct dump *d, char *line);

/* There are no more. */
void deadlock_section_end(struct deadlock_section *s, struct dump *d);

/*
 * The first deadlock of a text that begins with the section, which is changed; to be freed with
 * dump_fini().  False: out of memory.
 */
bool deadlock_section_read(struct dump *d, char *text, size_t len);

#endif
