/* SPDX-License-Identifier: MIT */
/*
 * signal_safety.c - check that SIGQUIT starts the attach listener and does not kill
 */
#include "process/signal_safety.h"

#include <inttypes.h>

#include "base/error.h"
#include "process/frozen.h"

/*
 * Without performance data nothing says when the JVM is initialised.  Handlers of
 * signals are there earlier than that, and a loaded machine took 0.6 s.
 */
#define MIN_AGE_MS 2000

int ready_check_kind(const struct process *p, enum jfrec_jvm_kind kind, struct jfrec_error *err)
{
	switch (kind) {
	case JFREC_JVM_HOTSPOT:
		return 0;
	case JFREC_JVM_OPENJ9:
		return jfrec_fail(err, JFREC_ENOJVM, JFREC_NO_OFFSET,
				  "process %d runs Eclipse OpenJ9, but jfrec supports only "
				  "HotSpot's attach protocol; use that JDK's own jcmd (its "
				  "support of "
				  "Flight Recorder is limited)",
				  p->pid);
	case JFREC_JVM_NATIVE:
		return jfrec_fail(
			err, JFREC_ENOJVM, JFREC_NO_OFFSET,
			"process %d is a native image without an attach socket; it must "
			"be built with --enable-monitoring=jcmd,jfr (GraalVM for JDK 24 or "
			"later)",
			p->pid);
	case JFREC_JVM_MAYBE:
		break;
	}
	return jfrec_fail(
		err, JFREC_ENOJVM, JFREC_NO_OFFSET,
		"cannot find out whether process %d is a JVM: it has not loaded libjvm.so, or "
		"its maps are hidden from this user",
		p->pid);
}

int ready_check_running(const struct process *p, struct jfrec_error *err)
{
	if (process_is_zombie(p))
		return jfrec_fail(err, JFREC_EDIED, JFREC_NO_OFFSET, "process %d has ended",
				  p->pid);
	if (process_is_stopped(p) && p->status.tracer)
		return jfrec_fail(
			err, JFREC_EATTACH, JFREC_NO_OFFSET,
			"process %d is held by a debugger, process %d; continue it first", p->pid,
			p->status.tracer);
	if (process_is_stopped(p))
		return jfrec_fail(err, JFREC_EATTACH, JFREC_NO_OFFSET,
				  "process %d is stopped; continue it first: kill -CONT %d",
				  p->pid, p->pid);
	if (frozen_by_cgroup(p, ""))
		return jfrec_fail(
			err, JFREC_EATTACH, JFREC_NO_OFFSET,
			"process %d is frozen by its cgroup, as `docker pause` does; thaw it first, "
			"or use stream or dump --from-repository, which read its files",
			p->pid);
	if (frozen_in_kernel(p))
		return jfrec_fail(
			err, JFREC_EATTACH, JFREC_NO_OFFSET,
			"process %d is held in the kernel (state D): it is frozen, or waits for a "
			"disk or a file server; wait until it runs again, or use stream or dump "
			"--from-repository, which read its files",
			p->pid);
	return 0;
}

int ready_check_handler(const struct process *p, struct jfrec_error *err)
{
	if (process_catches_quit(p))
		return 0;
	return jfrec_fail(err, JFREC_EATTACH, JFREC_NO_OFFSET,
			  "process %d does not handle SIGQUIT, which would terminate it; a JVM "
			  "with -Xrs "
			  "whose attach socket was deleted can only be restarted",
			  p->pid);
}

int ready_check_status(const struct process *p, struct jfrec_error *err)
{
	return ready_check_running(p, err) < 0 ? -1 : ready_check_handler(p, err);
}

int ready_check_allowed(const struct process *p, const struct ready_facts *facts,
			struct jfrec_error *err)
{
	if (!facts->says_disabled && (!facts->has_perf || !facts->accessible || facts->may_attach))
		return 0;
	return jfrec_fail(err, JFREC_EATTACH, JFREC_NO_OFFSET,
			  "process %d was started with -XX:+DisableAttachMechanism; restart it "
			  "without, or with a recording on its command line "
			  "(-XX:StartFlightRecording)",
			  p->pid);
}

static bool is_young(const struct ready_facts *facts)
{
	return facts->age_ms < MIN_AGE_MS;
}

static int fail_starting(const struct process *p, const struct ready_facts *facts,
			 struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EATTACH, JFREC_NO_OFFSET,
			  "process %d is still starting (%" PRId64 " ms old); try again", p->pid,
			  facts->age_ms);
}

int ready_check_started(const struct process *p, const struct ready_facts *facts,
			struct jfrec_error *err)
{
	bool is_starting = facts->has_perf ? !facts->accessible : is_young(facts);

	return is_starting ? fail_starting(p, facts, err) : 0;
}

/*
 * A process just started may become anything: it has not loaded libjvm.so, and handles no signal.
 */
int ready_check(const struct process *p, const struct ready_facts *facts, struct jfrec_error *err)
{
	if (ready_check_running(p, err) < 0)
		return -1;
	if (facts->kind == JFREC_JVM_MAYBE && is_young(facts)) {
		fail_starting(p, facts, err);
		return 0;
	}
	if (ready_check_kind(p, facts->kind, err) < 0 || ready_check_allowed(p, facts, err) < 0)
		return -1;
	if (ready_check_started(p, facts, err) < 0)
		return 0;
	return ready_check_handler(p, err) < 0 ? -1 : 1;
}
