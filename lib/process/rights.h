/* SPDX-License-Identifier: MIT */
/*
 * rights.h - find out whose JVMs this process may attach to
 */
#ifndef JFREC_PROCESS_RIGHTS_H
#define JFREC_PROCESS_RIGHTS_H

#include "process/process.h"

/*
 * HotSpot answers its own user and group.  0: we are these, or may become them;
 * -1 with *err set: JFREC_EPERMISSION.
 */
int rights_check(const struct process *p, struct jfrec_error *err);

#endif
