/* SPDX-License-Identifier: MIT */
/*
 * version.h - parse Java versions
 */
#ifndef JFREC_PROCESS_VERSION_H
#define JFREC_PROCESS_VERSION_H

#include <stdbool.h>
#include <stddef.h>

/* Of "17.0.15", "28-ea", "1.8.0_504", "1.8", "11": 17, 28, 8, 8, 11; 0 if it is none. */
int version_feature(const char *text);

/*
 * Up to 8 libjvm.so was in lib/amd64/server, with the processor's name, and later
 * in lib/server.  8 or 0: unknown.
 */
int version_of_layout(const char *library);

/*
 * The version in the text of a JDK's file `release`: JAVA_VERSION="17.0.15".
 * Returns where it begins, and *len, or NULL.
 */
const char *version_of_release(const char *text, size_t *len);

enum jdk_part {
	JDK_PART_UNKNOWN,
	JDK_PART_THERE,
	JDK_PART_MISSING,
};

/*
 * Is the module in the list of that text, MODULES="java.base jdk.jfr"?  JDK 9 and later have one.
 */
enum jdk_part version_has_module(const char *text, const char *module);

#endif
