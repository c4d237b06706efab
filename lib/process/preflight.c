/* SPDX-License-Identifier: MIT */
/*
 * preflight.c - has a JVM what it takes to be attached to?
 */
#include "process/preflight.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>

#include "base/error.h"
#include "process/signal_safety.h"

/* A stack of 1 MB, of which little is touched, and what the first command loads. */
#define LISTENER_MEMORY (UINT64_C(8) << 20)

#define WITHOUT "or use stream or dump --from-repository, which need no socket"

int preflight_fail_socket(const struct jvm_root *r, struct jfrec_error *err)
{
	int pid = r->process.pid;

	switch (errno) {
	case EROFS:
		return jfrec_fail(err, JFREC_EATTACH, JFREC_NO_OFFSET,
				  "process %d cannot make its attach socket: its %.80s is mounted "
				  "read-only; mount a writable file system there, as an emptyDir "
				  "or a tmpfs, " WITHOUT,
				  pid, r->tmp);
	case EACCES:
	case EPERM:
		return jfrec_fail(err, JFREC_EATTACH, JFREC_NO_OFFSET,
				  "process %d cannot make its attach socket: its user, uid %u, may "
				  "not write to its %.80s; let it (chmod 1777), " WITHOUT,
				  pid, r->process.status.euid, r->tmp);
	case ENOSPC:
	case EDQUOT:
		return jfrec_fail(err, JFREC_EATTACH, JFREC_NO_OFFSET,
				  "process %d cannot make its attach socket: no more files fit "
				  "into its %.80s; remove some there, " WITHOUT,
				  pid, r->tmp);
	case ETIMEDOUT:
		return jfrec_fail(err, JFREC_ETIMEOUT, JFREC_NO_OFFSET,
				  "the file system of the directory %.100s of process %d does not "
				  "respond",
				  r->tmp, pid);
	}
	return jfrec_fail_sys(err, errno, "process %d cannot make its attach socket in %.80s", pid,
			      r->tmp);
}

/* Of what a child of ours, without capabilities, may not, the JVM may have the right. */
static bool may_override(const struct jvm_root *r)
{
	return (errno == EACCES || errno == EPERM) &&
	       r->process.status.capabilities >> CAP_DAC_OVERRIDE & 1;
}

int preflight_socket(struct jvm_root *r, struct jfrec_error *err)
{
	if (ready_check_running(&r->process, err) < 0)
		return -1;
	if (opener_may_create(&r->opener, r->tmp_fd, NULL) == 0 || may_override(r))
		return 0;
	return preflight_fail_socket(r, err);
}

int preflight_listener(const struct process *p, struct jfrec_error *err)
{
	const struct headroom_need need = {
		.threads = 1,
		.descriptors = 2,
		.memory = LISTENER_MEMORY,
	};

	return headroom_check(p, &need, err);
}

int preflight_connection(const struct process *p, struct jfrec_error *err)
{
	const struct headroom_need need = { .descriptors = 1 };

	return headroom_check(p, &need, err);
}
