/* SPDX-License-Identifier: MIT */
/*
 * sqlite.c - SQL: statements, and what they must not do
 *
 * A statement may come from anyone.  The database is in memory and empty; the authorizer lets
 * statements read and nothing else, so there is no way to another file: no ATTACH, no extension, no
 * function that opens one.  How long it takes is asked while it runs.
 */
#include "sql/sqlite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "base/error.h"
#include "base/near.h"
#include "base/options.h"

/* Steps of SQLite's machine between two looks at the time: some 10 microseconds. */
#define STEPS 1000

/* A statement longer than that is none that anybody wrote. */
#define MAX_STATEMENT (1 << 20)

/* The longest text or blob that a function may make. */
#define MAX_TEXT (256 << 20)

/* What is allowed ------------------------------------------------------------------------------ */

/* PRAGMA that only look. */
static bool is_harmless_pragma(const char *name, const char *argument)
{
	static const char *const names[] = {
		"table_info", "table_xinfo", "function_list", "module_list", "collation_list",
		"compile_options",
	};

	(void)argument;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (sqlite3_stricmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

static int authorize(void *ctx, int action, const char *a, const char *b, const char *c,
		     const char *d)
{
	const struct jfrec_sql *s = ctx;

	(void)c;
	(void)d;
	if (s->is_declaring)
		return SQLITE_OK;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return sqlite_may_call(b) ? SQLITE_OK : SQLITE_DENY;
	case SQLITE_PRAGMA:
		return is_harmless_pragma(a, b) ? SQLITE_OK : SQLITE_DENY;
	default:
		return SQLITE_DENY;
	}
}

static void set_limits(sqlite3 *db)
{
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, MAX_TEXT);
	sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, MAX_STATEMENT);
	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
	sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
	sqlite3_limit(db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	/* A name in double quotes that is not a column is a mistake, not a text. */
	sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
}

static int look_at_time(void *sql)
{
	const struct jfrec_sql *s = sql;

	return *source_stop_flag(s->tables->source) ||
	       (s->tables->deadline_ns && deadline_now() > s->tables->deadline_ns);
}

/* Opening -------------------------------------------------------------------------------------- */

static int open_database(struct jfrec_sql *s)
{
	int got = sqlite3_open_v2(":memory:", &s->db,
				  SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
				  NULL);

	if (got != SQLITE_OK)
		return got;
	set_limits(s->db);
	sqlite3_progress_handler(s->db, STEPS, look_at_time, s);
	/* What does not fit into memory fails, rather than to fill a disk with it. */
	got = sqlite3_exec(s->db, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
	if (got == SQLITE_OK)
		got = sqlite_add_functions(s->db);
	if (got == SQLITE_OK)
		got = sqlite3_set_authorizer(s->db, authorize, s);
	return got;
}

struct jfrec_sql *jfrec_sql_new(struct jfrec_tables *t, const struct jfrec_sql_options *options,
				struct jfrec_error *err)
{
	struct jfrec_sql_options o;
	struct jfrec_sql *s;
	int got;

	if (options_take(&o, sizeof(o), options, err) < 0 || jfrec_sql_load(err) < 0)
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s) {
		jfrec_fail_memory(err);
		return NULL;
	}
	s->tables = t;
	s->timeout_ns = o.timeout_ns;
	if (o.memory)
		sqlite3_hard_heap_limit64((sqlite3_int64)o.memory);
	got = open_database(s);
	if (got == SQLITE_OK)
		return s;
	if (got == SQLITE_NOMEM)
		jfrec_fail_memory(err);
	else
		jfrec_fail(err, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET, "SQLite %s cannot be used: %s",
			   sqlite3_libversion(), sqlite3_errstr(got));
	jfrec_sql_free(s);
	return NULL;
}

void jfrec_sql_free(struct jfrec_sql *s)
{
	if (!s)
		return;
	sqlite3_finalize(s->statement);
	sqlite3_close(s->db);
	s->tables->deadline_ns = 0;
	digest_map_fini(&s->known);
	free(s);
}

/* Failures ------------------------------------------------------------------------------------- */

/* Those of the tables that a statement names; a value of an object has dots, and needs quotes. */
static const char *columns_near(const struct jfrec_sql *s, const char *name, char *list)
{
	struct near near = { .name = name };
	const char *between = "; did you mean ";
	size_t len = 0, count;

	for (size_t i = 0; i < s->tables->count; i++) {
		const struct jfrec_table_column *c;

		for (size_t k = 0; s->tables->tables[i].is_named &&
				   (c = jfrec_tables_column_get(s->tables, i, k));
		     k++)
			near_offer(&near, c->name);
	}
	count = near_count(&near);
	for (size_t i = 0; i < count; i++) {
		len += (size_t)snprintf(list + len, NEAR_LIST_MAX - len, "%s\"%s\"", between,
					near.items[i].name);
		between = i + 2 == count ? " or " : ", ";
	}
	snprintf(list + len, NEAR_LIST_MAX - len, "%s", count ? "?" : "");
	/* The table, or an alias of it, may stand before it. */
	return count || !strchr(name, '.') ? list : columns_near(s, strchr(name, '.') + 1, list);
}

