/* SPDX-License-Identifier: MIT */
/*
 * touch.c - open files by the rules of opener.h, with the caller's rights
 */
#include "process/touch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "process/root.h"

/* The kinds of file systems, by the numbers that statfs(2) has for them ------------------------ */

/* They have a server, which may be gone, or may be the attacker's. */
static const unsigned remote[] = {
	0x65735546, /* FUSE */
	0x00006969, /* NFS */
	0xff534d42, /* CIFS */
	0xfe534d42, /* SMB 2 */
	0x0000517b, /* SMB */
	0x01021997, /* 9P */
	0x00c36400, /* Ceph */
	0x5346414f, /* AFS */
	0x6b414653, /* AFS of the kernel */
	0x73757245, /* Coda */
	0x00000187, /* autofs */
	0x0bd00bd0, /* Lustre */
	0x7461636f, /* OCFS2 */
	0x01161970, /* GFS2 */
	0x786f4256, /* VirtualBox */
};

/* Their files are not what they seem: some wait, some act when they are read. */
static const unsigned pseudo[] = {
	0x00009fa0, /* proc */
	0x62656572, /* sysfs */
	0x64626720, /* debugfs */
	0x74726163, /* tracefs */
	0x0027e0eb, /* cgroup */
	0x63677270, /* cgroup 2 */
	0xcafe4a11, /* bpf */
	0x73636673, /* securityfs */
	0xf97cff8c, /* SELinux */
	0x62656570, /* configfs */
	0xde5e81e4, /* efivarfs */
	0x6165676c, /* pstore */
	0x42494e4d, /* binfmt_misc */
	0x6e736673, /* nsfs */
};

static bool is_one_of(int fd, const unsigned *kinds, size_t count)
{
	struct statfs s;

	if (fstatfs(fd, &s) < 0)
		return true;
	for (size_t i = 0; i < count; i++) {
		if ((unsigned)s.f_type == kinds[i])
			return true;
	}
	return false;
}

bool touch_may_hang(int fd)
{
	return is_one_of(fd, remote, sizeof(remote) / sizeof(*remote));
}

static bool is_pseudo(int fd)
{
	return is_one_of(fd, pseudo, sizeof(pseudo) / sizeof(*pseudo));
}

/* Finding -------------------------------------------------------------------------------------- */

static void close_quietly(int fd)
{
	int error = errno;

	if (fd >= 0)
		close(fd);
	errno = error;
}

static int fail(int error)
{
	errno = error;
	return -1;
}

/* Give a descriptor up. */
static int fail_with(int fd, int error)
{
	close_quietly(fd);
	return fail(error);
}

void touch_take(struct opener_file *f, const struct stat *st)
{
	*f = (struct opener_file){
		.dev = st->st_dev,
		.ino = st->st_ino,
		.mode = st->st_mode,
		.uid = st->st_uid,
		.gid = st->st_gid,
		.links = st->st_nlink,
		.size = (uint64_t)st->st_size,
		.disk_size = (uint64_t)st->st_blocks * 512,
		.modified_ns = timespec_ns(st->st_mtim),
	};
}

int touch_fstat(int fd, struct opener_file *f)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -1;
	touch_take(f, &st);
	return 0;
}

int touch_find(int dir, const char *path, struct opener_file *f)
{
	int fd;

	if (!*path)
		return fail(ENOENT);
	fd = *path == '/' ? root_open_at(dir, path, O_PATH | O_NOFOLLOW)
			  : root_walk(dir, path, O_PATH | O_NOFOLLOW);
	if (fd >= 0 && touch_fstat(fd, f) < 0)
		return fail_with(fd, errno);
	return fd;
}

static bool is_allowed(const struct opener_worker *w, int flags, const struct opener_file *f)
{
	return (flags & OPENER_ANYBODYS) || f->uid == w->uid || f->uid == 0 ||
	       f->uid == w->root_uid;
}

/* 0, or the reason against it. */
static int check(const struct opener_worker *w, int flags, const struct opener_file *f, mode_t type)
{
	if (S_ISLNK(f->mode))
		return ELOOP;
	if ((f->mode & S_IFMT) != type)
		return EMEDIUMTYPE;
	return is_allowed(w, flags, f) ? 0 : EPERM;
}

int touch_directory(const struct opener_worker *w, int dir, const char *path, int flags,
		    struct opener_file *f)
{
	int fd = touch_find(dir, path, f), error;

	if (fd < 0)
		return -1;
	error = check(w, flags, f, S_IFDIR);
	return error ? fail_with(fd, error) : fd;
}

/* Files ---------------------------------------------------------------------------------------- */

static bool is_same(const struct opener_file *a, const struct opener_file *b)
{
	return a->dev == b->dev && a->ino == b->ino && (a->mode & S_IFMT) == (b->mode & S_IFMT);
}

