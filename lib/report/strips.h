/* SPDX-License-Identifier: MIT */
/*
 * strips.h - the values of the timeline: which events they come from
 */
#ifndef JFREC_REPORT_STRIPS_H
#define JFREC_REPORT_STRIPS_H

#include "analyze/engine.h"
#include "report/heat.h"
#include "report/history.h"

enum line_id {
	LINE_CPU_JVM,
	LINE_CPU_MACHINE,
	LINE_THROTTLED,
	LINE_HEAP_USED,
	LINE_HEAP_COMMITTED,
	LINE_PAUSE,
	LINE_PAUSE_OF_GC, /* where phases are not recorded */
	LINE_THREADS,
	LINE_ALLOCATED,
	LINE_ALLOCATED_IN_TLABS,
	LINE_ALLOCATED_BY_THREADS,
	LINE_EXCEPTIONS,
	LINE_EXCEPTIONS_SEEN,
	LINE_READ,
	LINE_WRITTEN,
	LINE_LOCK_WAIT,
	LINE_CLASSES,
	LINE_SAFEPOINT,
	LINE_LOST, /* bytes; no strip, but a mark in all */
	LINE_COUNT,
};

/* What a JVM's events are gathered into: the state of a watch (analyze/engine.h). */
struct lines {
	struct history of[LINE_COUNT];
	struct heat heat;
	int64_t safepoint_id, safepoint_ns;
	int64_t *allocated; /* by thread: how much, when it was asked last */
	uint32_t thread_room;
	struct first_samples firsts; /* allocation samples, until lines_finish() */
	uint32_t program; /* text: the arguments that began with the main class; 0 */
	int64_t memory, memory_limit; /* of the machine, of the container; 0: not known */
	unsigned part; /* of the queries and the profiles (report.c), counted from 1; 0: none */
	uint64_t out_of_range; /* events that lie far from their chunk */
};

extern const struct watch lines_watch;

/* When all was read, once: add what had to wait until then. */
void lines_finish(struct lines *l);

/* A line of a strip, and those that stand in for it where it has no values. */
struct strip_line {
	const char *name; /* "machine"; "" where there is only one */
	enum line_id from[3];
	unsigned from_count;
};

struct strip {
	const char *id, *title;
	const char *event; /* without which there is nothing to draw */
	enum history_kind kind;
	enum jfrec_unit unit;
	bool is_log;	 /* what is long and what is short are both to be seen */
	bool is_share;   /* of all, so that the scale ends at 1 if nothing is above */
	struct strip_line lines[2];
	unsigned line_count;
};

#define MAX_STRIPS 16

extern const struct strip strips[];
extern const size_t strip_count;

/* The history that the line is drawn from: the first that has values. NULL: none has. */
struct history *strip_history(struct lines *l, const struct strip_line *line, enum line_id *id);

/* Of a line that stands in, its own kind; else that of the strip. */
enum history_kind strip_kind(const struct strip *s, enum line_id id);

#endif