/* The names of tables, or columns, that are near to one that there is not. */
static const char *suggestion(const struct jfrec_sql *s, const char *message, char *list)
{
	static const char no_table[] = "no such table: ", no_column[] = "no such column: ";
	struct near near = { .name = message + sizeof(no_table) - 1 };

	*list = '\0';
	if (strncmp(message, no_column, sizeof(no_column) - 1) == 0)
		return columns_near(s, message + sizeof(no_column) - 1, list);
	if (strncmp(message, no_table, sizeof(no_table) - 1) != 0)
		return list;
	for (size_t i = 0; i < s->tables->count; i++)
		near_offer(&near, s->tables->tables[i].info.name);
	return near_list(&near, list);
}

static int fail_interrupted(const struct jfrec_sql *s, struct jfrec_error *err)
{
	if (source_check_stop(s->tables->source, err) < 0)
		return -1;
	return jfrec_fail(err, JFREC_ETIMEOUT, JFREC_NO_OFFSET,
			  "the statement did not end within %.3g s",
			  (double)s->timeout_ns / 1e9);
}

static int fail(struct jfrec_sql *s, int result, struct jfrec_error *err)
{
	const char *message = sqlite3_errmsg(s->db);
	int at = sqlite3_error_offset(s->db);
	char list[NEAR_LIST_MAX];

	if (s->failure.code == JFREC_ETIMEOUT)
		return fail_interrupted(s, err);
	if (s->failure.code) {
		if (err)
			*err = s->failure;
		return -1;
	}
	switch (result & 0xff) {
	case SQLITE_NOMEM:
		return jfrec_fail_memory(err);
	case SQLITE_INTERRUPT:
		return fail_interrupted(s, err);
	case SQLITE_AUTH:
		return jfrec_fail(err, JFREC_EEXPRESSION, JFREC_NO_OFFSET,
				  "only SELECT is allowed: a recording can be read, not changed");
	default:
		return jfrec_fail(err, JFREC_EEXPRESSION, at < 0 ? JFREC_NO_OFFSET : (uint64_t)at,
				  "%.200s%s", message, suggestion(s, message, list));
	}
}

/* Statements ----------------------------------------------------------------------------------- */

/* Is there more than blanks, semicolons and comments?  Only SQLite's parser knows. */
static bool has_more(struct jfrec_sql *s, const char *tail)
{
	sqlite3_stmt *next = NULL;
	int got;

	while (*tail) {
		const char *after = tail;

		got = sqlite3_prepare_v2(s->db, tail, -1, &next, &after);
		sqlite3_finalize(next);
		if (got != SQLITE_OK || next || after == tail)
			return true;
		tail = after;
	}
	return false;
}

int jfrec_sql_ask(struct jfrec_sql *s, const char *statement, struct jfrec_error *err)
{
	const char *tail = "";
	int got;

	sqlite3_finalize(s->statement);
	s->statement = NULL;
	s->failure = (struct jfrec_error){ 0 };
	s->tables->deadline_ns = s->timeout_ns ? deadline_now() + s->timeout_ns : 0;
	if (strlen(statement) > MAX_STATEMENT)
		return jfrec_fail(err, JFREC_EEXPRESSION, JFREC_NO_OFFSET,
				  "the statement is longer than 1 MiB");
	got = sqlite_add_tables(s, statement);
	if (got == SQLITE_OK)
		got = sqlite3_prepare_v2(s->db, statement, -1, &s->statement, &tail);
	if (got != SQLITE_OK)
		return fail(s, got, err);
	if (!s->statement)
		return jfrec_fail(err, JFREC_EEXPRESSION, JFREC_NO_OFFSET,
				  "there is no statement; write for example 'SELECT count(*) FROM "
				  "ExecutionSample'");
	if (has_more(s, tail))
		return jfrec_fail(err, JFREC_EEXPRESSION, (uint64_t)(tail - statement),
				  "there is more than one statement");
	return 0;
}

size_t jfrec_sql_column_count(const struct jfrec_sql *s)
{
	return s->statement ? (size_t)sqlite3_column_count(s->statement) : 0;
}

const char *jfrec_sql_column_name(const struct jfrec_sql *s, size_t i)
{
	return i < jfrec_sql_column_count(s) ? sqlite3_column_name(s->statement, (int)i) : NULL;
}

int jfrec_sql_next(struct jfrec_sql *s, struct jfrec_error *err)
{
	int got = s->statement ? sqlite3_step(s->statement) : SQLITE_DONE;

	if (got == SQLITE_ROW)
		return 1;
	return got == SQLITE_DONE ? 0 : fail(s, got, err);
}

struct jfrec_cell jfrec_sql_cell(const struct jfrec_sql *s, size_t column)
{
	struct jfrec_cell c = { .kind = JFREC_KIND_NULL };
	int i = (int)column;

	switch (sqlite3_column_type(s->statement, i)) {
	case SQLITE_INTEGER:
		c.kind = JFREC_KIND_INT;
		c.i = sqlite3_column_int64(s->statement, i);
		break;
	case SQLITE_FLOAT:
		c.kind = JFREC_KIND_FLOAT;
		c.d = sqlite3_column_double(s->statement, i);
		break;
	case SQLITE_TEXT:
	case SQLITE_BLOB:
		c.text = (const char *)sqlite3_column_text(s->statement, i);
		c.len = (size_t)sqlite3_column_bytes(s->statement, i);
		c.kind = c.text ? JFREC_KIND_STRING : JFREC_KIND_NULL;
		break;
	default:
		break;
	}
	return c;
}
