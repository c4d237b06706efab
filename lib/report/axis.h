/* SPDX-License-Identifier: MIT */
/*
 * axis.h - the time axis that all strips of all JVMs share, in columns
 *
 * Where nothing was recorded for long, such as between yesterday's recording and today's, the axis
 * is cut: such a time gets a few columns only.
 *
 *	| part 0        |//| part 1   |//| part 2              |
 *	0                ^ AXIS_CUT columns                    columns
 */
#ifndef JFREC_REPORT_AXIS_H
#define JFREC_REPORT_AXIS_H

#include "report/report.h"

/* Columns of a picture: as many as a wide screen shows. */
#define AXIS_COLUMNS 1000

/* Columns of a time that is cut out. */
#define AXIS_CUT 10

#define AXIS_PARTS 16

struct axis_part {
	int64_t from_ns, to_ns;
	size_t first, count; /* columns */
};

struct timeline_axis {
	int64_t from_ns, to_ns;
	size_t columns;
	struct axis_part parts[AXIS_PARTS];
	unsigned part_count;
};

/* 0, or -1 when memory is gone. */
int axis_make(const struct jfrec_report *r, struct timeline_axis *a);

/* Where a time is, from 0 to a->columns; one that is cut out is where its cut begins. */
double axis_column(const struct timeline_axis *a, int64_t ns);

/* How long the parts are together. */
double axis_ns(const struct timeline_axis *a);

#endif
