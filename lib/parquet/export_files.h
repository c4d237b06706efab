/* SPDX-License-Identifier: MIT */
/*
 * export_files.h - the files of an export, which grow side by side
 */
#ifndef JFREC_PARQUET_EXPORT_FILES_H
#define JFREC_PARQUET_EXPORT_FILES_H

#include "base/arena.h"
#include "base/digest.h"
#include "parquet/table_file.h"
#include "tables/rows.h"
#include "tables/tables.h"

struct export {
	struct file_writer writer;
	struct jfrec_tables *tables;
	struct jfrec_rows *rows; /* NULL: several threads work them out */
	struct made_directories made;
	struct labels labels;
	struct partition partition;
	struct arena arena;
	struct table_shape *shapes; /* by the table; .columns is NULL: not made yet */
	struct table_file **files;
	size_t count, room;
	struct table_file **last; /* of each table, the one that got the row before */
	struct digest_map places; /* of each path, 1 + the number of its file */
	size_t memory;
	uint64_t chunk;
	const char *recording; /* that the labels are of; in the arena */
	uint64_t row_count;
};

/* Make the shape of a table.  0, or -1 with *err set. */
int export_make_shape(struct export *e, size_t table, struct jfrec_error *err);

/* The shape of a table, which is made if need be.  NULL with *err set. */
static inline struct table_shape *export_shape(struct export *e, size_t table,
					       struct jfrec_error *err)
{
	struct table_shape *s = &e->shapes[table];

	return s->columns || export_make_shape(e, table, err) == 0 ? s : NULL;
}

/* Rows are of this recording from here on, and so are labels.  0, or -1 with *err set. */
int export_enter(struct export *e, const char *recording, struct jfrec_error *err);

/* The day by which the row of a start, or of none, is partitioned. */
int64_t export_day(const struct export *e, bool has_start, int64_t start_ns);

/* Did an event of these times end before those that are asked for? */
bool export_is_too_early(const struct export *e, bool has_start, int64_t start_ns,
			 bool has_duration, int64_t duration_ns);

/* The same where it is not that of the row before. */
struct table_file *export_other_file(struct export *e, size_t table, int64_t day,
				     struct jfrec_error *err);

/* The file that rows of the table and the day go to; NULL with *err set. */
static inline struct table_file *export_file(struct export *e, size_t table, int64_t day,
					     struct jfrec_error *err)
{
	struct table_file *last = e->last[table];

	return last && (!e->partition.list || last->day == day)
		       ? last
		       : export_other_file(e, table, day, err);
}

/*
 * Rows were settled in the batch of a file: write it, or another, if that is too large.  0, or -1
 * with *err set.
 */
int export_settled(struct export *e, struct table_file *f, struct jfrec_error *err);

/* All rows, by several threads: export_crew.c.  The same. */
int export_by_crew(struct export *e, struct jfrec_error *err);

/* Write what is left of all files, by as many threads, and end them: export_end.c.  The same. */
int export_end_files(struct export *e, unsigned jobs, struct jfrec_error *err);

#endif
