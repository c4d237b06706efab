/* SPDX-License-Identifier: MIT */
/*
 * changes.h - what became of a thread from the first dump to the last
 */
#ifndef JFREC_CLI_THREADS_CHANGES_H
#define JFREC_CLI_THREADS_CHANGES_H

#include "threads/seen.h"

/* What became of that thread of the last dump; NULL: it is not told. */
const struct jfrec_thread_change *threads_seen_change(const struct threads_seen *s, size_t thread);

#endif
