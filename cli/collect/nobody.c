/* SPDX-License-Identifier: MIT */
/*
 * nobody.c - let a process of root go on as nobody
 *
 * To Linux, who a process is and whose files it makes are two things: files go by IDs of their own
 * (setfsuid(2)), which change together with the others, and can then be changed back as long as
 * there are the capabilities for it.
 */
#include "collect/nobody.h"

#include <grp.h>
#include <linux/capability.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define NOBODY 65534

#define BIT(capability) (1u << (capability))

static void have(unsigned capabilities)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	const struct __user_cap_data_struct data[2] = { { capabilities, capabilities, 0 } };

	syscall(SYS_capset, &header, data);
}

static void own_files_as(uid_t uid, gid_t gid)
{
	have(BIT(CAP_SETUID) | BIT(CAP_SETGID));
	setfsgid(gid);
	setfsuid(uid);
}

void nobody_become(bool keeps_files)
{
	const uid_t uid = geteuid();
	const gid_t gid = getegid();

	if (uid == 0) {
		/* In a container there may be no such user, or no right to become it. */
		prctl(PR_SET_KEEPCAPS, keeps_files, 0, 0, 0);
		if (setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
		    setresuid(NOBODY, NOBODY, NOBODY) == 0 && keeps_files)
			own_files_as(uid, gid);
	}
	have(0);
}
