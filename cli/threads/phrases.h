/* SPDX-License-Identifier: MIT */
/*
 * phrases.h - names, frames and waits of threads, as sentences have them
 *
 * All of them are harmless wherever they go, and of one line.
 */
#ifndef JFREC_CLI_THREADS_PHRASES_H
#define JFREC_CLI_THREADS_PHRASES_H

#include <stdio.h>

#include "jfrec-tool.h"

/* The name of a thread or a pool, cut short where it is very long. */
void put_short_name(FILE *to, const char *name);

/* The name of a thread; of one without a name, as virtual threads mostly are, its number. */
void put_thread(FILE *to, const struct jfrec_dumped_thread *t);

/* A frame without its loader and module. */
void put_frame(FILE *to, const char *frame);

/* "waits to enter the monitor of a app.Account" */
void put_wait(FILE *to, enum jfrec_wait wait, const struct jfrec_lock *lock);

/* One word: "monitor", "lock", "class", "notice", "park"; NULL for none. */
const char *wait_name(enum jfrec_wait wait);

/* Where it stands: in the application, or else in what it calls there; NULL: it has no stack. */
const char *place_of_thread(const struct jfrec_dumped_thread *t);

/*
 * What it calls from there: the innermost frame that is not only how the JDK waits; NULL: it is the
 * place itself.
 */
const char *call_of_thread(const struct jfrec_dumped_thread *t);

#endif
