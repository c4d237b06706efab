/* SPDX-License-Identifier: MIT */
/*
 * child.h - wait for a child process, but not for long
 */
#ifndef JFREC_CLI_COLLECT_CHILD_H
#define JFREC_CLI_COLLECT_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* Did it end in time? Then *status is set; otherwise it, and its whole group, was killed. */
bool child_wait(pid_t pid, int timeout_ms, int *status);

#endif
