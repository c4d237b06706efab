/* SPDX-License-Identifier: MIT */
/*
 * filler.h - put rows of a table into a batch
 *
 * Rows wait until there is a block of them, which then goes column by column: what is to be done
 * for a column is looked at once for all of its rows.  While they wait they are slots (values.h),
 * which point into the chunk; so no row waits when the chunk is left.
 */
#ifndef JFREC_TABLES_FILLER_H
#define JFREC_TABLES_FILLER_H

#include "base/idmap.h"
#include "jfrec/export.h"
#include "tables/batch.h"
#include "tables/values.h"

/* Rows of a block, at most. */
#define FILLER_BLOCK_ROWS 64u

/* Events that are longer do not wait, so that what a block adds to the batch is little. */
#define FILLER_EVENT_MOST 4096u

static inline bool filler_is_long(const struct values *v)
{
	return v->event_size > FILLER_EVENT_MOST;
}

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
	/* Rows that wait: `steps` words for each. */
	uint64_t *slots;
	size_t slot_room;
	unsigned steps, waiting, block_rows;
	struct values *values; /* that they wait with; NULL: not in their list */
	struct filler *next;
};

/*
 * For batches of about `rows` rows at most.  0, or -1 with *err set; filler_fini() may follow in
 * any case.
 */
int filler_init(struct filler *f, const struct filler_source *sources, size_t count, size_t rows,
		struct jfrec_error *err);
void filler_fini(struct filler *f);

/*
 * Add the row whose event was decoded last, which then no longer is the one at hand.  False: memory
 * is gone.
 */
bool filler_add(struct filler *f, struct values *values, const struct value_getters *getters);

/* Put the rows that wait into the batch.  The same. */
bool filler_settle(struct filler *f);

/* Settle all that hold rows of the chunk; or forget these rows.  The same. */
bool fillers_settle(struct values *v);
void fillers_forget(struct values *v);

/* All rows, those that wait included. */
static inline size_t filler_rows(const struct filler *f)
{
	return f->batch.rows + f->waiting;
}

/* Give the rows away, none of which waits, and begin with none.  The same. */
bool filler_give(struct filler *f, struct batch *b);

/* Forget the rows. */
void filler_clear(struct filler *f);

/* The same, when as many will follow: see batch_restart(). */
void filler_restart(struct filler *f);

#endif