/* What there is of a file now, in memory. Closes the descriptor. */
static int copy(int fd, const struct opener_file *f)
{
	static char piece[64 << 10];
	int to = f->size > OPENER_COPY_MAX ? -1 : memfd_create("jfrec", MFD_CLOEXEC);
	uint64_t left = f->size;
	ssize_t n = 1;

	if (to < 0)
		return fail_with(fd, f->size > OPENER_COPY_MAX ? EFBIG : errno);
	while (left && n > 0) {
		n = read(fd, piece, left < sizeof(piece) ? left : sizeof(piece));
		if (n < 0 || (n > 0 && write(to, piece, (size_t)n) != n)) {
			close_quietly(to);
			return fail_with(fd, errno);
		}
		left -= (uint64_t)n;
	}
	close(fd);
	return to;
}

int touch_reopen(const struct opener_worker *w, int fd, int flags, struct opener_file *f)
{
	struct opener_file again;
	char path[40];
	int file, error;

	if (touch_fstat(fd, f) < 0)
		return -1;
	error = check(w, flags, f, S_IFREG);
	if (!error && is_pseudo(fd))
		error = EMEDIUMTYPE;
	if (error)
		return fail(error);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file < 0)
		return -1;
	if (touch_fstat(file, &again) < 0 || !is_same(f, &again))
		return fail_with(file, ESTALE);
	return !(flags & OPENER_DIRECT) && touch_may_hang(file) ? copy(file, &again) : file;
}

int touch_file(const struct opener_worker *w, int dir, const char *path, int flags,
	       struct opener_file *f)
{
	int fd = touch_find(dir, path, f), file;

	if (fd < 0)
		return -1;
	file = touch_reopen(w, fd, flags, f);
	close_quietly(fd);
	return file;
}

/* Removing ------------------------------------------------------------------------------------- */

static bool is_name(const char *name)
{
	return *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

int touch_remove(const struct opener_worker *w, int dir, const char *name,
		 const struct opener_file *expected)
{
	struct opener_file f, around;
	int fd, error = 0;

	if (!is_name(name))
		return fail(EINVAL);
	if (touch_fstat(dir, &around) < 0)
		return -1;
	fd = touch_find(dir, name, &f);
	if (fd < 0)
		return -1;
	if (!is_same(&f, expected))
		error = ESTALE;
	else if (!S_ISREG(f.mode) && !S_ISDIR(f.mode))
		error = EMEDIUMTYPE;
	else if (f.uid != w->uid || (around.uid != w->uid &&
				     (around.uid != 0 || !(around.mode & S_ISVTX))))
		error = EPERM;
	close_quietly(fd);
	if (error)
		return fail(error);
	return unlinkat(dir, name, S_ISDIR(f.mode) ? AT_REMOVEDIR : 0);
}

/* Making --------------------------------------------------------------------------------------- */

int touch_space(int dir, struct opener_space *s)
{
	struct statvfs v;
	struct stat st;

	if (fstat(dir, &st) < 0 || fstatvfs(dir, &v) < 0)
		return -1;
	*s = (struct opener_space){
		.dev = st.st_dev,
		.is_read_only = v.f_flag & ST_RDONLY,
		/* Some file systems, such as btrfs, count none. */
		.has_no_inodes = v.f_files && !v.f_favail,
	};
	/* What is larger than that is a lie. */
	if (v.f_frsize && v.f_blocks <= INT64_MAX / v.f_frsize && v.f_bavail <= v.f_blocks) {
		s->size = (uint64_t)v.f_blocks * v.f_frsize;
		s->free = (uint64_t)v.f_bavail * v.f_frsize;
	}
	return 0;
}

int touch_may_create(int dir)
{
	struct statvfs fs;

	if (fstatvfs(dir, &fs) < 0)
		return -1;
	if (fs.f_flag & ST_RDONLY)
		return fail(EROFS);
	/* Some file systems count no files. */
	if (fs.f_files && !fs.f_favail)
		return fail(ENOSPC);
	return faccessat(dir, ".", W_OK | X_OK, AT_EACCESS);
}

int touch_try_socket(int dir)
{
	struct timespec now;
	char name[64];

	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(name, sizeof(name), ".jfrec-%d-%lx-%lx", (int)getpid(), (unsigned long)now.tv_sec,
		 (unsigned long)now.tv_nsec);
	return mknodat(dir, name, S_IFSOCK | 0600, 0) < 0 ? -1 : unlinkat(dir, name, 0);
}

/* Sockets -------------------------------------------------------------------------------------- */

int touch_connect_to(int socket_fd)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d", socket_fd);
	if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof(address)) < 0)
		return fail_with(fd, errno);
	return fd;
}

int touch_connect(const struct opener_worker *w, int dir, const char *name, struct opener_file *f)
{
	int at, fd = -1, error;

	if (!is_name(name))
		return fail(EINVAL);
	at = touch_find(dir, name, f);
	if (at < 0)
		return -1;
	error = check(w, 0, f, S_IFSOCK);
	if (!error)
		fd = touch_connect_to(at);
	else
		errno = error;
	close_quietly(at);
	return fd;
}
