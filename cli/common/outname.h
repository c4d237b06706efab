/* SPDX-License-Identifier: MIT */
/*
 * outname.h - expand patterns such as %p-%t in names of output files
 */
#ifndef JFREC_CLI_COMMON_OUTNAME_H
#define JFREC_CLI_COMMON_OUTNAME_H

#include <stdbool.h>

/* A path, its NUL included. */
#define OUTNAME_MAX 4096

/* Does the pattern (jfrec_output_name()) make a name of its own for each JVM? */
bool outname_tells_apart(const char *pattern);

#endif
