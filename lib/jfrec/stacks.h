/* SPDX-License-Identifier: MIT */
/* jfrec/stacks.h - where the time, the memory, the waiting goes: weighted stacks of events */
#ifndef JFREC_STACKS_H
#define JFREC_STACKS_H

#include "jfrec/reader.h"

JFREC_BEGIN_DECLS

/* Whose samples: virtual threads are known in recordings of JDK 21 and later. */
enum jfrec_stack_threads {
	JFREC_STACK_ALL_THREADS = 0,
	JFREC_STACK_VIRTUAL_THREADS = 1,
	JFREC_STACK_PLATFORM_THREADS = 2,
};

/*
 * Profiles of recordings: the events with a stack trace that say where something goes, added up
 * by their stacks.
 *
 *	struct jfrec_stacks *s = jfrec_stacks_new(NULL, &err);
 *
 *	jfrec_stacks_add(s, "cpu", &err);
 *	jfrec_stacks_read(s, 0, reader, &err);
 *	jfrec_stacks_write(s, 0, "collapsed", write, ctx, &err);
 *	jfrec_stacks_free(s);
 *
 * All profiles are made in one pass. Memory grows with the number of distinct stacks, not with
 * that of events.
 */
struct jfrec_stacks;

struct jfrec_stack_options {
	size_t struct_size; /* sizeof(struct jfrec_stack_options) */
	bool with_threads;  /* the thread is the first frame */
	bool with_lines;    /* the line is part of a frame */
	bool with_bci;	    /* the bytecode index is, where there is no line */
	bool with_slashes;  /* classes as class files name them: java/util/HashMap */
	bool is_simple;	    /* classes without their packages */
	bool keeps_numbers; /* of lambdas and hidden classes, which differ from run to run */
	bool is_reversed;   /* callees are above their callers */
	bool counts;	    /* weights are numbers of samples, not times or bytes */
	unsigned skip;	    /* frames left out at the root */
	unsigned depth;	    /* frames kept from the root on; 0: all */
	/* Only stacks that have, or have not, a frame that this extended POSIX regex matches. */
	const char *include, *exclude;
	/* Only samples of threads in such a state: beginnings of names, as "RUNNABLE,SLEEPING". */
	const char *states;
	bool is_jfrconv;	 /* as async-profiler's jfrconv 4.5 does it, profiles included */
	const int64_t *from_ns, *to_ns; /* events that touch this span; NULL: no bound */
	bool keeps_times; /* of each sample, for firefox and perfetto: some 10 bytes each */
	bool packs_times; /* for the format html: at most 32 MiB a profile */
	enum jfrec_stack_threads threads;
	uint32_t max_nodes; /* at most, in a tree: beyond, light stacks are folded; 0: 1,048,576 */
	bool with_category; /* what the thread was doing, "[gc]", is a frame before the others */
	/*
	 * Of native-leaks: blocks allocated in this last part of the time, 0 to 1, may yet be
	 * freed, and are left out. NULL: 0.1.
	 */
	const double *leak_tail;
	double grain; /* with is_jfrconv: each stack's samples are divided by it, unless 0 */
	/* For jfrec_stacks_read_spans(): the least duration of a span, and its tag (NULL: any). */
	int64_t within_ns;
	const char *within_tag;
	/*
	 * Of the profiles asked for only the first that has samples, which takes less time where
	 * there are such: the later ones stay empty.
	 */
	bool only_first;
	/* The zone of the times of the format html, asked when it is written; NULL: UTC. */
	jfrec_zone_fn *zone;
	void *zone_ctx;
};

/* options: NULL is all zero. Copies what it needs. NULL with *err set: JFREC_EINVAL (an expression
 * that cannot be compiled), JFREC_ENOMEM. */
struct jfrec_stacks *jfrec_stacks_new(const struct jfrec_stack_options *options,
				      struct jfrec_error *err);

/* Free the profiles. */
void jfrec_stacks_free(struct jfrec_stacks *s);

/*
 * Ask for a profile, before the first recording is read: cpu, wall, native, alloc, live, holders,
 * lock, io, exceptions, native-memory, native-leaks, trace. 0, or -1 with *err set: JFREC_EINVAL if
 * there is no such one.
 */
