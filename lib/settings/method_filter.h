/* SPDX-License-Identifier: MIT */
/*
 * method_filter.h - check filters of methods, as jdk.MethodTiming and jdk.MethodTrace take them
 */
#ifndef JFREC_SETTINGS_METHOD_FILTER_H
#define JFREC_SETTINGS_METHOD_FILTER_H

#include <stdbool.h>

/* What a JVM would ignore in a filter, without a word. */
struct method_filter_fault {
	char text[160];	  /* what is wrong, one sentence */
	char remedy[300]; /* how to write it */
};

/* False: *fault is set. */
bool method_filter_check(const char *filter, struct method_filter_fault *fault);

#endif
