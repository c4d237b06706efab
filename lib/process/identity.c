/* SPDX-License-Identifier: MIT */
/*
 * identity.c - switch a child process to another user for good
 */
#include "process/identity.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"

/* Of /proc/PID/status: 65,536 groups at most, of ten digits. */
#define MAX_STATUS (1u << 20)

/*
 * Above the ids that distributions, containers and systemd give out, below the sign bit; with the
 * pid, of 22 bits, each child has its own.
 */
#define VEIL 0x7fc00000u

/* What a JVM of root may need to get at its own files. */
#define USEFUL                                                                         \
	(UINT64_C(1) << CAP_DAC_OVERRIDE | UINT64_C(1) << CAP_DAC_READ_SEARCH |        \
	 UINT64_C(1) << CAP_KILL | UINT64_C(1) << CAP_SYS_PTRACE)

/* Who it is ------------------------------------------------------------------------------------ */

static bool is_same_link(const struct process *p, const char *its, const char *ours)
{
	char a[64], b[64];
	ssize_t n = readlinkat(p->dir_fd, its, a, sizeof(a)), m = readlink(ours, b, sizeof(b));

	return n > 0 && n < (ssize_t)sizeof(a) && n == m && memcmp(a, b, (size_t)n) == 0;
}

bool identity_is_at_home(const struct process *p)
{
	struct stat its, ours;

	return is_same_link(p, "ns/user", "/proc/self/ns/user") &&
	       is_same_link(p, "ns/mnt", "/proc/self/ns/mnt") &&
	       fstatat(p->dir_fd, "root", &its, 0) == 0 && stat("/proc/self/root", &ours) == 0 &&
	       its.st_dev == ours.st_dev && its.st_ino == ours.st_ino;
}

int identity_of_process(struct identity *id, const struct process *p, struct jfrec_error *err)
{
	size_t len, count = 0;
	char *text = process_read(p, "status", MAX_STATUS, &len);

	*id = (struct identity){ .uid = p->status.euid, .gid = p->status.egid };
	if (!text && (errno == ESRCH || errno == ENOENT))
		return jfrec_fail(err, JFREC_EDIED, JFREC_NO_OFFSET, "process %d has ended",
				  p->pid);
	if (!text)
		return jfrec_fail_sys(err, errno, "cannot read /proc/%d/status", p->pid);
	if (!proc_status_groups(text, &id->groups, &count)) {
		free(text);
		return jfrec_fail_memory(err);
	}
	id->group_count = count;
	free(text);
	if (id->uid == 0 && p->status.capabilities & USEFUL && identity_is_at_home(p))
		id->capabilities = p->status.capabilities & USEFUL;
	return 0;
}

void identity_fini(struct identity *id)
{
	free(id->groups);
	*id = (struct identity){ 0 };
}

/* Becoming it ---------------------------------------------------------------------------------- */

struct capabilities {
	struct __user_cap_data_struct half[_LINUX_CAPABILITY_U32S_3];
};

static bool get_capabilities(struct capabilities *c)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };

	return syscall(SYS_capget, &header, c->half) == 0;
}

bool identity_is_free(void)
{
	struct capabilities c;

	return get_capabilities(&c) && c.half[0].effective >> CAP_SETUID & 1 &&
	       c.half[0].effective >> CAP_SETGID & 1;
}

/* Keep of those that we have only these. */
static bool limit_capabilities(uint64_t set)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct capabilities c, now;

	if (!get_capabilities(&c))
		return false;
	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		c.half[i].permitted &= (uint32_t)(set >> 32 * i);
		c.half[i].effective = c.half[i].permitted;
		c.half[i].inheritable = 0;
	}
	return syscall(SYS_capset, &header, c.half) == 0 && get_capabilities(&now) &&
	       memcmp(&c, &now, sizeof(c)) == 0;
}

/* Without the right to, we must have had these groups all along. */
static bool take_groups(const struct identity *id, bool is_self)
{
	return (setgroups(id->group_count, id->groups) == 0 || (errno == EPERM && is_self)) &&
	       setresgid(id->gid, id->gid, id->gid) == 0;
}

/* Some user namespaces have no such number; then the user might at least end us. */
static bool take_user(const struct identity *id)
{
	uid_t veil = VEIL + ((uid_t)getpid() & 0x3fffff);

	return setresuid(veil, id->uid, veil) == 0 || setresuid(id->uid, id->uid, id->uid) == 0;
}

static bool is_irrevocable(const struct identity *id)
{
	uid_t real, effective, saved;
	gid_t gids[3];

	return getresuid(&real, &effective, &saved) == 0 && effective == id->uid &&
	       getresgid(&gids[0], &gids[1], &gids[2]) == 0 && gids[0] == id->gid &&
	       gids[1] == id->gid && gids[2] == id->gid && real == saved &&
	       (id->uid == 0 || (real != 0 && setresuid((uid_t)-1, 0, (uid_t)-1) < 0));
}

int identity_take(const struct identity *id, struct jfrec_error *err)
{
	bool is_self = geteuid() == id->uid && getegid() == id->gid;

	if (take_groups(id, is_self) && take_user(id) && limit_capabilities(id->capabilities) &&
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && is_irrevocable(id))
		return 0;
	return jfrec_fail(err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
			  "cannot act as uid %u, gid %u: %s", id->uid, id->gid,
			  errno ? strerror(errno) : "the system kept the old ones");
}
