/* SPDX-License-Identifier: MIT */
/*
 * metrics.h - compute metrics from the events of a JVM
 */
#ifndef JFREC_METRICS_METRICS_H
#define JFREC_METRICS_METRICS_H

#include "jfrec.h"
#include "metrics/family.h"

/* Into so many parts a window is divided, which leave it one after the other. */
#define RATE_SLOTS 60

/* A sum over the window. */
struct rate {
	int64_t latest; /* the number of the newest slot */
	double slots[RATE_SLOTS];
};

/* A number that was set or added up. */
struct series {
	enum family_id family;
	char *label; /* "" if there is none */
	double value;
};

/* Events of a type. */
struct event_count {
	char *name, *label;
	const struct rule *rules; /* NULL: it is only counted */
	uint64_t total;
	struct rate rate;
};

struct pause {
	int64_t end_ns, ns;
};

/* More than there are in a minute; of more the newest count for the quantiles. */
#define MAX_PAUSES 8192

/*
 * More types than JDKs and programs have; of more the events are counted together, so that no
 * program fills a monitoring system with names.  The same of the labels of a family.
 */
#define MAX_TYPES  500
#define MAX_SERIES 1000

struct jfrec_metrics {
	char *labels; /* before those of a sample; "" or with a comma at its end */
	int64_t window_ns, slot_ns;
	int64_t first_ns, last_ns; /* what is known lies in between; first_ns INT64_MAX: nothing */
	int64_t flushed_ns;	   /* INT64_MIN: never */
	struct series *series;	   /* by family and label */
	size_t series_count;
	struct series beyond; /* takes what has no place any more, and is not shown */
	struct event_count *events; /* by name */
	size_t event_count;
	struct event_count other; /* of all types beyond MAX_TYPES; .label NULL: there were none */
	struct pause *pauses; /* a ring */
	uint64_t pause_count; /* all there were */
	double pause_s;
	bool has_samples; /* of allocations: other events would count them twice */
	struct rate allocated;
};

/* The sum of the window that ends with m->last_ns. */
double rate_sum(const struct jfrec_metrics *m, const struct rate *r);

/* So much of the window is known; at least a second. */
double metrics_covered_s(const struct jfrec_metrics *m);

/*
 * The pauses of the window, shortest first, at most MAX_PAUSES, to be freed; NULL if there are
 * none (*count 0) or memory is gone (*count 1).
 */
double *metrics_pauses(const struct jfrec_metrics *m, size_t *count);

#endif
