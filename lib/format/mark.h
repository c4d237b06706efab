/* SPDX-License-Identifier: MIT */
/*
 * mark.h - mark the constants that the remaining events use
 *
 * From the keys in events to constants, from these to others, to the end: a
 * class loader, a package, the group of a group of threads.
 */
#ifndef JFREC_FORMAT_MARK_H
#define JFREC_FORMAT_MARK_H

#include "format/chunk.h"

/* A field of an event that refers to constants. */
struct mark_step {
	uint16_t step;
	uint8_t wire;		       /* WIRE_KEY, WIRE_STRING or WIRE_ARRAY */
	const struct jfrec_type *type; /* of the constants, for WIRE_KEY */
	uint64_t last;		       /* the key of the event before: often the same */
};

struct mark_plan {
	struct mark_step *steps;
	unsigned count;
	bool made;
	bool used; /* since the marks were cleared: it is in marks.used */
};

/* What lies in the bytes of an event, as far as references matter: up to them, and they. */
struct scan_step {
	/* First this many varints, and then bytes, that are not references. */
	uint16_t varints, bytes;
	/* Then so many keys, a string, or an array. */
	uint16_t keys;
	bool is_string, is_array;
	const struct step *at; /* of the plan: the first of those */
	/* The bytes of the keys of the event before, as a little-endian number of that size. */
	uint64_t last, mask;
	unsigned size;
};

struct scan_plan {
	struct scan_step *steps, *end;
};

struct mark_place {
	uint32_t type, entry;
};

/* A key that is to be marked. */
struct mark_key {
	const struct jfrec_type *type;
	uint64_t key;
};

#define MARKS_WAITING 8

struct marks {
	struct chunk *chunk;
	uint64_t **bits;		 /* by the index of the type, then a bit for each entry */
	struct mark_plan *plans;	 /* of events, by the index of the type */
	struct scan_plan *scans;	 /* the same */
	const struct jfrec_type *string; /* java.lang.String, or NULL */
	/* Indexes of types that have bits, and of events seen: a chunk may declare 150,000. */
	uint32_t *marked, *used;
	uint32_t marked_count, used_count;
	/* The last few keys, in a ring: their places in memory are on the way. */
	struct mark_key waiting[MARKS_WAITING];
	unsigned waiting_at;
	struct mark_place *todo;
	size_t todo_count, todo_room;
	const uint8_t *scan_end;
	bool failed; /* memory is gone */
};

/* 0, or -1 when memory is gone. */
int marks_init(struct marks *m, struct chunk *c);
void marks_fini(struct marks *m);

/* Begin anew: nothing is marked. */
void marks_clear(struct marks *m);

/* Mark all types of stack frames: async-profiler's reader asks which a recording knows. */
void marks_frame_types(struct marks *m);

/* Mark what the event, whose values are in `slots` and whose bytes end at `end`, refers to. */
void marks_event(struct marks *m, const struct jfrec_type *t, const uint64_t *slots,
		 const uint8_t *end);

/*
 * The same for an event that is not decoded yet.  False if that does not work:
 * then it has to be decoded, and perhaps cannot be.  Afterwards scan_end is
 * where its last field ends.
 */
bool marks_scan(struct marks *m, const struct jfrec_type *t, const struct raw_event *e);

/* Mark what a value refers to. */
void marks_value(struct marks *m, const struct plan *plan, struct cursor *c);

/* Take a marked constant whose own references are not followed yet.  False if there is none. */
bool marks_next(struct marks *m, struct mark_place *place);

static inline bool marks_has(const struct marks *m, uint32_t type, uint32_t entry)
{
	return m->bits[type] && m->bits[type][entry / 64] >> entry % 64 & 1;
}

#endif
