/* SPDX-License-Identifier: MIT */
/*
 * lttng_events.h - the events of lttng.c and threads.c, as LTTng-UST declares them: included
 * several times
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./lttng_events.h"
#if !defined(LTTNG_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_EVENTS_H
#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(bench, instant, LTTNG_UST_TP_ARGS(long, number, int, other),
			   LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(long, number, number)
						       lttng_ust_field_integer(int, other, other)))
LTTNG_UST_TRACEPOINT_EVENT(bench, named, LTTNG_UST_TP_ARGS(const char *, text, long, number),
			   LTTNG_UST_TP_FIELDS(lttng_ust_field_string(text, text)
						       lttng_ust_field_integer(long, number, number)))
#endif
#include <lttng/tracepoint-event.h>
