/* SPDX-License-Identifier: MIT */
/* jfrec/export.h - the tables of a recording as files for other engines */
#ifndef JFREC_EXPORT_H
#define JFREC_EXPORT_H

#include "jfrec/tables.h"

JFREC_BEGIN_DECLS

/* What no recording knows, such as the service: a column of every table, or a partition. */
struct jfrec_label {
	const char *key, *value;
};

struct jfrec_parquet_options {
	size_t struct_size;
	bool force;	      /* replace files that exist */
	bool nanoseconds;     /* times in nanoseconds; not every engine reads these */
	unsigned mode;	      /* the permissions of the files; 0: 0600 */
	int level;	      /* of zstd; 0: 1, the fastest */
	/* Events that ended at the first or later, and began before the second; NULL: no limit. */
	const int64_t *from_ns, *to_ns;
	const struct jfrec_label *labels;
	size_t label_count;
	/*
	 * More labels, from the name of each recording's file, such as "{service}-{host}-*.jfr": a
	 * name in braces takes the shortest text that fits, and so does an asterisk. NULL: none.
	 */
	const char *name_pattern;
	/*
	 * "date,service": a directory for each table, in it one for each date (UTC) of the events'
	 * start, in these one for each value of the label. NULL: one file for each table.
	 */
	const char *partition;
	bool stack_frames; /* stack traces as lists of frames, not as texts: jfrec-tables(5) */
	/* How many files, and bytes in all of them, may be written; 0: no limit. */
	uint64_t max_files, max_bytes;
};

/* What was written. */
struct jfrec_exported {
	size_t files;
	uint64_t rows, bytes;
};

/*
 * Write the tables of a recording (jfrec/tables.h) that have rows into a directory, which is made
 * if it is not there, as Apache Parquet:
 *
 *	DIR/jdk.GCPhasePause.parquet
 *	DIR/jdk.GCPhasePause/date=2026-11-22/service=web/app.parquet    with partitions, of app.jfr
 *
 * Characters of names that file systems may not take are written as "%2F". Files get their names
 * when all of them are complete. The same recording gives the same bytes. Rows are in the order of
 * the recording; memory is bounded by about 100 MiB, what is needed for reading apart, and by about
 * 50 MiB for each thread that jfrec_reader_set_jobs() allows beyond the first.
 *
 * As jfrec_tables_new(), of which the rest holds, too. Returns the result, to be freed with
 * jfrec_free(), or NULL with *err set: JFREC_EINVAL for invalid options, JFREC_EOUTPUT for files,
 * whose text begins with the file; beyond max_files .sys is ERANGE, beyond max_bytes EOVERFLOW.
 */
struct jfrec_exported *jfrec_export_parquet(struct jfrec_reader *r, const char *directory,
					    const struct jfrec_parquet_options *options,
					    struct jfrec_error *err);

JFREC_END_DECLS

#endif
