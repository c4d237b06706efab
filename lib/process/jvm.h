/* SPDX-License-Identifier: MIT */
/*
 * jvm.h - the name of a JVM, and whether it can be attached to
 */
#ifndef JFREC_PROCESS_JVM_H
#define JFREC_PROCESS_JVM_H

#include "base/arena.h"
#include "process/process.h"

/*
 * Describe a process, if it is a JVM or, as far as we may see, could be one.  The
 * strings come from the arena.  1; 0: it is none, or has ended; -1: *err is set (JFREC_ENOMEM).
 *
 * .user and .container are left to the caller.
 */
int jvm_describe(struct jfrec_jvm *jvm, const struct process *p, struct arena *arena,
		 struct jfrec_error *err);

/* Copy it, with its strings in the arena.  False: memory is gone. */
bool jvm_copy(struct jfrec_jvm *to, const struct jfrec_jvm *from, struct arena *arena);

#endif
