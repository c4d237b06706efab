/* SPDX-License-Identifier: MIT */
/*
 * kernel.h - system calls that not every libc wraps
 *
 * musl knows statx() since 1.2.5 only, and renameat2() later still.
 */
#ifndef JFREC_BASE_KERNEL_H
#define JFREC_BASE_KERNEL_H

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef STATX_TYPE
#include <linux/stat.h>
#endif
#ifndef AT_STATX_DONT_SYNC
#define AT_STATX_DONT_SYNC 0x4000
#endif
#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

/* renameat() that replaces nothing: EEXIST then; EINVAL or ENOSYS where that cannot be had. */
static inline int kernel_rename_new(int from_dir, const char *from, int to_dir, const char *to)
{
	return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, RENAME_NOREPLACE);
}

/* Only S_IFMT of .st_mode, without asking the server of a network or FUSE file system; 0 or -1. */
static inline int kernel_type(int fd, mode_t *type)
{
	struct statx s;

	if (syscall(SYS_statx, fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &s) < 0)
		return -1;
	*type = s.stx_mode & S_IFMT;
	return 0;
}

#endif
