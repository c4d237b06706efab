/* SPDX-License-Identifier: MIT */
/*
 * host.h - what the rules of the host share
 *
 * A recording has nothing of it: it is there where a JVM was looked at while it was recorded.
 */
#ifndef JFREC_ANALYZE_HOST_H
#define JFREC_ANALYZE_HOST_H

#include "analyze/rule.h"

/* What the host showed of this JVM; NULL: nothing, and that is the finding. */
const struct jfrec_host_facts *host_of(struct judging *j);

/* Was it looked at twice, so that counters tell of the time between? */
static inline bool host_has_span(const struct jfrec_host_facts *h)
{
	return h->to_ns > h->from_ns;
}

/* A command of the shell that shows it, and one followed by the name of a file. */
void show_shell(struct judging *j, const char *format, ...) PRINTF_2;
void show_shell_file(struct judging *j, const char *command, const char *path);

#endif
