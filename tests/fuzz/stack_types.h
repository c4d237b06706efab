/* SPDX-License-Identifier: MIT */
/*
 * stack_types.h - types and constants of a chunk whose events have threads and stack traces
 *
 * Threads and traces 1 and 2 are there; trace 2 has no frames, thread 2 no names.
 */
#ifndef JFREC_FUZZ_STACK_TYPES_H
#define JFREC_FUZZ_STACK_TYPES_H

#include "../unit/builder.h"

#define T_TRACE "100"
#define T_FRAME "101"
#define T_METHOD "102"
#define T_KLASS "103"
#define T_THREAD "104"

/* clang-format off */
#define STACK_TYPES \
	CLASS(T_TRACE, "jdk.types.StackTrace", FIELD("truncated", T_BOOLEAN) FIELD("frames", T_FRAME, ARRAY)) \
	CLASS(T_FRAME, "jdk.types.StackFrame", FIELD("method", T_METHOD, KEY) FIELD("lineNumber", T_INT)) \
	CLASS(T_METHOD, "jdk.types.Method", FIELD("type", T_KLASS, KEY) FIELD("name", T_STRING) \
	      FIELD("descriptor", T_STRING)) \
	CLASS(T_KLASS, "java.lang.Class", FIELD("name", T_STRING)) \
	CLASS(T_THREAD, "java.lang.Thread", FIELD("osName", T_STRING) FIELD("osThreadId", T_LONG) \
	      FIELD("javaName", T_STRING) FIELD("javaThreadId", T_LONG))

#define STACK_CONSTANTS \
	"4  " T_TRACE " 2  1 b0 1 7 5  2 b0 0  " T_METHOD " 1  7 7 'run' '()V' " \
	T_KLASS " 1  7 'my/App' " T_THREAD " 2  1 'os' 1 'main' 1  2 null 0 null 0"
/* clang-format on */

#endif
