/* SPDX-License-Identifier: MIT */
/*
 * asked.h - what children find out about one JVM: its hot methods, and the names of its threads
 */
#ifndef JFREC_CLI_TOP_ASKED_H
#define JFREC_CLI_TOP_ASKED_H

#include "top/inquiry.h"

/* How much of a recording hot methods are of. */
#define HOT_NS (10 * INT64_C(1000000000))

/*
 * For a child, with a JVM: the methods on top of most samples of the last seconds, read from the
 * repository: "methods": [["pkg.Class.method", 12], ...], the most first, of "samples";
 * or "error". Nothing is asked of the JVM.
 */
inquiry_fn asked_methods;

/* For a child, with a JVM: one Thread.print, as "names": {"4711": "main", ...}; or "error". */
inquiry_fn asked_names;

#endif
