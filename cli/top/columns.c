/* SPDX-License-Identifier: MIT */
/*
 * columns.c - the columns of the table of JVMs, and what it can be sorted by
 */
#include "top/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Digits of a container's id that are shown, as docker does. */
#define SHORT_ID 12

void put_bytes(char cell[static CELL_SIZE], double bytes)
{
	static const char units[] = "BKMGTP";
	size_t unit = 0;

	while (bytes >= 999.5 && units[unit + 1]) {
		bytes /= 1024;
		unit++;
	}
	snprintf(cell, CELL_SIZE, "%.*f%c", unit > 2 && bytes < 9.995 ? 2 : bytes < 99.95 && unit > 2,
		 bytes, units[unit]);
}

/* "0.4", "12.5", "153": of a hundred. */
static void put_percent(char *cell, double share)
{
	double percent = 100 * share;

	if (share >= 0)
		snprintf(cell, CELL_SIZE, "%.*f", percent < 99.95, percent);
}

/* Cells ---------------------------------------------------------------------------------------- */

static void put_pid(const struct row *row, char cell[static CELL_SIZE])
{
	snprintf(cell, CELL_SIZE, "%d", row->load->jvm->pid);
}

static void put_user(const struct row *row, char cell[static CELL_SIZE])
{
	if (row->load->jvm->user)
		snprintf(cell, CELL_SIZE, "%.16s", row->load->jvm->user);
	else
		snprintf(cell, CELL_SIZE, "%" PRIu32, row->load->jvm->uid);
}

static void put_container(const struct row *row, char cell[static CELL_SIZE])
{
	if (row->load->jvm->container)
		snprintf(cell, CELL_SIZE, "%.*s", SHORT_ID, row->load->jvm->container);
}

static void put_java(const struct row *row, char cell[static CELL_SIZE])
{
	if (row->load->jvm->jdk)
		snprintf(cell, CELL_SIZE, "%d", row->load->jvm->jdk);
}

static void put_state(const struct row *row, char cell[static CELL_SIZE])
{
	static const char *const words[] = { "", "stopped", "frozen" };

	snprintf(cell, CELL_SIZE, "%s", words[row->load->state]);
}

static void put_cpu(const struct row *row, char cell[static CELL_SIZE])
{
	put_percent(cell, row->load->cpus);
}

static void put_throttled(const struct row *row, char cell[static CELL_SIZE])
{
	put_percent(cell, row->load->throttled);
}

static void put_rss(const struct row *row, char cell[static CELL_SIZE])
{
	put_bytes(cell, (double)row->load->resident_bytes);
}

static void put_limit(const struct row *row, char cell[static CELL_SIZE])
{
	if (row->load->memory_limit != UINT64_MAX)
		put_bytes(cell, (double)row->load->memory_limit);
}

static void put_heap(const struct row *row, char cell[static CELL_SIZE])
{
	if (row->load->heap_used >= 0)
		put_bytes(cell, row->load->heap_used);
}

static void put_committed(const struct row *row, char cell[static CELL_SIZE])
{
	if (row->load->heap_committed >= 0)
		put_bytes(cell, row->load->heap_committed);
}

static void put_gc(const struct row *row, char cell[static CELL_SIZE])
{
	put_percent(cell, row->load->gc_share);
}

static void put_gc_rate(const struct row *row, char cell[static CELL_SIZE])
{
	if (row->load->gc_rate >= 0)
		snprintf(cell, CELL_SIZE, "%.1f", row->load->gc_rate);
}

static void put_threads(const struct row *row, char cell[static CELL_SIZE])
{
	snprintf(cell, CELL_SIZE, "%" PRIu64, row->load->threads);
}

static void put_recording(const struct row *row, char cell[static CELL_SIZE])
{
	static const char *const words[] = { "", "yes", "no" };

	snprintf(cell, CELL_SIZE, "%s", words[row->load->recording]);
}

static void put_main(const struct row *row, char cell[static CELL_SIZE])
{
	snprintf(cell, CELL_SIZE, "%s", row_name(row));
}

static void put_finding(const struct row *row, char cell[static CELL_SIZE])
{
	const struct verdict *v = row->verdict;

	if (v && !v->error && *v->rule)
		snprintf(cell, CELL_SIZE, "%s%s", v->rule,
			 v->severity == JFREC_SEVERITY_INFO ? " (info)" : "");
	else if (v && !v->error)
		snprintf(cell, CELL_SIZE, "%s", v->severity == JFREC_SEVERITY_OK ? "ok" : "");
}

const struct column columns[] = {
	{ "PID", put_pid, true, false, 0 },
	{ "USER", put_user, false, false, 10 },
	{ "CONTAINER", put_container, false, false, 11 },
	{ "JAVA", put_java, true, false, 9 },
	{ "STATE", put_state, false, false, 0 },
	{ "CPU%", put_cpu, true, false, 0 },
	{ "THROT%", put_throttled, true, false, 3 },
	{ "RSS", put_rss, true, false, 0 },
	{ "LIMIT", put_limit, true, false, 4 },
	{ "HEAP", put_heap, true, false, 1 },
	{ "COMMIT", put_committed, true, false, 6 },
	{ "GC%", put_gc, true, false, 1 },
	{ "GC/s", put_gc_rate, true, false, 8 },
	{ "THREADS", put_threads, true, false, 5 },
	{ "REC", put_recording, false, false, 7 },
	{ "MAIN", put_main, false, true, 0 },
	{ "FINDING", put_finding, false, true, 0 },
};

const size_t column_count = sizeof(columns) / sizeof(*columns);

/* Sorting -------------------------------------------------------------------------------------- */

const struct opt_choice sortings[] = {
	{ "cpu", SORT_CPU },	     { "memory", SORT_MEMORY },	  { "heap", SORT_HEAP },
	{ "gc", SORT_GC },	     { "threads", SORT_THREADS }, { "finding", SORT_FINDING },
	{ "name", SORT_NAME },	     { "pid", SORT_PID },	  { 0 },
};

const char *sorting_name(enum sorting s)
{
	for (const struct opt_choice *c = sortings; c->name; c++) {
		if (c->value == s)
			return c->name;
	}
	return "";
}

static double number_of(const struct row *row, enum sorting by)
{
	const struct jfrec_load *l = row->load;

	switch (by) {
	case SORT_CPU:
		return l->cpus;
	case SORT_MEMORY:
		return (double)l->resident_bytes;
	case SORT_HEAP:
		return l->heap_used;
	case SORT_GC:
		return l->gc_share;
	case SORT_THREADS:
		return (double)l->threads;
	case SORT_FINDING:
		return row->verdict ? (double)row->verdict->severity : -1;
	default:
		return 0;
	}
}

static int compare(const void *a, const void *b, void *by)
{
	const struct row *x = a, *y = b;
	enum sorting s = *(enum sorting *)by;
	double of_x = number_of(x, s), of_y = number_of(y, s);
	int names = s == SORT_NAME ? strcmp(row_name(x), row_name(y)) : 0;

	if (of_x != of_y)
		return of_x > of_y ? -1 : 1;
	if (names)
		return names;
	return (x->load->jvm->pid > y->load->jvm->pid) - (x->load->jvm->pid < y->load->jvm->pid);
}

void rows_sort(struct row *rows, size_t count, enum sorting by)
{
	if (count)
		qsort_r(rows, count, sizeof(*rows), compare, &by);
}
