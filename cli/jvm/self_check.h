/* SPDX-License-Identifier: MIT */
/*
 * self_check.h - is this jfrec whole, and does it know the JVMs that are here?
 */
#ifndef JFREC_CLI_JVM_SELF_CHECK_H
#define JFREC_CLI_JVM_SELF_CHECK_H

#include "jfrec-tool.h"

/* Something that was looked at. */
struct self_finding {
	enum jfrec_finding_state state;
	const char *check;
	char text[512];
	const char *remedy; /* NULL: nothing is to be done */
};

/* How many there are of the build. */
size_t self_check_count(void);

/* Number i, below the count. */
struct self_finding self_check_build(size_t i);

/* What is known of a JVM of that version; .check is empty. */
struct self_finding self_check_jvm(const struct jfrec_jvm *jvm);

#endif
