/* SPDX-License-Identifier: MIT */
/*
 * rights.c - find out whose JVMs this process may attach to
 */
#include "process/rights.h"

#include <linux/capability.h>
#include <unistd.h>

#include "base/error.h"

static bool has_capability(uint64_t set, int capability)
{
	return set >> capability & 1;
}

static bool may_become_anybody(void)
{
	struct process self;
	uint64_t set;

	if (process_open(&self, getpid(), 0, NULL) < 0)
		return geteuid() == 0;
	set = self.status.capabilities;
	process_close(&self);
	return has_capability(set, CAP_SETUID) && has_capability(set, CAP_SETGID);
}

int rights_check(const struct process *p, struct jfrec_error *err)
{
	const struct proc_status *s = &p->status;

	if ((s->euid == geteuid() && s->egid == getegid()) || may_become_anybody())
		return 0;
	if (geteuid() == 0)
		return jfrec_fail(
			err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
			"process %d belongs to uid %u, and root cannot switch to other ids here: "
			"CAP_SETUID and CAP_SETGID are missing",
			p->pid, s->euid);
	if (s->euid != geteuid())
		return jfrec_fail(err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
				  "process %d belongs to uid %u; run jfrec as that user or as root",
				  p->pid, s->euid);
	return jfrec_fail(
		err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
		"process %d has group %u and jfrec has group %u, but HotSpot requires the same; "
		"run jfrec with that group (newgrp, setpriv) or as root",
		p->pid, s->egid, getegid());
}
