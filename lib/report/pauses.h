/* SPDX-License-Identifier: MIT */
/*
 * pauses.h - how long collections stop the application: a histogram
 */
#ifndef JFREC_REPORT_PAUSES_H
#define JFREC_REPORT_PAUSES_H

#include "report/report.h"

#define PAUSE_CLASSES 14

struct pause_histogram {
	uint64_t count[PAUSE_CLASSES], all;
	int64_t total_ns[PAUSE_CLASSES];
};

/* The longest pause of a class; INT64_MAX of the last one. */
int64_t pause_bound_ns(size_t class);

/* The pauses of a JVM; where they are not recorded, the longest of each collection. */
struct pause_histogram pauses_of(const struct jfrec_report *r, size_t jvm);

#endif
