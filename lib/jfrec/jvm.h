/* SPDX-License-Identifier: MIT */
/* jfrec/jvm.h - finding the JVMs of this host */
#ifndef JFREC_JVM_H
#define JFREC_JVM_H

#include "jfrec/base.h"

JFREC_BEGIN_DECLS

enum jfrec_jvm_kind {
	JFREC_JVM_HOTSPOT = 0,
	JFREC_JVM_OPENJ9 = 1, /* speaks another protocol; never signalled */
	JFREC_JVM_NATIVE = 2, /* a GraalVM native image */
	JFREC_JVM_MAYBE = 3, /* a JVM according to its command line, which is all that we may see */
};

/* What is known of a JVM without attaching.  The strings live as long as their list. */
struct jfrec_jvm {
	int pid;	      /* in our pid namespace */
	int ns_pid;	      /* in its own; in a container often 1 */
	uint64_t start_ticks; /* clock ticks since boot; with pid: which process this is */
	int64_t started_ns;   /* since 1970 */
	uint32_t uid, gid;    /* effective */
	enum jfrec_jvm_kind kind;
	int jdk;	       /* 8, 11, 17, ...; 0: unknown */
	const char *version;   /* "17.0.15"; NULL: unknown */
	const char *user;      /* NULL: the uid has no name, or it was not asked for */
	const char *container; /* its id, from the cgroup path; NULL: none */
	const char *main;      /* the main class or jar, without arguments; never NULL */
	const char *command;   /* the same with its arguments; never NULL */
	bool stopped;	       /* by a signal or a debugger: until it continues it does not reply */
	bool attachable;
	enum jfrec_code why_not; /* JFREC_OK if attachable */
	const char *reason;	 /* why not, one sentence; NULL if attachable */
	const char *note;	 /* something unusual about an attachable JVM; NULL: nothing */
	const char *tmp;	 /* where its attach socket is, as it knows it: "/tmp"; or NULL */
};

/* Which JVMs to find.  A JVM must match everything that is set; if nothing is set, all match. */
struct jfrec_jvm_query {
	size_t struct_size;
	/*
	 * A pid, or a name, which selects the JVMs that match it best: by the whole main class or
	 * jar or its last part (Main of com.acme.Main), else by a part of it, else by a part of the
	 * command.
	 */
	const char *target;
	const char *container; /* the beginning of a container's id, or a part of the cgroup path */
	const char *user;      /* a name or a number */
	bool without_names;    /* leave .user of JVMs NULL: looking names up can be slow */
};

struct jfrec_jvms;

/*
 * Find the JVMs of this host that match, by /proc and, if it exists, the performance data of
 * HotSpot.  Nothing is sent to any of them.
 *
 * Sorted by pid.  Returns a list, to be freed with jfrec_jvms_free(), which may be
 * empty, or NULL with *err set: JFREC_EIO (no /proc), JFREC_EINVAL (no such user),
 * JFREC_ENOMEM.  If the target is a pid, only this process is examined; the call
 * fails with JFREC_ENOJVM or JFREC_EPERMISSION if it does not exist or does not match.
 */
struct jfrec_jvms *jfrec_jvms_find(const struct jfrec_jvm_query *query, struct jfrec_error *err);

/* Free the list and its JVMs. */
void jfrec_jvms_free(struct jfrec_jvms *list);

/* How many JVMs the list has. */
size_t jfrec_jvms_count(const struct jfrec_jvms *list);

/* JVM number i of the list; NULL beyond the last. */
const struct jfrec_jvm *jfrec_jvms_get(const struct jfrec_jvms *list, size_t i);

/* Has the JVM with this .pid and .start_ticks ended?  False if that is not certain. */
bool jfrec_jvm_has_ended(const struct jfrec_jvm *jvm);

/*
 * Print the counters of a JVM's performance data as `jcmd PID PerfCounter.print` does, a
 * line `name=value` for each, by name.  Nothing is sent to it.
 *
 * 0, or -1 with *err set: JFREC_ENOJVM, JFREC_EPERMISSION, JFREC_EATTACH (it keeps none),
 * JFREC_EOUTPUT, JFREC_EIO, JFREC_ENOMEM.
 */
int jfrec_jvm_counters(const struct jfrec_jvm *jvm, jfrec_write_fn *write, void *ctx,
		       struct jfrec_error *err);

JFREC_END_DECLS

#endif
