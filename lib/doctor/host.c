/* SPDX-License-Identifier: MIT */
/*
 * host.c - check what on this host, and in our rights, affects attaching
 */
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "doctor/cleaner.h"
#include "doctor/crashes.h"
#include "doctor/diagnosis.h"
#include "jfrec-tool.h"
#include "process/process.h"

/* Of /proc/self/mountinfo. */
#define MAX_MOUNTS (4u << 20)

/* Inodes of the first namespaces, those of the host; the kernel has them as constants. */
#define FIRST_USER_NAMESPACE 0xeffffffdu
#define FIRST_PID_NAMESPACE  0xeffffffcu

static bool may(const struct process *self, int capability)
{
	return self->status.capabilities >> capability & 1;
}

static bool may_all(const struct process *self)
{
	return may(self, CAP_SYS_PTRACE) && may(self, CAP_SETUID) && may(self, CAP_SETGID);
}

/* Rights ------------------------------------------------------------------------------------- */

/* What root lacks, as one says it to whatever starts the container. */
static void add_missing(struct jfrec_diagnosis *d, const struct process *self)
{
	const struct {
		int capability;
		const char *name;
	} needed[] = {
		{ CAP_SYS_PTRACE, "SYS_PTRACE" },
		{ CAP_SETUID, "SETUID" },
		{ CAP_SETGID, "SETGID" },
	};
	char names[64] = "", options[160] = "";

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
		size_t at = strlen(names), end = strlen(options);

		if (may(self, needed[i].capability))
			continue;
		snprintf(names + at, sizeof(names) - at, "%sCAP_%s", at ? ", " : "",
			 needed[i].name);
		snprintf(options + end, sizeof(options) - end, " --cap-add %s", needed[i].name);
	}
	diagnosis_add(d, "rights", JFREC_FINDING_NOTE,
		      "root lacks %s here, so only some JVMs of other users and in other "
		      "containers can be reached",
		      names);
	diagnosis_mend(d, "start the container with%s", options);
}

static void check_rights(struct jfrec_diagnosis *d, const struct process *self)
{
	if (may_all(self))
		diagnosis_add(d, "rights", JFREC_FINDING_OK,
			      "uid %u can access the root directory of every process here and "
			      "act as its user",
			      geteuid());
	else if (geteuid() == 0)
		add_missing(d, self);
	else {
		diagnosis_add(
			d, "rights", JFREC_FINDING_NOTE,
			"uid %u, gid %u: only JVMs of this user and group can be reached",
			geteuid(), getegid());
		diagnosis_mend(d, "for other users' JVMs: sudo jfrec doctor");
	}
}

/* /proc -------------------------------------------------------------------------------------- */

static void check_hidden(struct jfrec_diagnosis *d, const struct process *self)
{
	size_t len = 0;
	char *mounts = process_read(self, "mountinfo", MAX_MOUNTS, &len), how[32];
	bool hides = mounts && proc_mounts_hidepid(mounts, how, sizeof(how));

	free(mounts);
	if (!hides) {
		diagnosis_add(d, "proc", JFREC_FINDING_OK, "/proc shows all processes");
	} else if (may(self, CAP_SYS_PTRACE)) {
		diagnosis_add(d, "proc", JFREC_FINDING_OK,
			      "/proc is mounted with hidepid=%s, but shows us all processes", how);
	} else {
		diagnosis_add(d, "proc", JFREC_FINDING_NOTE,
			      "/proc is mounted with hidepid=%s: JVMs of other users are hidden",
			      how);
		diagnosis_mend(d, "sudo jfrec doctor");
	}
}

/* The pid that /proc knows us by must be our own: it may be another namespace's. */
static bool check_proc(struct jfrec_diagnosis *d)
{
	char link[16] = "";
	ssize_t len = readlink("/proc/self", link, sizeof(link) - 1);

	if (len > 0 && atoi(link) == getpid())
		return true;
	if (len < 0)
		diagnosis_fail(d, "proc",
			       &(struct jfrec_error){
				       .code = JFREC_EIO,
				       .text = "/proc is not mounted, so no process can be seen" });
	else
		diagnosis_fail(d, "proc",
			       &(struct jfrec_error){
				       .code = JFREC_EIO,
				       .text = "/proc belongs to another pid namespace" });
	diagnosis_mend(d, "mount -t proc proc /proc");
	return false;
}

/* Kernel ------------------------------------------------------------------------------------- */

/* Yama guards tracing, and we only read. */
static void check_yama(struct jfrec_diagnosis *d)
{
	char scope[16] = "";
	FILE *f = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");

	if (f && fgets(scope, sizeof(scope), f))
		diagnosis_add(
			d, "yama", JFREC_FINDING_OK,
			"kernel.yama.ptrace_scope is %.1s; it does not matter here",
			scope);
	else
		diagnosis_add(d, "yama", JFREC_FINDING_OK, "Yama is not enabled");
	if (f)
		fclose(f);
}

