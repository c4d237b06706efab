/* SPDX-License-Identifier: MIT */
/*
 * jvm_root.c - open the directories through which a JVM's files are reached
 */
#include "process/jvm_root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "process/hsperf.h"
#include "process/rights.h"
#include "process/root.h"
#include "process/tmpdir.h"

#define DELETED " (deleted)"

static bool is_denied(int error)
{
	return error == EACCES || error == EPERM;
}

static int fail_denied(const struct process *p, struct jfrec_error *err)
{
	if (rights_check(p, err) < 0)
		return -1;
	if (p->status.euid != geteuid() || geteuid() == 0)
		return jfrec_fail(
			err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
			"the root directory of process %d is not accessible, because "
			"CAP_SYS_PTRACE is missing here",
			p->pid);
	return jfrec_fail(err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
			  "process %d hides its files even from its own user (it has "
			  "capabilities or changed its ids), and may have another /tmp; run "
			  "jfrec as root",
			  p->pid);
}

static bool has_own_socket(struct jvm_root *r)
{
	struct opener_file f;

	return opener_look(&r->opener, r->tmp_fd, r->socket, &f, NULL) > 0 && S_ISSOCK(f.mode) &&
	       f.uid == r->process.status.euid;
}

static bool has_own_perf(struct jvm_root *r)
{
	struct hsperf h;
	void *bytes = hsperf_read(&h, &r->process, &r->opener, r->tmp_fd);

	free(bytes);
	return bytes != NULL;
}

/*
 * A JVM with capabilities hides its root from its own user.  It will be ours if it knows itself by
 * the same pid and has left its traces in our /tmp; the process that answers at the socket is
 * checked once more.
 */
static int open_plain(struct jvm_root *r, struct jfrec_error *err)
{
	const struct proc_status *s = &r->process.status;

	if (s->euid != geteuid() || s->egid != getegid() || s->ns_depth != 1)
		return fail_denied(&r->process, err);
	r->opener = OPENER_HERE;
	r->root_fd = opener_open_named("/");
	r->tmp_fd = opener_open_named(r->tmp);
	if (r->root_fd < 0 || r->tmp_fd < 0 || (!has_own_socket(r) && !has_own_perf(r)))
		return fail_denied(&r->process, err);
	r->is_plain = true;
	return 0;
}

static int open_tmp(struct jvm_root *r, struct jfrec_error *err)
{
	struct jfrec_error why;
	char path[PATH_MAX + 2];

	if (opener_start(&r->opener, &r->process, err) < 0)
		return -1;
	snprintf(path, sizeof(path), "%s/.", r->tmp);
	r->tmp_fd =
		opener_open_directory(&r->opener, r->root_fd, path, OPENER_ANYBODYS, NULL, &why);
	if (r->tmp_fd >= 0)
		return 0;
	if (errno == ETIMEDOUT)
		return jfrec_fail(err, JFREC_ETIMEOUT, JFREC_NO_OFFSET,
				  "the file system of the directory %.100s of process %d does not "
				  "respond",
				  r->tmp, r->process.pid);
	return jfrec_fail(err, JFREC_EATTACH, JFREC_NO_OFFSET,
			  "process %d has no directory %.100s, where its attach socket would be: "
			  "%s",
			  r->process.pid, r->tmp, strerror(errno));
}

static int open_root(struct jvm_root *r, struct jfrec_error *err)
{
	r->root_fd = root_open(&r->process);
	if (r->root_fd >= 0)
		return open_tmp(r, err);
	if (is_denied(errno))
		return open_plain(r, err);
	if (errno == ENOENT || errno == ESRCH)
		return jfrec_fail(err, JFREC_ENOJVM, JFREC_NO_OFFSET, "process %d has ended",
				  r->process.pid);
	return jfrec_fail_sys(err, errno, "cannot open /proc/%d/root", r->process.pid);
}

/* The kernel says so after the path; a directory can be named like that, but then it has links. */
static bool is_deleted(struct jvm_root *r)
{
	char path[PATH_MAX];
	size_t len, suffix = strlen(DELETED);
	struct opener_file f;

	if (!process_link(&r->process, "cwd", path))
		return false;
	len = strlen(path);
	if (len < suffix || strcmp(path + len - suffix, DELETED) != 0)
		return false;
	return r->cwd_fd < 0 || opener_look(&r->opener, r->cwd_fd, ".", &f, NULL) <= 0 ||
	       f.links < 2;
}

int jvm_root_open(struct jvm_root *r, int pid, uint64_t start_ticks, const char *tmp,
		  struct jfrec_error *err)
{
	*r = JVM_ROOT_NONE;
	if (process_open(&r->process, pid, start_ticks, err) < 0)
		return -1;
	if (tmp)
		snprintf(r->tmp, sizeof(r->tmp), "%s", tmp);
	else
		tmpdir_find(&r->process, NULL, r->tmp);
	snprintf(r->socket, sizeof(r->socket), ".java_pid%d", r->process.status.ns_pid);
	snprintf(r->trigger, sizeof(r->trigger), ".attach_pid%d", r->process.status.ns_pid);
	if (open_root(r, err) < 0) {
		jvm_root_close(r);
		return -1;
	}
	r->cwd_fd = process_open_link(&r->process, "cwd");
	r->cwd_deleted = is_deleted(r);
	return 0;
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

void jvm_root_close(struct jvm_root *r)
{
	process_close(&r->process);
	opener_stop(&r->opener);
	close_if_open(r->root_fd);
	close_if_open(r->tmp_fd);
	close_if_open(r->cwd_fd);
	*r = JVM_ROOT_NONE;
}
