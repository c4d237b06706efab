/* SPDX-License-Identifier: MIT */
/* jfrec/metrics.h - metrics made from events */
#ifndef JFREC_METRICS_H
#define JFREC_METRICS_H

#include "jfrec/event.h"

JFREC_BEGIN_DECLS

/*
 * What the events of a JVM say about it in numbers, for monitoring: processor load, heap, pauses,
 * allocation, threads, and how many events there are of each type.  They are those that
 * jfrec-stream(1) lists; what is not recorded is left out.
 */
struct jfrec_metrics;

/*
 * window_ns: rates and quantiles cover this time up to the last event or flush.
 * source, name: the labels of every sample that identify the JVM, in UTF-8; NULL: none.  Both
 * are copied.  Returns them, to be freed with jfrec_metrics_free(), or NULL with *err set
 * (JFREC_ENOMEM).
 */
struct jfrec_metrics *jfrec_metrics_new(const char *source, const char *name, int64_t window_ns,
					struct jfrec_error *err);

/* Free the metrics of this JVM. */
void jfrec_metrics_free(struct jfrec_metrics *m);

/* Take an event, in any order.  0, or -1 with *err set (JFREC_ENOMEM). */
int jfrec_metrics_event(struct jfrec_metrics *m, const struct jfrec_event *ev,
			struct jfrec_error *err);

/* All events up to that time (ns since 1970) have been taken: JFREC_STREAM_FLUSH. */
void jfrec_metrics_flush(struct jfrec_metrics *m, int64_t ns);

/*
 * Print those of some JVMs as one document: OpenMetrics text 1.0.  0, or -1 with *err set
 * (JFREC_EOUTPUT, JFREC_ENOMEM).
 */
int jfrec_metrics_print(const struct jfrec_metrics *const *metrics, size_t count,
			jfrec_write_fn *write, void *ctx, struct jfrec_error *err);

JFREC_END_DECLS

#endif
