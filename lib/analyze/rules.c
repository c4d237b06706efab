/* SPDX-License-Identifier: MIT */
/*
 * rules.c - the table of all rules, in the order of `jfrec analyze --list`
 */
#include "analyze/rules.h"

#include <stddef.h>

const struct rule *const all_rules[] = {
	/* Pauses and collectors */
	&rule_gc_pause_share,
	&rule_halts_share,
	&rule_gc_pause_longest,
	&rule_gc_full,
	&rule_gc_stall,
	&rule_gc_explicit,
	&rule_gc_by_tools,
	&rule_gc_locker,
	&rule_gc_pause_target,
	&rule_gc_parallelism,
	&rule_gc_options,
	&rule_vm_operation_longest,
	/* Processors, locks, threads */
	&rule_lock_contention,
	/* The recorder */
	&rule_buffers_lost,
	NULL,
};
