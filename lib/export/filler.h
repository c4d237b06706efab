/* SPDX-License-Identifier: MIT */
/*
 * filler.h - put rows of a table into a batch
 */
#ifndef JFREC_EXPORT_FILLER_H
#define JFREC_EXPORT_FILLER_H

#include "base/idmap.h"
#include "export/batch.h"
#include "export/values.h"
#include "jfrec/export.h"

/* Where a column of the batch comes from. */
struct filler_source {
	size_t column; /* of the table */
	enum jfrec_table_kind kind;
	const struct jfrec_label *label; /* whose value it is instead; NULL: none */
};

/* The numbers of texts in a batch, by those that they have in the chunk. */
struct text_numbers {
	uint32_t *low;	  /* of the first ones: + 1; 0: none */
	uint32_t low_room;
	struct idmap map; /* of the others */
};

struct filler {
	const struct filler_source *sources; /* the caller's */
	struct batch batch;
	struct text_numbers *numbers; /* by the column */
	/* Where they are right: in that chunk, for the type with these. */
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