static void check_kernel(struct jfrec_diagnosis *d)
{
	int pid_fd = (int)syscall(SYS_pidfd_open, getpid(), 0);
	int how_fd = (int)syscall(SYS_openat2, -1, "", NULL, 0);
	bool has_openat2 = how_fd >= 0 || (errno != ENOSYS && errno != EPERM);

	if (pid_fd >= 0)
		close(pid_fd);
	if (pid_fd >= 0 && has_openat2)
		diagnosis_add(d, "kernel", JFREC_FINDING_OK, "it has pidfd_open and openat2");
	else
		diagnosis_add(
			d, "kernel", JFREC_FINDING_NOTE,
			"%s%s%s missing or filtered out (available since Linux 5.3 and 5.6); the "
			"replacement is safe, but %s",
			pid_fd < 0 ? "pidfd_open" : "", pid_fd < 0 && !has_openat2 ? " and " : "",
			has_openat2 ? "" : "openat2",
			has_openat2 ? "a reused pid may go unnoticed"
				    : "links in the JVM's paths are not followed");
}

static bool is_first(const char *path, ino_t first)
{
	struct stat st;

	return stat(path, &st) < 0 || st.st_ino == first;
}

static void check_namespaces(struct jfrec_diagnosis *d)
{
	if (!is_first("/proc/self/ns/pid", FIRST_PID_NAMESPACE)) {
		diagnosis_add(d, "namespace", JFREC_FINDING_NOTE,
			      "this is a container with its own pid namespace: JVMs outside of "
			      "it are hidden");
		diagnosis_mend(d, "run jfrec on the host, or see jfrec-containers(7)");
	} else if (!is_first("/proc/self/ns/user", FIRST_USER_NAMESPACE)) {
		diagnosis_add(
			d, "namespace", JFREC_FINDING_NOTE,
			"this is a separate user namespace: JVMs of users that are not mapped "
			"into it cannot be reached");
		diagnosis_mend(d, "run jfrec on the host, or see jfrec-containers(7)");
	} else {
		diagnosis_add(d, "namespace", JFREC_FINDING_OK,
			      "all processes of the host are visible, including those in "
			      "containers");
	}
}

/* What cleans /tmp --------------------------------------------------------------------------- */

/* Says the file nothing of attach sockets, or is there none? */
static bool is_silent(const char *path)
{
	char text[8192];
	size_t len = 0;
	FILE *f = fopen(path, "re");

	if (f) {
		len = fread(text, 1, sizeof(text) - 1, f);
		fclose(f);
	}
	text[len] = '\0';
	return !strstr(text, ".java");
}

/* Cleaners that cron runs. True if one of them takes sockets. */
static bool check_cron(struct jfrec_diagnosis *d)
{
	bool reaper =
		access("/etc/cron.daily/tmpreaper", X_OK) == 0 && is_silent("/etc/tmpreaper.conf");

	if (!reaper && (access("/etc/cron.daily/tmpwatch", X_OK) < 0 ||
			!is_silent("/etc/cron.daily/tmpwatch")))
		return false;
	diagnosis_add(d, "cleaner", JFREC_FINDING_NOTE,
		      "%s removes old files from /tmp every day, including attach sockets of JVMs",
		      reaper ? "tmpreaper" : "tmpwatch");
	diagnosis_mend(d,
		       reaper ? "in /etc/tmpreaper.conf: TMPREAPER_PROTECT_EXTRA='/tmp/.java_pid*'"
			      : "in /etc/cron.daily/tmpwatch: -X '/tmp/.java_pid*'");
	return true;
}

static void check_cleaner(struct jfrec_diagnosis *d)
{
	struct cleaner c = { 0 };

	if (check_cron(d))
		return;
	cleaner_read(&c);
	if (!*c.age || c.is_spared || access("/run/systemd/system", F_OK) < 0) {
		diagnosis_add(d, "cleaner", JFREC_FINDING_OK,
			      *c.age && c.is_spared
				      ? "the jobs that clean /tmp keep attach sockets"
				      : "no known job cleans /tmp while the host is up");
		return;
	}
	diagnosis_add(
		d, "cleaner", JFREC_FINDING_NOTE,
		"systemd removes files older than %s from /tmp, including attach sockets of JVMs",
		c.age);
	diagnosis_mend(d, "echo 'x /tmp/.java_pid*' >/etc/tmpfiles.d/java.conf");
}

/* -------------------------------------------------------------------------------------------- */

int jfrec_diagnosis_host(struct jfrec_diagnosis *d, struct jfrec_error *err)
{
	struct process self;

	if (check_proc(d)) {
		if (process_open(&self, getpid(), 0, err) < 0)
			return -1;
		check_hidden(d, &self);
		check_rights(d, &self);
		process_close(&self);
		check_namespaces(d);
	}
	check_yama(d);
	check_kernel(d);
	check_cleaner(d);
	crashes_check_host(d);
	return diagnosis_check(d, err);
}
