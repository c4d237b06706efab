/* SPDX-License-Identifier: MIT */
/*
 * code_method.h - what a method is called that may be a function of C++ or Rust
 */
#ifndef JFREC_READ_CODE_METHOD_H
#define JFREC_READ_CODE_METHOD_H

#include "format/object.h"

/*
 * The name of a method: where it is a function of a native program, what its symbol stands for.
 * That is so in recordings of libjfrec-recorder, and in those of async-profiler, which writes
 * functions of C and C++ into the stacks of Java.  As object_text().
 */
const char *code_method_name(struct objects *o, struct object method, size_t *len);

#endif
