/* SPDX-License-Identifier: MIT */
/*
 * recorder.h - keep a recording running in one JVM
 */
#ifndef JFREC_CLI_COLLECT_RECORDER_H
#define JFREC_CLI_COLLECT_RECORDER_H

#include "collect/config.h"

/* Its name in each JVM. */
#define RECORDER_NAME "jfrec-collect"

/*
 * Start it, unless it runs.  1: it was started, and *id is set; 0: it runs; -1: *err is set, as
 * jfrec_session_open() and jfrec_jfr_start() do.
 */
int recorder_ensure(const struct jfrec_jvm *jvm, const struct collect_jvms *wish, bool dry,
		    uint64_t *id, struct jfrec_error *err);

#endif
