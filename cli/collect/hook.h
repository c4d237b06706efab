/* SPDX-License-Identifier: MIT */
/*
 * hook.h - run the user's command for each new file
 */
#ifndef JFREC_CLI_COLLECT_HOOK_H
#define JFREC_CLI_COLLECT_HOOK_H

#include "jfrec.h"

/*
 * Run the command with the path as its last argument, its input being empty.  It gets our
 * standard error for its output.  0, or -1 with *err set: JFREC_EREFUSED if it could not be
 * started, failed, or was not done in time and was killed.
 */
int hook_run(const char *const *words, const char *path, int timeout_ms, struct jfrec_error *err);

#endif
