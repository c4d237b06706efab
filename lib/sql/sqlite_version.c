/* SPDX-License-Identifier: MIT */
/*
 * sqlite_version.c - which SQLite there is
 */
#include "sql/library_version.h"
#include "sql/sqlite.h"

const char *jfrec_sql_library_version(struct jfrec_error *err)
{
	return jfrec_sql_load(err) == 0 ? sqlite3_libversion() : NULL;
}
