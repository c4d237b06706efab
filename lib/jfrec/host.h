/* SPDX-License-Identifier: MIT */
/* jfrec/host.h - what the host shows of a JVM from outside, which its recording lacks */
#ifndef JFREC_HOST_H
#define JFREC_HOST_H

#include "jfrec/jvm.h"

JFREC_BEGIN_DECLS

/*
 * The kernel stops a control group that has used up its processors, and kills processes for want of
 * memory; disks fill up; other processes take the processors.  All of that is read twice, before a
 * recording and after it, from /proc and from the control groups of the JVM, not from our own:
 *
 *	struct jfrec_host *h = jfrec_host_watch(jvm, &err);
 *
 *	... record ...
 *	jfrec_host_look(h);
 *	options.host = jfrec_host_get(h);    of jfrec_analysis_new()
 *
 * Nothing is sent to the JVM.  What cannot be read is not there.
 */
struct jfrec_host;

/* Disks, and other processes, that are named at most. */
#define JFREC_HOST_DISKS  3
#define JFREC_HOST_OTHERS 5

/* A disk to which the JVM writes. */
struct jfrec_host_disk {
	const char *what; /* "working directory", "repository", "temporary files" */
	const char *path; /* as the JVM knows it */
	uint64_t free_bytes, size; /* free: for those that are not root */
	bool has_no_inodes; /* no file can be made, whatever is free */
};

/* A process that used processors between the readings. */
struct jfrec_host_process {
	int pid;	  /* in our namespace */
	const char *name; /* as it says itself: any bytes, 15 at most */
	double cpus;	  /* processors that it kept busy in the mean */
};

/* What was read. Strings live as long as the struct jfrec_host. */
struct jfrec_host_facts {
	int pid, ns_pid; /* in our pid namespace, and in its own, as its recordings have it */
	int64_t from_ns, to_ns; /* the two readings, since 1970; equal: there was only one */

	/*
	 * Of its control group, or those around it, the one whose quota stopped it most: between
	 * the readings, or since it was made where there was one.  NULL: none has a quota, as far
	 * as can be seen.
	 */
	const char *cpu_file;
	bool has_cpu_group; /* at least one can be seen */
	int64_t periods, throttled;
	int64_t throttled_ns; /* added up over its processors */

	/* Processes of its control group that were killed for want of memory. NULL: not known. */
	const char *kills_file;
	int64_t kills, kills_before; /* between the readings; before the first */

	/* Of its control groups, less the cache, or of the machine: where least is left. */
	const char *memory_limit_name; /* "memory.max of its cgroup /app"; NULL: not known */
	uint64_t memory_used, memory_limit;

	struct jfrec_host_disk disks[JFREC_HOST_DISKS]; /* each once */
	size_t disk_count;

	/* Between two readings; machine_cpus is 0 where they are not known. */
	double machine_cpus, busy_cpus; /* all processors of the machine; those that were busy */
	double own_cpus;		/* that the JVM itself kept busy */
	struct jfrec_host_process others[JFREC_HOST_OTHERS]; /* those with most; the first most */
	size_t other_count;
};

/*
 * Take the first reading.  To be freed with jfrec_host_free(); NULL with *err set: JFREC_ENOJVM,
 * JFREC_EPERMISSION, JFREC_ENOMEM.
 */
struct jfrec_host *jfrec_host_watch(const struct jfrec_jvm *jvm, struct jfrec_error *err);

/* Take the second reading; the JVM may have ended.  Of NULL there is none. */
void jfrec_host_look(struct jfrec_host *h);

/* What is known by now; NULL of NULL. */
const struct jfrec_host_facts *jfrec_host_get(const struct jfrec_host *h);

/* Free it and its facts. */
void jfrec_host_free(struct jfrec_host *h);

JFREC_END_DECLS

#endif
