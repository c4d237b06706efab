/* SPDX-License-Identifier: MIT */
/*
 * batch.h - rows as columns: what Parquet files and Arrow arrays are made from
 *
 * A column is a word per row, and a bit that says whether there is a value. Texts are kept once:
 * the word of a text is its number in the column's dictionary. So a batch is as large as its rows,
 * and as the texts that differ, of which batch_size() is the sum.
 */
#ifndef JFREC_TABLES_BATCH_H
#define JFREC_TABLES_BATCH_H

#include "base/buffer.h"
#include "jfrec.h"

#define RECENT_TEXTS 16

/*
 * The texts of a column, each once; the bytes of text i are bytes[ends[i - 1]] to bytes[ends[i]].
 */
struct text_dictionary {
	uint64_t *slots; /* by hash: 32 bits of it, and number + 1; 0: empty */
	uint32_t mask;
	struct buffer bytes;
	size_t *ends;
	uint32_t count, room;
	uint32_t recent[RECENT_TEXTS]; /* short ones that came last: number + 1; 0: none */
};

struct batch_text {
	const char *s;
	size_t len;
};

static inline struct batch_text text_dictionary_get(const struct text_dictionary *d, uint64_t i)
{
	size_t from = i ? d->ends[i - 1] : 0;

	if (!d->bytes.len)
		return (struct batch_text){ "", 0 };
	return (struct batch_text){ (const char *)d->bytes.data + from, d->ends[i] - from };
}

struct batch_column {
	uint64_t *words;
	uint64_t *present; /* a bit per row, the lowest first, as Arrow has them */
	size_t nulls;
	struct text_dictionary texts;
};

struct batch {
	struct batch_column *columns;
	size_t column_count, rows, room;
	size_t most;	  /* rows that there will be, more or less */
	size_t touched;	  /* rows that there were since memory was given back */
	size_t text_size; /* of all dictionaries */
	bool out_of_memory;
};

/* For about `most` rows.  0, or -1 with *err set. */
int batch_init(struct batch *b, size_t column_count, size_t most, struct jfrec_error *err);
void batch_fini(struct batch *b);

/* Forget the rows and texts, and give their memory back. */
void batch_clear(struct batch *b);

/* The same, but keep the memory of the rows for as many again. */
void batch_restart(struct batch *b);

/* The same, but keep all of its memory, which batch_size() does not count then. */
void batch_empty(struct batch *b);

/* Make room for more rows.  False: memory is gone. */
bool batch_grow(struct batch *b);

/* Make room for another row, which has no values yet.  False: memory is gone. */
static inline bool batch_reserve_row(struct batch *b)
{
	return b->rows < b->room || batch_grow(b);
}

/* The row in which batch_set() put values is complete. */
static inline void batch_end_row(struct batch *b)
{
	b->rows++;
}

static inline bool batch_has(const struct batch_column *c, size_t row)
{
	return c->present[row / 64] >> (row & 63) & 1;
}

/* Make room for `count` more rows.  The same. */
static inline bool batch_reserve(struct batch *b, size_t count)
{
	while (b->room - b->rows < count) {
		if (!batch_grow(b))
			return false;
	}
	return true;
}

/* The value of a column in a row for which there is room; it stays null without one. */
static inline void batch_column_set(struct batch_column *c, size_t row, uint64_t word)
{
	c->words[row] = word;
	c->present[row / 64] |= UINT64_C(1) << (row & 63);
}

/* The same in the row that is being filled. */
static inline void batch_set(struct batch *b, size_t column, uint64_t word)
{
	batch_column_set(&b->columns[column], b->rows, word);
}

/* There are values in that many rows of a column. */
static inline void batch_column_fill(struct batch_column *c, size_t first, size_t count)
{
	for (size_t row = first, end = first + count, n; row < end; row += n) {
		size_t bit = row & 63;

		n = end - row < 64 - bit ? end - row : 64 - bit;
		c->present[row / 64] |= (~UINT64_C(0) >> (64 - n)) << bit;
	}
}

/* Count the nulls, once all rows are there. */
void batch_count_nulls(struct batch *b);

/* The number of a text in a column's dictionary; UINT32_MAX: memory is gone. */
uint32_t batch_text_number(struct batch *b, size_t column, const char *s, size_t len);

/* Bytes of memory that the batch takes: a page that was never written to takes none. */
static inline size_t batch_size(const struct batch *b)
{
	size_t rows = b->rows > b->touched ? b->rows : b->touched;

	return rows * b->column_count * sizeof(uint64_t) + b->text_size;
}

#endif
