/* SPDX-License-Identifier: MIT */
/*
 * java_regex.h - regular expressions of Java, as far as POSIX has the same
 */
#ifndef JFREC_STACKS_JAVA_REGEX_H
#define JFREC_STACKS_JAVA_REGEX_H

#include <regex.h>

#include "jfrec/base.h"

/*
 * Compile an expression that a whole name has to match. 0, or -1 with *err set: JFREC_EINVAL if it
 * is not one, or has what POSIX lacks, such as a look ahead; JFREC_ENOMEM.
 */
int java_regex_compile(regex_t *regex, const char *text, struct jfrec_error *err);

#endif
