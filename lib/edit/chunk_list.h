/* SPDX-License-Identifier: MIT */
/*
 * chunk_list.h - list the chunks of several recordings in order of time
 */
#ifndef JFREC_EDIT_CHUNK_LIST_H
#define JFREC_EDIT_CHUNK_LIST_H

#include "read/chunk_source.h"

/* A chunk of one of the inputs. */
struct piece {
	struct extent extent;
	size_t path;	/* of the recording's */
	uint32_t order; /* in which it was found */
	uint32_t jvm;	/* jvm.h */
};

struct pieces {
	struct piece *items;
	size_t count, room;
};

static inline int64_t piece_end_ns(const struct piece *p)
{
	return long_add(p->extent.header.start_ns, p->extent.header.duration_ns);
}

/*
 * Find all chunks of the inputs.  Those that hold nothing yet are left
 * out.  0, or -1 with *err set.
 */
int pieces_find(struct pieces *p, struct chunk_source *s, struct jfrec_error *err);

/* Sort them by their start.  All below wants that. */
void pieces_sort(struct pieces *p);

/*
 * Leave out chunks that are there twice: with the same start and the same bytes,
 * or as an earlier state of one that grew.  Returns how many, or -1 with *err
 * set.
 */
int64_t pieces_drop_duplicates(struct pieces *p, struct chunk_source *s, struct jfrec_error *err);

/* Leave out the oldest ones, as the options say.  Returns how many. */
size_t pieces_drop_oldest(struct pieces *p, const struct jfrec_merge_options *options);

void pieces_fini(struct pieces *p);

#endif
