/* SPDX-License-Identifier: MIT */
/*
 * opener.h - safe access to files that another user controls
 *
 * Files and directories of a JVM (repository, chunks, hsperfdata, `release`, attach socket) are
 * opened by a child process that has become that JVM's user for good (identity.h), so access is
 * decided with the rights of that user, whatever links, mounts or races lead elsewhere.  The child
 * also takes the waiting: a file system that does not answer (FUSE, a dead NFS server) holds the
 * child, never the caller.
 *
 * What every function here guarantees:
 * - It ends within OPENER_PATIENCE_MS; where the child only waits for a processor, within
 * OPENER_BUSY times that.  Then the child is given up, and all later calls with the same struct
 * opener fail at once with ETIMEDOUT.
 * - Paths: an absolute one is looked up in the directory as if that were `/` (links and `..` do not
 *   lead out of it; the last name is never a link).  A relative one, of one or more names, has no
 *   links and no `..` at all.
 * - Something is opened O_PATH first, looked at, and only if it is what it should be is it opened
 *   by that descriptor, and compared again.  So a FIFO, device, terminal or socket is never opened,
 *   nor is anything on /proc, /sys and the like.
 * - It must belong to that user, to root, or to the owner of the root directory of the process
 *   (root of a container), unless OPENER_ANYBODYS is given.
 * - A failure returns -1 with *err set (where there is one) and errno as well: ENOENT nothing is
 *   there; ELOOP a link; EACCES denied to that user; EPERM it belongs to another user; EMEDIUMTYPE
 *   it is not a file (or directory, or socket); ESTALE it is not what was expected; EFBIG;
 * ETIMEDOUT.
 */
#ifndef JFREC_PROCESS_OPENER_H
#define JFREC_PROCESS_OPENER_H

#include <limits.h>
#include <sys/types.h>

#include "process/process.h"

/* How long a file system may take for one step. */
#define OPENER_PATIENCE_MS 5000
#define OPENER_BUSY	6

/* What can be known of a file, a directory or a socket. */
struct opener_file {
	dev_t dev;
	ino_t ino;
	mode_t mode;
	uid_t uid;
	gid_t gid;
	uint64_t links;
	uint64_t size;	    /* as it claims */
	uint64_t disk_size; /* what it takes on its disk: far less than size if it is sparse */
	int64_t modified_ns;
};

struct opener {
	int channel; /* -1: there is no child */
	pid_t pid;
	uid_t uid;
	int root_fd;  /* O_PATH: the root directory of the process, or ours; -1: there is none */
	bool is_here; /* no child, and no other rights */
};

#define OPENER_NONE ((struct opener){ .channel = -1, .root_fd = -1 })

/*
 * For a directory that the caller named: with our own rights, in this process.  All else is as with
 * a child: nothing but regular files, and no links in it; but nothing is given up.
 */
#define OPENER_HERE ((struct opener){ .channel = -1, .root_fd = -1, .is_here = true })

enum opener_flags {
	OPENER_ANYBODYS = 1, /* it may belong to another user */
	/*
	 * A file of a file system that may hang is given as it is, though reading it may then take
	 * forever. Else what is given is a copy of what it has now, up to OPENER_COPY_MAX.
	 */
	OPENER_DIRECT = 2,
};

#define OPENER_COPY_MAX (256u << 20)

/*
 * Start the child for a process, with its effective ids, its groups and its root directory; where
 * we may not change our ids, with ours.  0, or -1 with *err set and nothing to stop:
 * JFREC_EPERMISSION if we may not see its root.
 */
int opener_start(struct opener *o, const struct process *p, struct jfrec_error *err);

/*
 * The same for a user of this host, who need not have a process: for what a dead JVM left behind.
 */
int opener_start_user(struct opener *o, uid_t uid, gid_t gid, struct jfrec_error *err);

/* End the child.  OPENER_NONE, and what was stopped before, is allowed. */
void opener_stop(struct opener *o);

