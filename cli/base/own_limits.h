/* SPDX-License-Identifier: MIT */
/*
 * own_limits.h - how much of the machine this process may use
 *
 * The limits of the control groups that it is in, of version 1 and 2 (cgroups(7)), where they are
 * mounted in the usual place. Reads files of /proc and /sys, so ask before the process confines
 * itself.
 */
#ifndef JFREC_CLI_BASE_OWN_LIMITS_H
#define JFREC_CLI_BASE_OWN_LIMITS_H

#include <stdint.h>

/* Memory in bytes: the machine's, or less. */
uint64_t own_memory(void);

/*
 * Processors, 1 or more: those that it may run on, or as many as the quota is worth, rounded down.
 * Later calls return what the first one found.
 */
unsigned own_processors(void);

#endif
