/* SPDX-License-Identifier: MIT */
/* jfrec/outname.h - file names for the recordings of a JVM */
#ifndef JFREC_OUTNAME_H
#define JFREC_OUTNAME_H

#include "jfrec/jvm.h"

JFREC_BEGIN_DECLS

/*
 * The name of a file for a recording of the JVM, whose .pid and .main are looked at: in the pattern
 * %p stands for the pid, %t for the time (ns since 1970; 0: now) as local time,
 * 2026_11_20_09_47_05, %h for this host, %n for the main class or jar, without what does not
 * belong into a file name, and %% for %.
 *
 * 0 with at most `size` bytes at path, the NUL included, or -1 with *err set (JFREC_EINVAL).
 */
int jfrec_output_name(const char *pattern, const struct jfrec_jvm *jvm, int64_t ns, char *path,
		      size_t size, struct jfrec_error *err);

JFREC_END_DECLS

#endif
