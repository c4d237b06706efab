/* SPDX-License-Identifier: MIT */
/*
 * signal_safety.h - check that SIGQUIT starts the attach listener and does not kill
 *
 * Asking means SIGQUIT, which ends a process that does not handle it, makes
 * OpenJ9 write a dump, and at the wrong moment ruins attach in a HotSpot JVM for good.
 * So everything here must hold; any doubt means no.
 */
#ifndef JFREC_PROCESS_SIGNAL_SAFETY_H
#define JFREC_PROCESS_SIGNAL_SAFETY_H

#include "process/process.h"

/* What must be known of the process, as fresh as can be. */
struct ready_facts {
	enum jfrec_jvm_kind kind;
	bool has_perf;	    /* its performance data was found, and then: */
	bool accessible;    /* it has been initialised */
	bool may_attach;    /* its capabilities have attach */
	bool says_disabled; /* -XX:+DisableAttachMechanism on its command line */
	int64_t age_ms;	    /* since it was started */
};

/*
 * Of a process that has no attach socket.  1: yes.  0: not yet, it is still
 * starting; *err says so for the case that time runs out.  -1: no, *err says why.
 */
int ready_check(const struct process *p, const struct ready_facts *facts, struct jfrec_error *err);

/* The part of it that the process's status alone can tell; to be asked again right before the
 * signal. */
int ready_check_status(const struct process *p, struct jfrec_error *err);

/* Each thing by itself.  0, or -1 with *err set.  Running: not stopped, traced, frozen or ended. */
int ready_check_kind(const struct process *p, enum jfrec_jvm_kind kind, struct jfrec_error *err);
int ready_check_running(const struct process *p, struct jfrec_error *err);
int ready_check_allowed(const struct process *p, const struct ready_facts *facts,
			struct jfrec_error *err);
int ready_check_started(const struct process *p, const struct ready_facts *facts,
			struct jfrec_error *err);
int ready_check_handler(const struct process *p, struct jfrec_error *err);

#endif
