/* SPDX-License-Identifier: MIT */
/*
 * table_file.h - a Parquet file that gets the rows of one table
 */
#ifndef JFREC_PARQUET_TABLE_FILE_H
#define JFREC_PARQUET_TABLE_FILE_H

#include <pthread.h>

#include "parquet/parquet.h"
#include "tables/batch_join.h"
#include "tables/filler.h"
#include "tables/places.h"

/* What the files of one table have in common. */
struct table_shape {
	const struct jfrec_table_info *info;
	struct parquet_column *columns; /* those of the table, then the labels */
	struct filler_source *sources;
	size_t count;
	int start, duration; /* the columns of the event's time, or -1 */
};

/*
 * Rows of a part (tables/row_crew.h) that wait for others as those in a filler do, so that the file
 * is what one thread writes.
 */
struct waiting_rows {
	struct batch_join *join; /* from the part's batch of the table */
	size_t first, held; /* rows there that are not in the file's batch yet */
	unsigned count;	    /* with those that are already */
	/* Of what they are rows: another one, another block. */
	uint64_t chunk;
	const void *type;
	unsigned block_rows;
	size_t settled; /* batch_size() when none waited */
	bool is_used;
};

struct table_file {
	const struct table_shape *shape;
	size_t table;
	int64_t day;
	char *path; /* below the directory */
	struct filler filler;
	struct parquet parquet;
	size_t size; /* of the batch, as it is in export.memory */
	uint64_t written; /* bytes, but for the footer */
	uint64_t counted; /* of them, those that are in file_writer.bytes */
	struct waiting_rows waiting;
	struct jfrec_output *output; /* NULL: nothing was written yet */
};

/* NULL: memory is gone. The path is taken over, also then. */
struct table_file *table_file_new(const struct table_shape *shape, size_t table, char *path);
void table_file_free(struct table_file *f);

/* Are as many rows or texts there as a row group can have? */
bool table_file_is_full(const struct table_file *f);

/* Bytes of memory that its rows take, but for those that wait. */
static inline size_t table_file_size(const struct table_file *f)
{
	return f->waiting.is_used ? f->waiting.settled : batch_size(&f->filler.batch);
}

/* Put the rows that are held into the batch; they still wait.  False: memory is gone. */
bool table_file_let_go(struct table_file *f);

/* The same, and none waits any longer. */
bool table_file_settle(struct table_file *f);

/* What files are written by. */
struct file_writer {
	const char *directory;
	const struct jfrec_parquet_options *options;
	const struct jfrec_tables *tables;
	struct parquet_scratch scratch;
	struct made_directories *made;
	uint64_t bytes; /* in all files */
	pthread_mutex_t *opening; /* held while a file is opened; NULL: there is one thread */
};

/* Write the rows that are there.  0, or -1 with *err set. */
int table_file_flush(struct table_file *f, struct file_writer *w, struct jfrec_error *err);

/*
 * Add what was written to the bytes of all files.  0, or -1 with *err set: they are more than there
 * may be.
 */
int table_file_count(struct table_file *f, struct file_writer *w, struct jfrec_error *err);

/* Write the rows that are there and the footer: it is whole, but not on the disk yet. */
int table_file_end(struct table_file *f, struct file_writer *w, struct jfrec_error *err);

/* Put its path before the message about its output.  Returns -1. */
int table_file_fail(const struct table_file *f, struct jfrec_error *err);

#endif
