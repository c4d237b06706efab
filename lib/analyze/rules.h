/* SPDX-License-Identifier: MIT */
/*
 * rules.h - the rules, each in a file of its own name
 */
#ifndef JFREC_ANALYZE_RULES_H
#define JFREC_ANALYZE_RULES_H

#include "analyze/rule.h"

extern const struct rule rule_gc_pause_share, rule_halts_share, rule_gc_pause_longest;
extern const struct rule rule_gc_full, rule_gc_stall, rule_gc_explicit, rule_gc_by_tools;
extern const struct rule rule_gc_locker, rule_gc_pause_target, rule_gc_parallelism;
extern const struct rule rule_gc_options, rule_vm_operation_longest;
extern const struct rule rule_lock_contention;
extern const struct rule rule_buffers_lost;

#endif
