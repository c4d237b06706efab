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

/*
 * jfrec_jvms_find() for who does so at an interval: a process that was looked at for the last list,
 * and looks the same, is not looked at more closely.  The last list, NULL at first, is freed.
 */
struct jfrec_jvms *jvms_find_again(const struct jfrec_jvm_query *query, struct jfrec_jvms *last,
				   struct jfrec_error *err);

/* Is what the list says of this one, which is of it, as old as another list? */
bool jvms_is_again(const struct jfrec_jvms *list, const struct jfrec_jvm *jvm);

/* Copy it, with its strings in the arena.  False: memory is gone. */
bool jvm_copy(struct jfrec_jvm *to, const struct jfrec_jvm *from, struct arena *arena);

#endif
