/* SPDX-License-Identifier: MIT */
/*
 * collector.h - the garbage collector of a JVM, by its flags
 */
#ifndef JFREC_JFR_COLLECTOR_H
#define JFREC_JFR_COLLECTOR_H

#include <stdbool.h>

/* flags: the reply to VM.flags. */
bool collector_is_generational_zgc(const char *flags, int jdk);

#endif
