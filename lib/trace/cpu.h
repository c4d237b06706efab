/* SPDX-License-Identifier: MIT */
/*
 * cpu.h - the samples of a chunk that say that a thread ran
 */
#ifndef JFREC_TRACE_CPU_H
#define JFREC_TRACE_CPU_H

#include "stacks/period.h"
#include "stacks/sources.h"

#define NO_SLOT UINT16_MAX

/* How samples of a type are read. */
struct cpu_type {
	struct stack_source source;
	const struct jfrec_type *stack_type, *state_type;
	uint16_t stack, state, count, value, factor; /* slots, or NO_SLOT */
	const struct jfrec_field *span;		     /* the field of a value that is a time */
};

/* False: events of the type are no samples of CPU time.  is_async_profiler: whose chunk it is. */
bool cpu_type_of(const struct jfrec_type *t, bool is_async_profiler, struct cpu_type *c);

/* Did the thread run when that sample was taken? */
bool cpu_is_running(const struct cpu_type *c, struct objects *o, const uint64_t *slots);

/* How many samples it stands for. */
uint64_t cpu_samples(const struct cpu_type *c, const uint64_t *slots);

/*
 * The time that it stands for, as its own fields say it; -1: the setting of the period says it,
 * cpu_period_ns(), once all settings were read.
 */
int64_t cpu_value_ns(const struct cpu_type *c, const struct clock *clock, const uint64_t *slots);

int64_t cpu_period_ns(const struct cpu_type *c, const struct periods *p, const struct jfrec_type *t,
		      uint64_t samples);

#endif
