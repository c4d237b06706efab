/* SPDX-License-Identifier: MIT */
/*
 * sqlite_vfs.h - a database in a file that is open, and has no name
 */
#ifndef JFREC_SQL_SQLITE_VFS_H
#define JFREC_SQL_SQLITE_VFS_H

#include "sql/sqlite.h"

/*
 * Open an empty database in that file, which stays the caller's, and gets no more than `most`
 * bytes; 0: no limit.  It has no journal and no locks, and nothing in it depends on the time or on
 * chance: *db is to be closed, also on failure. SQLITE_OK, or another result.
 */
int sqlite_open_file(int fd, uint64_t most, sqlite3 **db);

/* Did it want more than it may have? */
bool sqlite_file_is_over(sqlite3 *db);

#endif
