/* SPDX-License-Identifier: MIT */
/*
 * confine_files.c - allow the files that a command names, and those that libc reads
 *
 * By Landlock, of Linux 5.13 or later. Each version restricts more: a newer kernel is asked for
 * all that it has, and an older one for what it knows. What is open already stays usable.
 */
#include "base/confine_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As in linux/landlock.h, which older systems do not have. */
struct ruleset {
	uint64_t files, network, scopes;
};

struct __attribute__((packed)) below {
	uint64_t rights;
	int32_t fd;
};

enum {
	CREATE_RULESET = 444, /* the same numbers everywhere */
	ADD_RULE = 445,
	RESTRICT_SELF = 446,
	ASK_VERSION = 1,
	PATH_BENEATH = 1,
};

enum right {
	WRITE_FILE = 1 << 1,
	READ_FILE = 1 << 2,
	READ_DIR = 1 << 3,
	REMOVE_DIR = 1 << 4,
	REMOVE_FILE = 1 << 5,
	MAKE_DIR = 1 << 7,
	MAKE_REG = 1 << 8,
	REFER = 1 << 13,    /* version 2 */
	TRUNCATE = 1 << 14, /* version 3 */

	FIRST_VERSION = (1 << 13) - 1, /* with running, and making devices, links, sockets */
	NETWORK = 3,		       /* version 4: TCP, bind and connect */
	IOCTL_DEV = 1 << 15,	       /* version 5 */
	SCOPES = 3,		       /* version 6: abstract sockets and signals */

	READING = READ_FILE | READ_DIR,
	OF_A_FILE = WRITE_FILE | READ_FILE | TRUNCATE,
	MAKING = WRITE_FILE | TRUNCATE | REMOVE_FILE | MAKE_REG,
	OUTPUT = READING | MAKING | REMOVE_DIR | MAKE_DIR | REFER,
};

/* What libc and the libraries open later: time zones, the number of processors, random bytes. */
static const char *const usual[] = {
	"/etc/localtime",
	"/etc/timezone",
	"/etc/zoneinfo",
	"/share/zoneinfo",
	"/usr/share/zoneinfo",
	"/usr/share/lib/zoneinfo",
	"/usr/lib/zoneinfo",
	"/sys/devices/system/cpu",
	"/dev/urandom",
};

/* For what is too large for memory (lib/base/tmpfile.h). */
static const char *const temporary[] = { "/var/tmp", "/tmp" };

/* Of a directory so many entries are looked at, in directories so deep below it. */
#define MOST_ENTRIES 10000
#define MOST_DEPTH   2

struct rules {
	int fd;
	uint64_t known; /* rights of this version */
};

static struct ruleset ruleset_of(int version)
{
	return (struct ruleset){
		.files = FIRST_VERSION | (version >= 2 ? REFER : 0) |
			 (version >= 3 ? TRUNCATE : 0) | (version >= 5 ? IOCTL_DEV : 0),
		.network = version >= 4 ? NETWORK : 0,
		.scopes = version >= 6 ? SCOPES : 0,
	};
}

static size_t size_of(int version)
{
	return (version >= 6 ? 3 : version >= 4 ? 2 : 1) * sizeof(uint64_t);
}

/* Failures are ignored: the command then says why it cannot open it. Pipes need no rule. */
static void allow_fd(const struct rules *r, int fd, uint64_t rights)
{
	struct below below = { rights & r->known, fd };
	struct stat st;

	if (fstat(fd, &st) < 0)
		return;
	if (!S_ISDIR(st.st_mode))
		below.rights &= OF_A_FILE;
	syscall(ADD_RULE, r->fd, PATH_BENEATH, &below, 0);
}

static bool allow(const struct rules *r, int at, const char *path, uint64_t rights)
{
	int fd = openat(at, path, O_PATH | O_CLOEXEC);
	struct stat st;
	bool is_directory;

	if (fd < 0)
		return false;
	allow_fd(r, fd, rights);
	is_directory = fstat(fd, &st) == 0 && S_ISDIR(st.st_mode);
	close(fd);
	return is_directory;
}

static bool is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/*
 * A directory of links to files elsewhere, as build systems make them for debug information, also
 * in .build-id/ab/.
 */
static void allow_links_in(const struct rules *r, int at, const char *path, int depth, int *left)
{
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | (depth ? O_NOFOLLOW : 0) | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (fd >= 0 && !d)
		close(fd);
	while (d && *left > 0 && (entry = readdir(d))) {
		--*left;
		if (entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN)
			allow(r, dirfd(d), entry->d_name, READING);
		else if (entry->d_type == DT_DIR && depth < MOST_DEPTH && !is_dots(entry->d_name))
			allow_links_in(r, dirfd(d), entry->d_name, depth + 1, left);
	}
	if (d)
		closedir(d);
}

/* TZ and TZDIR may name files of their own: ":/opt/zones/Here". */
static void allow_zones(const struct rules *r)
{
	const char *zone = getenv("TZ"), *directory = getenv("TZDIR");

	if (zone && *zone == ':')
		zone++;
	if (zone && *zone == '/')
		allow(r, AT_FDCWD, zone, READING);
	if (directory && *directory)
		allow(r, AT_FDCWD, directory, READING);
}

/* Overlays before Linux 6.1 have none, for example. */
static bool has_unnamed(const char *directory)
{
	int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void allow_paths(const struct rules *r, enum confinement how,
			const struct confine_paths *paths)
{
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		allow(r, AT_FDCWD, usual[i], READING);
	allow_zones(r);
	for (size_t i = 0; i < sizeof(temporary) / sizeof(*temporary); i++)
		allow(r, AT_FDCWD, temporary[i],
		      READ_FILE | WRITE_FILE |
			      (how == CONFINE_WRITING && !has_unnamed(temporary[i])
				       ? REMOVE_FILE | MAKE_REG
				       : 0));
	for (size_t i = 0; i < paths->read_count; i++) {
		int left = MOST_ENTRIES;

		if (allow(r, AT_FDCWD, paths->reads[i], READING))
			allow_links_in(r, AT_FDCWD, paths->reads[i], 0, &left);
	}
	for (size_t i = 0; how == CONFINE_WRITING && i < paths->write_count; i++) {
		char directory[4096];

		if (confine_directory(paths->writes[i], directory, sizeof(directory)))
			allow(r, AT_FDCWD, directory, OUTPUT);
	}
}

int confine_files(enum confinement how, const struct confine_paths *paths)
{
	int version = (int)syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
	struct ruleset ruleset = ruleset_of(version);
	struct rules r = { -1, ruleset.files };

	if (version >= 1)
		r.fd = (int)syscall(CREATE_RULESET, &ruleset, size_of(version), 0);
	if (r.fd < 0)
		return 0;
	allow_paths(&r, how, paths);
	if (syscall(RESTRICT_SELF, r.fd, 0) < 0)
		version = 0;
	close(r.fd);
	return version;
}

bool confine_directory(const char *path, char *room, size_t size)
{
	size_t len = strlen(path);
	struct stat st;

	if (len + 2 > size)
		return false;
	memcpy(room, path, len + 1);
	while (stat(room, &st) < 0 || !S_ISDIR(st.st_mode)) {
		while (len && room[len - 1] == '/')
			len--;
		while (len && room[len - 1] != '/')
			len--;
		if (len)
			room[len] = '\0';
		else
			strcpy(room, ".");
		if (!len || strcmp(room, "/") == 0)
			return stat(room, &st) == 0;
	}
	return true;
}
