/* SPDX-License-Identifier: MIT */
/*
 * attach_socket.c - find the socket at which a JVM takes diagnostic commands
 */
#include "process/attach_socket.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/error.h"

/* Rights that HotSpot does not give on its socket. */
#define FOREIGN_RIGHTS 077

static int refuse_socket(const struct jvm_root *r, const char *why, struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EATTACH, JFREC_NO_OFFSET,
			  "%.100s/%s in the root of process %d %s, so it is not the JVM's attach "
			  "socket; remove it and try again",
			  r->tmp, r->socket, r->process.pid, why);
}

int attach_socket_check(const struct jvm_root *r, const struct opener_file *f,
			struct jfrec_error *err)
{
	if (!S_ISSOCK(f->mode))
		return refuse_socket(r, "is not a socket", err);
	if (f->uid != r->process.status.euid)
		return refuse_socket(r, "belongs to another user", err);
	if (f->mode & FOREIGN_RIGHTS)
		return refuse_socket(r, "is open to other users", err);
	return 0;
}

int attach_socket_find(struct jvm_root *r, struct jfrec_error *err)
{
	struct opener_file f;
	int found = opener_look(&r->opener, r->tmp_fd, r->socket, &f, NULL);

	if (found < 0 && errno == ETIMEDOUT)
		return jfrec_fail(err, JFREC_ETIMEOUT, JFREC_NO_OFFSET,
				  "the file system of the directory %.100s of process %d does not "
				  "respond",
				  r->tmp, r->process.pid);
	if (found < 0)
		return jfrec_fail_sys(err, errno, "cannot look for %.100s/%s of process %d",
				      r->tmp, r->socket, r->process.pid);
	return found == 0 ? 0 : attach_socket_check(r, &f, err) < 0 ? -1 : 1;
}