/*
 * Open a directory that the caller named, with our own rights; a link in its path is followed.
 * O_PATH, or -1 with errno set.
 */
int opener_open_named(const char *path);

/* In what follows `dir` is any descriptor of a directory, such as o->root_fd; O_PATH will do. */

/* 1: *f is set; 0: nothing is there; -1: *err is set. Never follows a link in the last name. */
int opener_look(struct opener *o, int dir, const char *path, struct opener_file *f,
		struct jfrec_error *err);

/*
 * Open a directory: a descriptor (O_PATH), or -1.  *f may be NULL.  The descriptor only stands for
 * the directory: what is in it must be opened and listed by these functions, too.
 */
int opener_open_directory(struct opener *o, int dir, const char *path, int flags,
			  struct opener_file *f, struct jfrec_error *err);

/* Open a regular file to read: a descriptor, or -1.  *f may be NULL. */
int opener_open_file(struct opener *o, int dir, const char *path, int flags, struct opener_file *f,
		     struct jfrec_error *err);

/* The same for what an O_PATH descriptor stands for, which stays the caller's. */
int opener_reopen(struct opener *o, int fd, int flags, struct opener_file *f,
		  struct jfrec_error *err);

/*
 * The same for a file that the process has open as descriptor number `fd` of /proc/PID/fd: it need
 * not have a name any more.
 */
int opener_open_descriptor(struct opener *o, const struct process *p, int fd, int flags,
			   struct opener_file *f, struct jfrec_error *err);

/*
 * The content of a regular file of at most `limit` bytes (EFBIG otherwise).  Ends in NUL; to be
 * freed.  NULL with errno and *err set.
 */
char *opener_read(struct opener *o, int dir, const char *path, int flags, size_t limit, size_t *len,
		  struct jfrec_error *err);

/*
 * Call fn(ctx, name, f) for each entry but `.` and `..`, up to `limit` of them.  A name has no `/`
 * and may have any other byte; nothing is known of its owner's intentions: check type and owner.  A
 * negative result ends it, and is returned.  0: that was all; 1: there are more; -1: *err is set.
 * fn may call any function here.
 */
typedef int opener_entry_fn(void *ctx, const char *name, const struct opener_file *f);
int opener_list(struct opener *o, int dir, size_t limit, opener_entry_fn *fn, void *ctx,
		struct jfrec_error *err);

/*
 * Remove a file, or an empty directory, as its owner.  It must be what was seen before (dev, ino
 * and type of *expected; else ESTALE) and belong to o->uid, and `dir` must belong to o->uid or be
 * root's with the sticky bit, as /tmp is (else EPERM).  `name` is one name; a link is never
 * followed and never removed.
 */
int opener_remove(struct opener *o, int dir, const char *name, const struct opener_file *expected,
		  struct jfrec_error *err);

/*
 * May that user make a file in the directory, as far as can be known without making one?  0, or -1
 * with errno and *err set: EROFS, EACCES, ENOSPC (no file more has room).
 */
int opener_may_create(struct opener *o, int dir, struct jfrec_error *err);

/* What a file system has room for. */
struct opener_space {
	dev_t dev;
	uint64_t size, free; /* bytes; free: for those that are not root */
	bool is_read_only, has_no_inodes;
};

/* Of that in which the directory lies.  0, or -1 with errno and *err set. */
int opener_space(struct opener *o, int dir, struct opener_space *s, struct jfrec_error *err);

/*
 * Connect to a unix socket: a descriptor, not blocking, or -1; EAGAIN if too many wait before us,
 * ECONNREFUSED.  What is connected to is the very socket that was looked at, whatever has its name
 * by now.  Who listens must be checked by the caller (SO_PEERCRED) before a byte is sent.
 */
int opener_connect(struct opener *o, int dir, const char *name, struct opener_file *f,
		   struct jfrec_error *err);

#endif
