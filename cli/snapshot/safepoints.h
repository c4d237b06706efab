/* SPDX-License-Identifier: MIT */
/*
 * safepoints.h - how long a JVM stood still, by its performance counters
 */
#ifndef JFREC_CLI_SNAPSHOT_SAFEPOINTS_H
#define JFREC_CLI_SNAPSHOT_SAFEPOINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "jfrec.h"

/* Since the JVM was started. */
struct safepoints {
	bool is_known; /* it keeps counters that can be read */
	uint64_t count;
	double seconds; /* in them, from the request that threads stop on */
};

void safepoints_read(struct safepoints *s, const struct jfrec_jvm *jvm);

#endif
