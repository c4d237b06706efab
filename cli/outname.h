/* SPDX-License-Identifier: MIT */
/*
 * outname.h - names of files that recordings are brought to
 */
#ifndef JFREC_CLI_OUTNAME_H
#define JFREC_CLI_OUTNAME_H

#include "jfrec.h"

/* A path, its NUL included. */
#define OUTNAME_MAX 4096

/*
 * Expand %p (the pid), %t (local time, 2026_11_20_09_47_05), %h (this host), %n (the main class or
 * jar, without what does not belong into a file name) and %%.
 *
 * Returns NULL, or why it is not possible.
 */
const char *outname_expand(const char *pattern, const struct jfrec_jvm *jvm,
			   char path[OUTNAME_MAX]);

/* Does the pattern make a name of its own for each JVM? */
bool outname_tells_apart(const char *pattern);

#endif
