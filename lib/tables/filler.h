/* SPDX-License-Identifier: MIT */
/*
 * filler.h - put rows of a table into a batch
 */
#ifndef JFREC_TABLES_FILLER_H
#define JFREC_TABLES_FILLER_H

#include "base/idmap.h"
#include "jfrec/export.h"
#include "tables/batch.h"
#include "tables/values.h"

/* Where a column of the batch comes from. */
struct filler_source {
	size_t column; /* of the table */
	enum jfrec_kind kind;
	const struct jfrec_label *label; /* whose value it is instead; NULL: none */
};

/* In which row of the batch each constant was met last, by its entry in the pool. */
struct met_rows {
	uint32_t *low;	  /* of the first entries: the row + 1; 0: not met */
	uint32_t low_room;
	struct idmap map; /* the same of the others */
};

/*
 * Neighbouring columns that get their values from one constant, or a column alone. A constant that
 * was met before gives what it gave then, so its values are copied from that row.
 */
struct filler_group {
	size_t first, count;
	const struct value_getter *getter; /* of the first column; NULL: it is a label */
	struct met_rows met;
};

struct filler {
	const struct filler_source *sources; /* the caller's */
	struct batch batch;
	struct filler_group *groups; /* room for one per column */
	size_t group_count;
	/* Where the groups are right: in that chunk, for the type with these. */
	uint64_t chunk;
	const struct value_getters *getters;
};

/*
 * For batches of about `rows` rows at most.  0, or -1 with *err set; filler_fini() may follow in
 * any case.
 */
int filler_init(struct filler *f, const struct filler_source *sources, size_t count, size_t rows,
		struct jfrec_error *err);
void filler_fini(struct filler *f);

/* Add the row that `rows` is at.  False: memory is gone. */
bool filler_add(struct filler *f, struct jfrec_rows *rows);

/* Forget the rows. */
void filler_clear(struct filler *f);

/* The same, when as many will follow: see batch_restart(). */
void filler_restart(struct filler *f);

#endif
