/* SPDX-License-Identifier: MIT */
/*
 * table_file.h - a Parquet file that gets the rows of one table
 */
#ifndef JFREC_PARQUET_TABLE_FILE_H
#define JFREC_PARQUET_TABLE_FILE_H

#include "parquet/parquet.h"
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

struct table_file {
	const struct table_shape *shape;
	size_t table;
	int64_t day;
	char *path; /* below the directory */
	struct filler filler;
	struct parquet parquet;
	size_t size; /* of the batch, as it is in export.memory */
	uint64_t counted; /* bytes that are in file_writer.bytes */
	struct jfrec_output *output; /* NULL: nothing was written yet */
};

/* NULL: memory is gone. The path is taken over, also then. */
struct table_file *table_file_new(const struct table_shape *shape, size_t table, char *path);
void table_file_free(struct table_file *f);

/* Are as many rows or texts there as a row group can have? */
bool table_file_is_full(const struct table_file *f);

/* What files are written by. */
struct file_writer {
	const char *directory;
	const struct jfrec_parquet_options *options;
	const struct jfrec_tables *tables;
	struct parquet_scratch scratch;
	struct made_directories made;
	uint64_t bytes; /* in all files */
};

/* Write the rows that are there.  0, or -1 with *err set. */
int table_file_flush(struct table_file *f, struct file_writer *w, struct jfrec_error *err);

/* The same and the footer: it is whole, but not on the disk yet. */
int table_file_end(struct table_file *f, struct file_writer *w, struct jfrec_error *err);

/* Put its path before the message about its output.  Returns -1. */
int table_file_fail(const struct table_file *f, struct jfrec_error *err);

#endif
