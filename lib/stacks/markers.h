/* SPDX-License-Identifier: MIT */
/*
 * markers.h - what lasts a while (collections, locks) and what is measured, over time
 *
 * For formats that show time lines. Of one chunk each is gathered for itself.
 */
#ifndef JFREC_STACKS_MARKERS_H
#define JFREC_STACKS_MARKERS_H

#include "stacks/traces.h"

/* An event with a duration. */
struct marker {
	int64_t start_ns, end_ns; /* since 1970 */
	uint32_t label;		  /* of the type: number of a name */
	uint32_t detail;	  /* number of a name, or NAME_NONE */
	uint32_t thread;	  /* number of a frame, or FRAME_NONE */
};

enum reading_kind {
	READING_CPU,  /* of the JVM, as a share of the whole machine */
	READING_HEAP, /* bytes in use */
};
#define READING_KINDS 2

struct reading {
	int64_t time_ns;
	double value;
	enum reading_kind kind;
};

struct marker_list {
	struct marker *markers;
	size_t marker_count, marker_room;
	struct reading *readings;
	size_t reading_count, reading_room;
	uint64_t left_out; /* markers that went, since there were too many */
};

void marker_list_fini(struct marker_list *l);

/*
 * Append a chunk's. Of more than some 100,000 markers the longest stay, so memory is bounded. 0, or
 * -1 when memory is gone.
 */
int marker_list_add(struct marker_list *to, const struct marker_list *from);

/* Where the fields of a type of events are. */
struct marker_type;

struct marking {
	struct traces *traces;
	struct marker_type *types; /* by the index of the type; NULL: nothing is marked */
	struct marker_list list;
};

/* Begin with the chunk of the traces. 0, or -1 when memory is gone. */
int marking_init(struct marking *m, struct traces *traces);
void marking_fini(struct marking *m);

/* Are events of that type looked at? */
bool marking_needs(const struct marking *m, const struct jfrec_type *t);

/* Take such an event, decoded. 0, or -1 when memory is gone. */
int marking_add(struct marking *m, const struct jfrec_type *t, const uint64_t *slots);

#endif