int jfrec_stacks_add(struct jfrec_stacks *s, const char *profile, struct jfrec_error *err);

/*
 * The same for events of any type with a stack trace, by its full or simple name.  weight: the
 * field to weigh events by, a time, a size or a number; NULL: each event counts as one.
 */
int jfrec_stacks_add_type(struct jfrec_stacks *s, const char *type, const char *weight,
			  struct jfrec_error *err);

/* How many profiles can be asked for by name. */
size_t jfrec_stacks_names_count(void);

/* Name number i, in the order in which they are offered; NULL beyond the last.  Static. */
const char *jfrec_stacks_names_get(size_t i);

/*
 * Read the rest of a recording. side: 0, or 1 for the second recording of a difference. May be
 * called for several recordings. 0, or -1 with *err set, as by jfrec_print(); JFREC_EINVAL also if
 * a type of jfrec_stacks_add_type() does not have the field to weigh by.
 */
int jfrec_stacks_read(struct jfrec_stacks *s, unsigned side, struct jfrec_reader *r,
		      struct jfrec_error *err);

/*
 * Before jfrec_stacks_read(), with another reader of the same recording: find the spans of threads
 * that profiler.Span and jdk.MethodTrace tell of. From then on only samples within such a span of
 * their thread, as long as within_ns and with the tag within_tag, are taken. 1, or 0 if the
 * recording has no spans at all, or -1 with *err set, as by jfrec_print().
 */
int jfrec_stacks_read_spans(struct jfrec_stacks *s, struct jfrec_reader *r,
			    struct jfrec_error *err);

/*
 * What a page or picture is called, and what is to be known of it, such as that the recording is
 * damaged; both may be NULL. 0, or -1 with *err set (JFREC_ENOMEM).
 */
int jfrec_stacks_set_title(struct jfrec_stacks *s, const char *title, const char *note,
			   struct jfrec_error *err);

/*
 * Name a recording that was read, for the document that the format json writes. 0, or -1 with *err
 * set (JFREC_ENOMEM).
 */
int jfrec_stacks_add_recording(struct jfrec_stacks *s, const char *name, struct jfrec_error *err);

/*
 * Have that document tell of a problem; for a function that jfrec_reader_on_problem() calls. Copies
 * it. 0, or -1 with *err set (JFREC_ENOMEM).
 */
int jfrec_stacks_add_problem(struct jfrec_stacks *s, const struct jfrec_problem *problem,
			     struct jfrec_error *err);

struct jfrec_stack_profile {
	const char *name, *label;
	enum jfrec_unit unit; /* JFREC_UNIT_NONE: of samples; _NS, _BYTES */
	uint64_t samples;
	int64_t value;	    /* in the unit; the number of samples without one */
	uint64_t stackless; /* samples without a stack trace, or whose trace was lost */
	uint64_t failed;    /* samples that the JVM could not take */
	uint64_t lost;	    /* samples that the JVM says it lost */
	uint64_t truncated; /* samples whose stack is deeper than was recorded */
	uint64_t other;	    /* samples of light stacks that are shown as "[other]" */
	/* The event type, "datadog.ExecutionSample", if it is another producer's; NULL. Static. */
	const char *from;
	/* Samples of other event types that tell of the same, and so are not part of it. */
	uint64_t left_out;
};

/* How many profiles were asked for. */
size_t jfrec_stacks_count(const struct jfrec_stacks *s);

/*
 * Whose profiler took part in what was read, "Datadog": it recorded what it was set to record.
 * NULL: the JDK's alone, async-profiler's, or another that is not known. Static.
 */
const char *jfrec_stacks_producer(const struct jfrec_stacks *s);

/*
 * Profile number i, in the order in which they were asked for, as far as it was read; NULL beyond
 * the last.  Valid until another one of that side is asked for.
 */
const struct jfrec_stack_profile *jfrec_stacks_get(struct jfrec_stacks *s, unsigned side, size_t i);

/*
 * Compare two recordings: side 0 is the later one, side 1 the earlier one, and both were read. What
 * is written from then on is the difference: a page shows both sides. 0, or -1 with *err set:
 * JFREC_EINVAL, JFREC_ENOMEM.
 */
