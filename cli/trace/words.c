/* SPDX-License-Identifier: MIT */
/*
 * words.c - what the kinds of time are called
 */
#include "trace/words.h"

const char *kind_word(enum jfrec_trace_kind kind)
{
	static const char *const words[] = {
		[JFREC_TRACE_GC] = "gc",	   [JFREC_TRACE_SAFEPOINT] = "safepoint",
		[JFREC_TRACE_PINNED] = "pinned",   [JFREC_TRACE_LOCK] = "lock",
		[JFREC_TRACE_SOCKET] = "socket",   [JFREC_TRACE_FILE] = "file",
		[JFREC_TRACE_SLEEP] = "sleep",	   [JFREC_TRACE_WAIT] = "wait",
		[JFREC_TRACE_RUNNING] = "running", [JFREC_TRACE_SPAN] = "span",
	};

	return words[kind];
}
