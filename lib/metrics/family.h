/* SPDX-License-Identifier: MIT */
/*
 * family.h - the table of metrics, and the events they are computed from
 */
#ifndef JFREC_METRICS_FAMILY_H
#define JFREC_METRICS_FAMILY_H

/* In the order in which they are printed. */
enum family_id {
	CPU_LOAD,
	MACHINE_CPU_LOAD,
	HEAP_USED,
	HEAP_COMMITTED,
	HEAP_RESERVED,
	METASPACE_USED,
	METASPACE_COMMITTED,
	DIRECT_BUFFERS,
	RESIDENT,
	MACHINE_MEMORY_USED,
	MACHINE_MEMORY,
	GC_PAUSE,
	GC_COLLECTIONS,
	ALLOCATED,
	ALLOCATION_RATE,
	THREADS,
	THREADS_STARTED,
	CLASSES_LOADED,
	CLASSES_UNLOADED,
	EXCEPTIONS,
	WAITED,
	DATA_LOST,
	EVENTS,
	EVENT_RATE,
	LAST_FLUSH,
	FAMILY_COUNT,
};

struct family {
	const char *name; /* without the ending that samples of its kind have */
	enum { GAUGE, COUNTER, SUMMARY } kind;
	const char *unit; /* with which the name ends, as OpenMetrics wants it; NULL: none */
	const char *help;
};

extern const struct family families[FAMILY_COUNT];

/* One number of an event.  There may be several for an event type: they stand together. */
struct rule {
	const char *event;
	enum family_id family;
	enum { SET, ADD } how;
	const char *field; /* NULL: 1 */
	const char *label; /* `mode="user"`, or, with a field for it, its name; NULL: none */
	const char *label_field;
};

/* The first rule of an event type, or NULL; the next one is another type's, or after the last. */
const struct rule *rules_of(const char *event);

#endif
