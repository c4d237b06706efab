/* SPDX-License-Identifier: MIT */
/*
 * sqlite_plan.h - SQL: how a table is read, as SQLite hands it on
 *
 * A plan is a text: the columns that are used, as 16 hexadecimal digits, whose highest bit stands
 * for column 63 and all after it; then a letter for each argument:
 *
 *	> g < l t     startTime is later than it, not earlier, earlier, not later, the same
 *	k12           column 12 is equal to it
 *	o12+7-        rows in the order of column 12, then of 7 from the greatest value on, without
 *	              an argument: a GROUP BY
 *
 * SQLite looks at every row again, so a plan only has to leave no row out.
 */
#ifndef JFREC_SQL_SQLITE_PLAN_H
#define JFREC_SQL_SQLITE_PLAN_H

#include "sql/sqlite_rows.h"

/* What a plan says. */
struct sql_plan {
	uint64_t used;
	int64_t from_ns, to_ns;
	int key; /* a column; -1: none */
	sqlite3_value *value;
	struct row_order groups;
};

/* The letter of a comparison of startTime, SQLITE_INDEX_CONSTRAINT_...; 0: there is none. */
char plan_letter(unsigned char op);

/* Add the order that SQLite asks for; of at most ORDER_MOST columns. */
void plan_put_groups(sqlite3_str *s, const sqlite3_index_info *info);

struct sql_plan plan_read(const char *text, int argc, sqlite3_value **argv);

#endif
