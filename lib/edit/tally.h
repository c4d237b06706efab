/* SPDX-License-Identifier: MIT */
/*
 * tally.h - count the events kept and dropped, by type
 */
#ifndef JFREC_EDIT_TALLY_H
#define JFREC_EDIT_TALLY_H

#include "base/digest.h"
#include "format/metadata.h"
#include "jfrec.h"

/* All zero at first.  Types of one name are one row, whatever their ids. */
struct tally {
	struct jfrec_edit_row *rows;
	size_t count, room;
	struct digest_map by_name; /* index + 1 */
};

/*
 * The rows of the types of a chunk, by the index of the type; to be freed.  NULL
 * when memory is gone.
 */
uint32_t *tally_rows(struct tally *t, const struct metadata *m);

/* Add the counts of the other one.  0, or -1 when memory is gone. */
int tally_add(struct tally *t, const struct tally *other);

/* Leave out rows without events, and sort the rest by name. */
void tally_finish(struct tally *t);

void tally_fini(struct tally *t);

#endif
