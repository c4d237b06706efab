/* SPDX-License-Identifier: MIT */
/*
 * text.h - what thread dumps show, for people
 */
#ifndef JFREC_CLI_THREADS_TEXT_H
#define JFREC_CLI_THREADS_TEXT_H

#include "threads/seen.h"

/*
 * Print it to standard output.  can_ask: it is of a running JVM, which may be asked for more, by
 * options that are named.
 */
void threads_print(const struct threads_seen *s, bool can_ask);

#endif
