/* SPDX-License-Identifier: MIT */
/*
 * text.h - the slowest requests as waterfalls
 */
#ifndef JFREC_CLI_TRACE_TEXT_H
#define JFREC_CLI_TRACE_TEXT_H

#include "opts/timearg.h"
#include "jfrec-tool.h"

/* Print them to standard output, with times in that zone. */
void trace_print(const struct jfrec_trace *t, struct zone *zone);

#endif
