/* SPDX-License-Identifier: MIT */
/*
 * recorders.h - keep recordings running in many JVMs at once
 *
 * Each JVM is asked by a child process, a few at a time, so that those that do not answer hold up
 * neither the pass nor one another: what takes long goes on while passes end and begin.  Who did
 * not answer is remembered, and asked more and more rarely.
 */
#ifndef JFREC_CLI_COLLECT_RECORDERS_H
#define JFREC_CLI_COLLECT_RECORDERS_H

#include <signal.h>

#include "collect/recorder.h"

/* A JVM that did not answer. */
struct recorders_silent {
	int pid;
	uint64_t start_ticks;
	unsigned times;
	int64_t until_ns; /* by the monotonic clock: it is not asked before */
	bool is_seen;	  /* in this pass */
};

struct recorders_job {
	const struct jfrec_jvm *jvm; /* NULL: it is ours, of a pass before */
	struct jfrec_jvm ours;	     /* no more than who it is */
	const struct collect_jvms *wish;
	int child;  /* its pid; 0: not begun; -1: done */
	int result; /* the end of a pipe */
	int64_t began_ns;
	int64_t cost_ns; /* what it took, for nothing */
};

/* All zero at first; what is silent, and who is being asked, is kept from pass to pass. */
struct recorders {
	struct recorders_silent *silent;
	size_t silent_count, silent_room;
	struct recorders_job *jobs;
	size_t job_count, job_room, first; /* jobs before are done */
	size_t running;
	bool dry;
};

/* As recorder_ensure() returned. */
typedef void recorders_fn(void *ctx, const struct jfrec_jvm *jvm, int ret, uint64_t id,
			  const struct jfrec_error *err);

/* Told of a user of whom JVMs are not asked, since others of his did not answer. */
typedef void recorders_left_fn(void *ctx, uint32_t uid, size_t count);

/* The JVM is to record; both stay where they are until the pass ends.  False: no memory. */
bool recorders_add(struct recorders *r, const struct jfrec_jvm *jvm,
		   const struct collect_jvms *wish);

/* Begin and end what can be without waiting. */
void recorders_step(struct recorders *r, recorders_fn *fn, void *ctx);

/* A pass ends.  Those that answer soon are waited for; the others are asked on. */
void recorders_leave(struct recorders *r, const volatile sig_atomic_t *stop, recorders_fn *fn,
		     recorders_left_fn *left, void *ctx);

/* The same, and all are waited for, until *stop is set; what is then not done is given up. */
void recorders_end(struct recorders *r, const volatile sig_atomic_t *stop, recorders_fn *fn,
		   recorders_left_fn *left, void *ctx);

void recorders_fini(struct recorders *r);

#endif
