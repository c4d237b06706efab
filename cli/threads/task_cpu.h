/* SPDX-License-Identifier: MIT */
/*
 * task_cpu.h - the CPU that the threads of a process have taken, as the system tells it
 */
#ifndef JFREC_CLI_THREADS_TASK_CPU_H
#define JFREC_CLI_THREADS_TASK_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jfrec_jvm;

struct task_cpu {
	uint64_t nid; /* as the JVM knows it, in its own pid namespace */
	int64_t cpu_ns;
};

struct task_cpus {
	struct task_cpu *items; /* by nid */
	size_t count, room;
	int64_t at_ns; /* monotonic */
};

/* Read /proc/PID/task.  False: out of memory; of a process that has ended there are none. */
bool task_cpus_read(struct task_cpus *t, const struct jfrec_jvm *jvm);
void task_cpus_fini(struct task_cpus *t);

/* Of that thread; -1: there is none. */
int64_t task_cpu_of(const struct task_cpus *t, uint64_t nid);

#endif
