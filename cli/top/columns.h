/* SPDX-License-Identifier: MIT */
/*
 * columns.h - the columns of the table of JVMs, and what it can be sorted by
 */
#ifndef JFREC_CLI_TOP_COLUMNS_H
#define JFREC_CLI_TOP_COLUMNS_H

#include "base/opt.h"
#include "top/verdicts.h"

/* A line of the table. */
struct row {
	const struct jfrec_load *load;
	const struct verdict *verdict; /* or NULL */
	size_t number;		       /* of the load */
};

/* Room for a cell; a longer text is cut. */
#define CELL_SIZE 160

struct column {
	const char *title;
	/* Write the cell; nothing: it is empty. The text may have any bytes. */
	void (*put)(const struct row *row, char cell[static CELL_SIZE]);
	bool is_right;	 /* aligned */
	bool is_text;	 /* takes what is left of the line */
	unsigned dropped; /* where the line is too short: the greatest first; 0: never */
};

extern const struct column columns[];
extern const size_t column_count;

/* Words of --sort, with their enum sorting. */
extern const struct opt_choice sortings[];

enum sorting {
	SORT_CPU = 0,
	SORT_MEMORY,
	SORT_HEAP,
	SORT_GC,
	SORT_THREADS,
	SORT_FINDING,
	SORT_NAME,
	SORT_PID,
};

const char *sorting_name(enum sorting s);

/* Sort: numbers from the greatest to the least, names and pids upwards. */
void rows_sort(struct row *rows, size_t count, enum sorting by);

/* "480M", "1.25G": in powers of 1024, short enough for a column. */
void put_bytes(char cell[static CELL_SIZE], double bytes);

/* What a JVM is called: its main class or jar. */
static inline const char *row_name(const struct row *row)
{
	return row->load->jvm->main;
}

#endif
