/* SPDX-License-Identifier: MIT */
/*
 * sqlite_linked.c - SQLite, in a program that carries it with it
 *
 * With SQLITE_CORE its header does not send calls through a table.
 */
#include "sql/sqlite.h"

_Static_assert(SQLITE_VERSION_NUMBER >= 3038000, "this needs SQLite 3.38 or later");

int jfrec_sql_load(struct jfrec_error *err)
{
	(void)err;
	return 0;
}