int jfrec_stacks_difference(struct jfrec_stacks *s, struct jfrec_error *err);

struct jfrec_stacks_changes;

/* What weights are compared by. */
enum jfrec_stacks_measure {
	JFREC_STACKS_SHARES = 0,
	JFREC_STACKS_PER_SECOND = 1,	 /* of the recording, or of the part of it that was read */
	JFREC_STACKS_PER_CPU_SECOND = 2, /* of CPU time, by the profile cpu: ask for it, too */
};

/* The weight of a method in both. */
struct jfrec_stacks_change {
	const char *name; /* lives as long as the profiles */
	int64_t before_weight, after_weight;
	double before, after; /* of all of its profile; or per second, in the unit */
	bool is_certain;      /* chance alone makes such a difference in less than 1 % of methods */
};

/*
 * The methods of a profile, the largest change first: by their own weight or (by_total) including
 * the methods that they call.  Call it before jfrec_stacks_difference().  To be freed with
 * jfrec_stacks_changes_free(); NULL with *err set: JFREC_EINVAL if one of both has no CPU time to
 * compare by, JFREC_ENOMEM.
 */
struct jfrec_stacks_changes *jfrec_stacks_compare(struct jfrec_stacks *s, size_t i, bool by_total,
						  enum jfrec_stacks_measure by,
						  struct jfrec_error *err);

/* Free what jfrec_stacks_compare() returned. */
void jfrec_stacks_changes_free(struct jfrec_stacks_changes *c);

/* How many methods either recording has. */
size_t jfrec_stacks_changes_count(const struct jfrec_stacks_changes *c);

/* Change number i, the largest first; NULL beyond the last. */
const struct jfrec_stacks_change *jfrec_stacks_changes_get(const struct jfrec_stacks_changes *c,
							   size_t i);

/* How much of a profile is shown. */
struct jfrec_stack_text {
	size_t struct_size;
	unsigned width;		/* names are cut so that lines have no more columns; 0: no */
	unsigned methods, paths; /* lines of each part, at most */
};

/*
 * Print a profile as text: the methods with the largest weight of their own, and the heaviest paths
 * as an indented tree.  Prints nothing if it has no samples.  0, or -1 with *err set:
 * JFREC_EOUTPUT, JFREC_ENOMEM.
 */
int jfrec_stacks_print(struct jfrec_stacks *s, size_t i, const struct jfrec_stack_text *how,
		       jfrec_write_fn *write, void *ctx, struct jfrec_error *err);

/* A format that profiles are written in; static. */
struct jfrec_stacks_format {
	const char *name;     /* "collapsed" */
	const char *suffixes; /* of its files, separated by spaces: ".collapsed .folded" */
	bool has_several;     /* profiles in one file */
	bool is_experimental; /* its specification is not final: what is written may yet change */
};

/* How many formats jfrec_stacks_write() has. */
size_t jfrec_stacks_formats_count(void);

/* Format number i, in the order in which tools list them; NULL beyond the last. */
const struct jfrec_stacks_format *jfrec_stacks_formats_get(size_t i);

/* All profiles that have samples. */
#define JFREC_STACKS_ALL SIZE_MAX

/*
 * Write a profile, or JFREC_STACKS_ALL:
 *
 *	collapsed	a line for each stack, of one profile
 *	html		a page with flame graphs of all, for any browser
 *	svg		a picture of one
 *	pprof		profile.proto, compressed by gzip, of all
 *	json		the trees of all, as jfrec-stacks(5) describes
 *	firefox		a profile for the Firefox Profiler, of all; needs keeps_times
 *	perfetto	a trace for the Perfetto UI, of the profile cpu or wall; needs keeps_times
 *	otlp		profiles of OpenTelemetry, of all; the format is in development
 *
 * minimum: leave out what has less than this share of all, 0 to 1. 0, or -1 with *err set:
 * JFREC_EOUTPUT, JFREC_EINVAL, JFREC_ENOMEM.
 */
int jfrec_stacks_write(struct jfrec_stacks *s, size_t only, const char *format, double minimum,
		       jfrec_write_fn *write, void *ctx, struct jfrec_error *err);

JFREC_END_DECLS

#endif
