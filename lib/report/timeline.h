/* SPDX-License-Identifier: MIT */
/*
 * timeline.h - the values of a JVM over time, cut into the columns of a picture
 */
#ifndef JFREC_REPORT_TIMELINE_H
#define JFREC_REPORT_TIMELINE_H

#include "report/axis.h"

/* A line of a strip that has values. */
struct timeline_line {
	const struct strip_line *line;
	enum history_kind kind;
	const struct history *history;
	struct history_column *columns;
	double most, mean; /* of rates, per second */
	int64_t most_ns;
};

struct timeline_strip {
	const struct strip *strip; /* NULL: it has no values */
	struct timeline_line lines[2];
	unsigned line_count;
};

/* A strip of a JVM. 0, or -1 when memory is gone; to be given to timeline_strip_fini(). */
int timeline_strip_make(struct jfrec_report *r, size_t jvm, const struct timeline_axis *axis,
			const struct strip *strip, struct timeline_strip *to);
void timeline_strip_fini(struct timeline_strip *s);

/* What the recorder could not keep, by column. */
struct timeline_losses {
	bool is_gap[AXIS_COLUMNS];  /* nothing was recorded */
	bool has_lost[AXIS_COLUMNS]; /* the JVM says that events were lost */
	bool has_any_lost;
};

/* 0, or -1 when memory is gone. */
int timeline_losses(const struct jfrec_report *r, size_t jvm, const struct timeline_axis *axis,
		    struct timeline_losses *to);

#endif
