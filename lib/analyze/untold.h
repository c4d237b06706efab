/* SPDX-License-Identifier: MIT */
/*
 * untold.h - what an outage would need and a recording does not tell
 */
#ifndef JFREC_ANALYZE_UNTOLD_H
#define JFREC_ANALYZE_UNTOLD_H

struct jvm;

/*
 * When all rules of the JVM have judged: one sentence with the command that records it; NULL: there
 * is nothing, or no recording could tell more.  Lives as long as the JVM.
 */
const char *untold_of(struct jvm *jvm);

#endif
