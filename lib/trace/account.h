/* SPDX-License-Identifier: MIT */
/*
 * account.h - how the time of a request adds up
 */
#ifndef JFREC_TRACE_ACCOUNT_H
#define JFREC_TRACE_ACCOUNT_H

#include "base/arena.h"
#include "trace/meanwhile.h"

/* Of many spans the longest are kept. */
#define SPANS_MAX 100
#define SPAN_DEPTH_MAX 32
#define TRACE_METHODS_MAX 10

/* Order moments and samples by request and time.  Samples of the lowest rank stay. */
void account_prepare(struct meanwhile *w);

/*
 * Work out the request at that place, which must come in ascending order: *moment, *sample and
 * *field are where those of the next one begin.  0, or -1 when memory is gone.
 */
struct account_place {
	size_t moment, sample, field;
};
int account(const struct meanwhile *w, const struct requests *q, size_t place,
	    struct account_place *next, struct arena *arena, struct jfrec_trace_request *to);

#endif
