/* SPDX-License-Identifier: MIT */
/*
 * sqlite_vfs.c - a database in a file that is open, and has no name
 *
 * SQLite knows files by their names.  Ours has none until it is whole, so its only file is the
 * descriptor that is its name here, and the most that it may have: "7:1000000000".  Time and chance
 * are always 0, so that the same rows make the same bytes.
 */
#include "sql/sqlite_vfs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define VFS_NAME "jfrec-file"

struct open_file {
	sqlite3_file base; /* first, so that each is the other */
	int fd;
	uint64_t most;
	bool is_over;
};

static int fd_of(sqlite3_file *f)
{
	return ((struct open_file *)f)->fd;
}

/* Files ---------------------------------------------------------------------------------------- */

static int close_nothing(sqlite3_file *f)
{
	(void)f;
	return SQLITE_OK;
}

static int read_file(sqlite3_file *f, void *to, int size, sqlite3_int64 at)
{
	size_t done = 0, want = (size_t)size;

	while (done < want) {
		ssize_t n = pread(fd_of(f), (char *)to + done, want - done, at + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return SQLITE_IOERR_READ;
		if (n == 0)
			break;
		done += (size_t)n;
	}
	/* SQLite counts on zeros after the end. */
	memset((char *)to + done, 0, want - done);
	return done < want ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

static int write_file(sqlite3_file *f, const void *from, int size, sqlite3_int64 at)
{
	struct open_file *file = (struct open_file *)f;
	size_t done = 0, want = (size_t)size;

	file->is_over |= (uint64_t)at + want > file->most;
	if (file->is_over)
		return SQLITE_FULL;
	while (done < want) {
		ssize_t n =
			pwrite(fd_of(f), (const char *)from + done, want - done, at + (off_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE;
		done += (size_t)n;
	}
	return SQLITE_OK;
}

static int truncate_file(sqlite3_file *f, sqlite3_int64 size)
{
	return ftruncate(fd_of(f), size) < 0 ? SQLITE_IOERR_TRUNCATE : SQLITE_OK;
}

/* The output is flushed to disk before it gets its name. */
static int sync_nothing(sqlite3_file *f, int flags)
{
	(void)f;
	(void)flags;
	return SQLITE_OK;
}

static int size_of(sqlite3_file *f, sqlite3_int64 *size)
{
	struct stat st;

	if (fstat(fd_of(f), &st) < 0)
		return SQLITE_IOERR_FSTAT;
	*size = st.st_size;
	return SQLITE_OK;
}

static int lock_nothing(sqlite3_file *f, int level)
{
	(void)f;
	(void)level;
	return SQLITE_OK;
}

static int is_reserved(sqlite3_file *f, int *reserved)
{
	(void)f;
	*reserved = 0;
	return SQLITE_OK;
}

/* Beyond what SQLite keeps for itself. */
#define IS_OVER 0x4a464f00

static int control(sqlite3_file *f, int op, void *arg)
{
	if (op != IS_OVER)
		return SQLITE_NOTFOUND;
	*(bool *)arg = ((struct open_file *)f)->is_over;
	return SQLITE_OK;
}

static int sector_size(sqlite3_file *f)
{
	(void)f;
	return 4096;
}

static int characteristics(sqlite3_file *f)
{
	(void)f;
	return 0;
}

static const sqlite3_io_methods methods = {
	.iVersion = 1,
	.xClose = close_nothing,
	.xRead = read_file,
	.xWrite = write_file,
	.xTruncate = truncate_file,
	.xSync = sync_nothing,
	.xFileSize = size_of,
	.xLock = lock_nothing,
	.xUnlock = lock_nothing,
	.xCheckReservedLock = is_reserved,
	.xFileControl = control,
	.xSectorSize = sector_size,
	.xDeviceCharacteristics = characteristics,
};

/* The system ----------------------------------------------------------------------------------- */

/* Journals and temporary files are not needed: there are none. */
static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out_flags)
{
	struct open_file *file = (struct open_file *)f;
	const char *most = name ? strchr(name, ':') : NULL;

	(void)vfs;
	*file = (struct open_file){ 0 };
	if (!most || !(flags & SQLITE_OPEN_MAIN_DB))
		return SQLITE_CANTOPEN;
	file->fd = atoi(name);
	file->most = strtoull(most + 1, NULL, 10);
	file->base.pMethods = &methods;
	if (out_flags)
		*out_flags = flags;
	return SQLITE_OK;
}

static int delete_nothing(sqlite3_vfs *vfs, const char *name, int sync)
{
	(void)vfs;
	(void)name;
	(void)sync;
	return SQLITE_OK;
}

static int access_nothing(sqlite3_vfs *vfs, const char *name, int flags, int *result)
{
	(void)vfs;
	(void)name;
	(void)flags;
	*result = 0;
	return SQLITE_OK;
}

static int full_name(sqlite3_vfs *vfs, const char *name, int size, char *to)
{
	(void)vfs;
	snprintf(to, (size_t)size, "%s", name);
	return SQLITE_OK;
}

static int no_chance(sqlite3_vfs *vfs, int size, char *to)
{
	(void)vfs;
	memset(to, 0, (size_t)size);
	return size;
}

static int no_sleep(sqlite3_vfs *vfs, int us)
{
	(void)vfs;
	return us;
}

static int no_time(sqlite3_vfs *vfs, double *day)
{
	(void)vfs;
	*day = 0;
	return SQLITE_OK;
}

static sqlite3_vfs vfs = {
	.iVersion = 1,
	.szOsFile = sizeof(struct open_file),
	.mxPathname = 64,
	.zName = VFS_NAME,
	.xOpen = open_file,
	.xDelete = delete_nothing,
	.xAccess = access_nothing,
	.xFullPathname = full_name,
	.xRandomness = no_chance,
	.xSleep = no_sleep,
	.xCurrentTime = no_time,
};

bool sqlite_file_is_over(sqlite3 *db)
{
	bool is_over = false;

	return sqlite3_file_control(db, "main", IS_OVER, &is_over) == SQLITE_OK && is_over;
}

int sqlite_open_file(int fd, uint64_t most, sqlite3 **db)
{
	char name[48];
	int got = sqlite3_vfs_register(&vfs, 0);

	*db = NULL;
	if (got != SQLITE_OK)
		return got;
	snprintf(name, sizeof(name), "%d:%" PRIu64, fd, most ? most : UINT64_MAX);
	got = sqlite3_open_v2(name, db,
			      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
			      VFS_NAME);
	if (got != SQLITE_OK)
		return got;
	return sqlite3_exec(*db,
			    "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF;"
			    "PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
			    "PRAGMA temp_store = MEMORY;",
			    NULL, NULL, NULL);
}
