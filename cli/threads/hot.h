/* SPDX-License-Identifier: MIT */
/*
 * hot.h - which threads took CPU
 */
#ifndef JFREC_CLI_THREADS_HOT_H
#define JFREC_CLI_THREADS_HOT_H

#include "threads/seen.h"
#include "threads/task_cpu.h"

/* By what the dumps say (JDK 11 on), if they do.  False: out of memory. */
bool hot_by_dumps(struct threads_seen *s);

/* By what the system says of them before and after.  False: out of memory. */
bool hot_by_tasks(struct threads_seen *s, const struct task_cpus *before,
		  const struct task_cpus *after);

#endif
