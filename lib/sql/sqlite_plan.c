/* SPDX-License-Identifier: MIT */
/*
 * sqlite_plan.c - SQL: how a table is read, as SQLite hands it on
 */
#include "sql/sqlite_plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char plan_letter(unsigned char op)
{
	switch (op) {
	case SQLITE_INDEX_CONSTRAINT_GT:
		return '>';
	case SQLITE_INDEX_CONSTRAINT_GE:
		return 'g';
	case SQLITE_INDEX_CONSTRAINT_LT:
		return '<';
	case SQLITE_INDEX_CONSTRAINT_LE:
		return 'l';
	case SQLITE_INDEX_CONSTRAINT_EQ:
		return 't';
	default:
		return 0;
	}
}

void plan_put_groups(sqlite3_str *s, const sqlite3_index_info *info)
{
	sqlite3_str_appendchar(s, 1, 'o');
	for (int i = 0; i < info->nOrderBy; i++)
		sqlite3_str_appendf(s, "%d%c", info->aOrderBy[i].iColumn,
				    info->aOrderBy[i].desc ? '-' : '+');
}

/* Bounds are whole nanoseconds; what is compared with anything else is left to SQLite. */
static void narrow(struct sql_plan *p, char letter, sqlite3_value *v)
{
	int64_t ns = sqlite3_value_int64(v), next = ns == INT64_MAX ? ns : ns + 1;
	int64_t from = INT64_MIN, to = INT64_MAX;

	if (sqlite3_value_type(v) != SQLITE_INTEGER)
		return;
	if (letter == '>')
		from = next;
	else if (letter == 'g' || letter == 't')
		from = ns;
	if (letter == '<')
		to = ns;
	else if (letter == 'l' || letter == 't')
		to = next;
	p->from_ns = from > p->from_ns ? from : p->from_ns;
	p->to_ns = to < p->to_ns ? to : p->to_ns;
}

static struct row_order read_groups(const char *text)
{
	struct row_order o = { .count = 0 };
	char *sign;

	for (; *text && o.count < ORDER_MOST; text = sign + 1) {
		o.columns[o.count] = strtoul(text, &sign, 10);
		o.descends[o.count++] = *sign == '-';
	}
	return o;
}

struct sql_plan plan_read(const char *text, int argc, sqlite3_value **argv)
{
	struct sql_plan p = { .from_ns = INT64_MIN, .to_ns = INT64_MAX, .key = -1 };
	char used[17];

	snprintf(used, sizeof(used), "%.16s", text);
	p.used = strtoull(used, NULL, 16);
	text += strlen(used);
	for (int i = 0; *text; i++, text++) {
		if (*text == 'o') {
			p.groups = read_groups(text + 1);
			break;
		}
		if (i >= argc)
			break;
		if (*text == 'k') {
			p.key = atoi(text + 1);
			p.value = argv[i];
			break;
		}
		narrow(&p, *text, argv[i]);
	}
	return p;
}
