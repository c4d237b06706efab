/* SPDX-License-Identifier: MIT */
/*
 * axis_page.h - the times below the strips of the page
 */
#ifndef JFREC_REPORT_AXIS_PAGE_H
#define JFREC_REPORT_AXIS_PAGE_H

#include "report/axis.h"
#include "report/html.h"

/* Where a time is, in per cent of the width. */
double axis_place(const struct timeline_axis *a, int64_t ns);

/* How far local time is ahead of UTC. */
int64_t axis_offset_ns(const struct jfrec_report *r, int64_t ns);

/* Marks with times, as a row of its own. */
void html_put_axis(struct html *h, const struct timeline_axis *a);

/* Which times the axis leaves out. */
void html_put_cuts(struct html *h, const struct timeline_axis *a);

#endif
