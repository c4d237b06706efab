/* SPDX-License-Identifier: MIT */
/*
 * causes.h - which finding explains which, and the verdict in one sentence
 */
#ifndef JFREC_ANALYZE_CAUSES_H
#define JFREC_ANALYZE_CAUSES_H

struct jvm;

/*
 * When all rules of the JVM have judged: say of each finding what explains it. Changes no severity.
 */
void find_causes(struct jvm *jvm);

/* When the findings are sorted: what is to be known first. Lives as long as the JVM. */
const char *verdict_of(struct jvm *jvm);

#endif
