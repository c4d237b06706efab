/* SPDX-License-Identifier: MIT */
/* jfrec/tool/heap.h - dumping the heap of a JVM */
#ifndef JFREC_TOOL_HEAP_H
#define JFREC_TOOL_HEAP_H

#include "jfrec/session.h"

/*
 * Have a JVM write its heap into a file that we made in its /tmp (GC.heap_dump), and see to it that
 * the file is whole: HPROF.  unreachable: also objects that nothing refers to any more; otherwise
 * the JVM collects garbage first.  It stands still meanwhile.
 *
 * Returns the dump, to be freed with jfrec_dump_free() before the session is closed, or NULL
 * with *err set: JFREC_ERESULT for an incomplete file, JFREC_EIO with ENOSPC if it may not fit,
 * JFREC_EREFUSED.  Nothing is left in the JVM's root, also if this process is killed.
 */
struct jfrec_dump *jfrec_heap_dump(struct jfrec_session *s, bool unreachable,
				   struct jfrec_error *err);

/* How many bytes the heap of a JVM may have at most, by the memory that it uses; 0: unknown. */
uint64_t jfrec_heap_estimate(const struct jfrec_jvm *jvm);

#endif
