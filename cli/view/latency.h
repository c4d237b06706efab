/* SPDX-License-Identifier: MIT */
/*
 * latency.h - the view latency-of: how long events of a type took
 */
#ifndef JFREC_CLI_VIEW_LATENCY_H
#define JFREC_CLI_VIEW_LATENCY_H

#include <stdbool.h>

/*
 * The query of that view, for events of a type, a row for each value of a field (NULL: one row);
 * to be freed.  NULL: such a name, or such a field, cannot be, and *fault says why.
 */
char *latency_query(const char *type, const char *by, const char **fault);

/* Is it the name of that view? */
bool is_latency(const char *operand);

#endif
