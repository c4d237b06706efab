/* SPDX-License-Identifier: MIT */
/*
 * probe.h - collect what can be seen of a process that may be a JVM
 */
#ifndef JFREC_PROCESS_PROBE_H
#define JFREC_PROCESS_PROBE_H

#include "process/cmdline.h"
#include "process/hsperf.h"
#include "process/jvm_root.h"
#include "process/loaded.h"
#include "process/signal_safety.h"

struct probe {
	struct loaded loaded;
	char *cmdline_bytes; /* NULL if it could not be read; then cmdline is of "" */
	struct cmdline cmdline;
	void *perf_bytes; /* NULL without performance data; then perf is zero */
	struct hsperf perf;
	int64_t age_ms; /* since it was started */
};

/*
 * Look at a process.  What may not be read, or is gone, is missing.  0, to be ended
 * with probe_fini(), or -1 with *err set: JFREC_ENOMEM.
 */
int probe_init(struct probe *v, const struct process *p, struct jfrec_error *err);

/* Add its performance data. */
void probe_add_perf(struct probe *v, struct jvm_root *r);

/* A zeroed probe is allowed. */
void probe_fini(struct probe *v);

/*
 * Was the JVM given the option, on its command line (in_words: what that says) or by a
 * variable of its environment?
 */
bool probe_has_option(const struct probe *v, const struct process *p, bool in_words,
		      const char *option);

/* What it means for the handshake. */
struct ready_facts probe_facts(const struct probe *v, const struct process *p);

/* All of that in one: what is known of a process now. 0, or -1 with *err set. */
int probe_get_facts(struct jvm_root *r, struct ready_facts *facts, struct jfrec_error *err);

/* Since the process was started, by the clock that counts while the system sleeps, too. */
int64_t probe_age_ms(const struct process *p);

#endif
