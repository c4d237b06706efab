/* SPDX-License-Identifier: MIT */
/*
 * of_program.h - turn sentences on JVMs into sentences on native programs
 */
#ifndef JFREC_BASE_OF_PROGRAM_H
#define JFREC_BASE_OF_PROGRAM_H

#include "base/arena.h"

/*
 * "Java Methods" is "Methods", and "The JVM ended" is "The program ended": a text of ours, or a format,
 * in the arena; the text itself when memory is gone, or there is nothing to change.
 */
const char *of_program(struct arena *a, const char *text) __attribute__((format_arg(2)));

#endif
