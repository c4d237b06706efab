/* SPDX-License-Identifier: MIT */
/*
 * causes.h - which finding explains which, and the verdict in one sentence
 */
#ifndef JFREC_ANALYZE_CAUSES_H
#define JFREC_ANALYZE_CAUSES_H

struct jvm;

/*
 * When all rules of the JVM have judged, and its findings are sorted: say of each what explains it,
 * and put the verdict into jvm->shown. Changes no severity.
 */
void find_causes(struct jvm *jvm);

#endif
