/* SPDX-License-Identifier: MIT */
/*
 * steps.h - what a snapshot consists of
 *
 * A row of the table for each step, in the order that loses least: first what is there without the
 * JVM, then what it is asked for, then what takes long.
 */
#ifndef JFREC_CLI_SNAPSHOT_STEPS_H
#define JFREC_CLI_SNAPSHOT_STEPS_H

#include "jfrec-tool.h"
#include "opts/attach_opts.h"

struct snapshot_opts {
	struct attach_opts attach; /* .timeout_ms: for all of it; 0: the default */
	int64_t duration_ns;	   /* of the recording; 0: the default */
	int64_t max_age_ns;	   /* of the repository; 0: the default */
	bool histogram, heapdump, raw;
};

/*
 * What the default of --timeout is more than --duration, and with a heap dump; and the defaults of
 * --duration and --max-age.
 */
#define SNAPSHOT_TIMEOUT_NS  (90 * (int64_t)1000000000)
#define SNAPSHOT_HEAP_NS     (600 * (int64_t)1000000000)
#define SNAPSHOT_DURATION_NS (30 * (int64_t)1000000000)
#define SNAPSHOT_MAX_AGE_NS  (600 * (int64_t)1000000000)

enum step_place {
	STEP_OUTSIDE, /* nothing is sent to the JVM */
	STEP_ASKS,    /* attaches */
	STEP_RECORDS, /* attaches, and takes long */
	STEP_AFTER,   /* reads what other steps have taken, or what a JVM leaves that ends */
};

struct snapshot_step;

/* What a step is told. */
struct step_call {
	const struct snapshot_step *step;
	const struct snapshot_opts *opts;
	const struct jfrec_jvm *jvm;
	struct jfrec_crash_files *crash; /* remembered while the JVM lived; or NULL */
	int to;			 /* open for its text; -1: it makes the file itself */
	int64_t limit_ns;	 /* that it has */
};

struct snapshot_step {
	const char *name, *file; /* "threads-1", "threads-1.txt" */
	enum step_place place;
	int limit_s; /* 0: that of the recording */
	bool is_text; /* written to .to, and scrubbed later, as .kind says */
	enum jfrec_text_kind kind;
	const char *cost; /* to the JVM, for the manifest */
	/* In a process of its own (perform.h), in the directory of the snapshot. */
	int (*take)(const struct step_call *c);
	const char *command; /* of the JVM; or NULL */
	int which;	     /* an enum jfrec_outside; of several logs, which */
	int wait_ms;	     /* before it: dumps that follow each other at once are the same */
	int since;	     /* the first JDK that has the command; 0: all */
	/* Only with an option, by its place in struct snapshot_opts; -1: always. */
	int option;
};

extern const struct snapshot_step snapshot_steps[];
extern const size_t snapshot_step_count;

/* Is the step wished for? */
bool snapshot_step_is_wished(const struct snapshot_step *s, const struct snapshot_opts *o);

/* How long the recording is. */
static inline int64_t snapshot_duration_ns(const struct snapshot_opts *o)
{
	return o->duration_ns ? o->duration_ns : SNAPSHOT_DURATION_NS;
}

#endif
