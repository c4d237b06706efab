/* SPDX-License-Identifier: MIT */
/*
 * outname.h - expand patterns such as %p-%t in names of output files
 */
#ifndef JFREC_CLI_BASE_OUTNAME_H
#define JFREC_CLI_BASE_OUTNAME_H

#include <stdbool.h>

#include "jfrec.h"

/* A path, its NUL included. */
#define OUTNAME_MAX 4096

/*
 * The name of a file for a recording of the JVM, whose .pid and .main are looked at: in the pattern
 * %p stands for the pid, %t for the time (ns since 1970; 0: now) as local time,
 * 2026_11_20_09_47_05, %h for this host, %n for the main class or jar, without characters that do
 * not belong in a file name, and %% for %.
 *
 * 0 with at most `size` bytes at path, the NUL included, or -1 with *err set (JFREC_EINVAL).
 */
int outname_make(const char *pattern, const struct jfrec_jvm *jvm, int64_t ns, char *path,
		 size_t size, struct jfrec_error *err);

/* Does the pattern make a name of its own for each JVM? */
bool outname_tells_apart(const char *pattern);

/*
 * What files that are made from a recording are named after: "app" of /tmp/app.jfr.gz.  Standard
 * input and the pipes of a shell have no name: then it is a copy of `nameless`.  To be freed; NULL
 * when memory is gone.
 */
char *outname_of_recording(const char *path, const char *nameless);

#endif
