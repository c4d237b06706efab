/* SPDX-License-Identifier: MIT */
/*
 * exercise.h - all that a caller can do with a recording
 *
 * Shared by the fuzz targets and by tests/fuzz/mutate.c.  Each function opens
 * the recording, does one thing to its end and closes it; none looks at what
 * comes out, except that it is the same where it must be.
 */
#ifndef JFREC_EXERCISE_H
#define JFREC_EXERCISE_H

#include <stddef.h>
#include <stdint.h>

/* Make these bytes the file behind exercise_path(); the one before is gone. */
void exercise_bytes(const void *bytes, size_t len);
const char *exercise_path(void);

/* Read every event, every value in it and every type, by the reader's functions. */
void exercise_values(void);

/*
 * Print in one format.  Twice, once with hardly any memory for the texts of
 * constants: aborts if that changes the output.
 */
void exercise_text(void);
void exercise_exact(void);
void exercise_json(void);
void exercise_xml(void);
void exercise_ndjson(void);
void exercise_table(void);

/* The same with other orders, spans of time and limits. */
void exercise_choice(void);

/*
 * Count the events for which expressions hold, and those for which they do not:
 * aborts if these are not all.  A file that begins with text and a NUL is a
 * recording behind that, and the text its expression.
 */
void exercise_where(void);

/*
 * Read it as if its first bytes were lost, with its own types and clock as those of another one:
 * aborts if nothing is told of the loss.
 */
void exercise_lent(void);

/* Print the types, list them, and count events in both ways. */
void exercise_metadata(void);
void exercise_types(void);
void exercise_places(void);
void exercise_summary(void);

/* All views, the events of all types, and a query with what no view has; as text and by cells. */
void exercise_view(void);

/*
 * Repair it, and read what was written: aborts if that does not have the same
 * events.
 */
void exercise_repair(void);

/*
 * Write its tables as Parquet, in one directory and by partitions, and hand them out as Arrow:
 * aborts if these have not the same rows.
 */
void exercise_export(void);

/*
 * Ask SQL for all of each table, and write a database: aborts if that has other rows.  Does
 * nothing in a build without SQLite.
 */
void exercise_sql(void);

/* Write some of its events: aborts if they are not those that are printed. */
void exercise_filter(void);

/* The same by merging, packed and not. */
void exercise_merge(void);

/* Read the file as rules of `scrub`. */
void exercise_rules(void);

/*
 * Write it without secrets, by all sets of rules: aborts if there are other
 * events then.
 */
void exercise_scrub(void);

/* What its events take, and what changes would save: aborts if that is more than there is. */
void exercise_cost(void);

/* Read the file as defaults of the tool: aborts if a value has no place. */
void exercise_config(void);

/* Make metrics of its events. */
void exercise_metrics(void);

/*
 * Add up its stacks, as jfrec and as jfrconv do: aborts if the lines are not all of them.
 */
void exercise_stacks(void);

/* Judge it by all rules: aborts if a finding is not complete. */
void exercise_analyze(void);

/* Write it as a page and as a document. */
void exercise_report(void);

/*
 * Follow it as a chunk that grows, flush by flush.  Where it is cut its last 16 bytes say, two for
 * each flush.
 */
void exercise_stream(void);

#endif
