/* SPDX-License-Identifier: MIT */
/*
 * ask.h - ask a JVM for thread dumps, and the system for their CPU
 */
#ifndef JFREC_CLI_THREADS_ASK_H
#define JFREC_CLI_THREADS_ASK_H

#include "jvm/for_each_jvm.h"
#include "threads/seen.h"

struct ask_threads {
	uint64_t samples;    /* dumps */
	int64_t interval_ns; /* between them */
	bool virtual;	     /* have it written as JSON, with virtual threads */
	bool locks;	     /* list the locks of java.util.concurrent, too */
};

/* The diagnostic command; with a->virtual it is another one. */
const char *ask_threads_command(const struct ask_threads *a);

/* Print a dump as the JVM writes it.  An exit code, after saying what failed. */
int ask_threads_raw(struct each_jvm *j, const struct ask_threads *a);

/* Add the dumps to s, and set s->hot.  An exit code, after saying what failed. */
int ask_threads(struct each_jvm *j, const struct ask_threads *a, struct threads_seen *s);

#endif
