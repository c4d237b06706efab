/* SPDX-License-Identifier: MIT */
/*
 * trace.h - report each step to the caller, for -v
 */
#ifndef JFREC_ATTACH_TRACE_H
#define JFREC_ATTACH_TRACE_H

#include "jfrec.h"

/* The longest step that is reported. */
#define TRACE_MAX 384

struct trace {
	jfrec_trace_fn *fn; /* NULL: no trace is wanted */
	void *ctx;
};

void trace_step(const struct trace *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
