/* SPDX-License-Identifier: MIT */
/*
 * batch_join.h - add rows of one batch to others with the same columns
 *
 * Texts get the numbers that they have in the dictionaries there: each is looked for once, while
 * its rows go on being added to the same batch.
 */
#ifndef JFREC_TABLES_BATCH_JOIN_H
#define JFREC_TABLES_BATCH_JOIN_H

#include "tables/batch.h"

/* What number a text got, in the batch of a turn. */
struct joined_text {
	uint32_t turn, number;
};

struct joined_column {
	struct joined_text *texts;
	size_t room;
};

/* All zero at first. */
struct batch_join {
	const struct batch *from;
	struct joined_column *columns;
	size_t column_count;
	/* Where rows go, which gets them in this turn, from 1 on. */
	const struct batch *to;
	uint64_t group;
	uint32_t turn;
};

/* Go on with the rows of another batch, whose nulls were counted.  False: memory is gone. */
bool batch_join_from(struct batch_join *j, const struct batch *from);
void batch_join_fini(struct batch_join *j);

/* Add rows to this batch, which forgot all texts if it has rows of another group. */
void batch_join_to(struct batch_join *j, const struct batch *to, uint64_t group);

/*
 * Put a column of some rows that follow one another behind the rows of that batch, in which there
 * is room for them.  False: memory is gone.
 */
bool batch_join_add(struct batch_join *j, size_t from_column, bool is_text, struct batch *to,
		    size_t to_column, size_t first, size_t count);

#endif
