/* SPDX-License-Identifier: MIT */
/*
 * findings.h - what is wrong with the threads of a JVM
 */
#ifndef JFREC_CLI_THREADS_FINDINGS_H
#define JFREC_CLI_THREADS_FINDINGS_H

#include <stdio.h>

#include "threads/seen.h"

/* Fill s->findings.  False: out of memory. */
bool findings_find(struct threads_seen *s);

/* "deadlock": one word, the same whatever was found. */
const char *finding_name(enum finding_kind kind);

/* Its sentence, harmless and without an end. */
void finding_put(FILE *to, const struct threads_seen *s, const struct thread_finding *f);

#endif
