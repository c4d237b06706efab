/* SPDX-License-Identifier: MIT */
/*
 * thread_header.h - the line of a thread dump that begins a thread
 */
#ifndef JFREC_THREADS_THREAD_HEADER_H
#define JFREC_THREADS_THREAD_HEADER_H

#include "jfrec-tool.h"

struct thread_header {
	char *name; /* in the line, which is changed */
	uint64_t id, nid;
	bool daemon;
	bool in_wait; /* "in Object.wait()": for a notice, or for a class to be initialized */
	int64_t cpu_ns, elapsed_ns; /* -1: not told */
};

/* Where the name of "\"main\" #1 prio=5 ..." ends; NULL: it is not such a line, or goes on. */
char *thread_header_name_end(char *line);

/* Read the line, whose name ends there. */
void thread_header_read(struct thread_header *h, char *line, char *name_end);

#endif
