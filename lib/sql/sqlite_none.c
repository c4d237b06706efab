/* SPDX-License-Identifier: MIT */
/*
 * sqlite_none.c - SQL in a library that was built without SQLite
 */
#include "base/error.h"
#include "jfrec/sql.h"
#include "sql/library_version.h"

static int fail(struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET,
			  "jfrec was built without SQLite; install libsqlite3-dev and build it "
			  "again with -Dsqlite=enabled");
}

int jfrec_sql_load(struct jfrec_error *err)
{
	return fail(err);
}

const char *jfrec_sql_library_version(struct jfrec_error *err)
{
	fail(err);
	return NULL;
}

struct jfrec_sql *jfrec_sql_new(struct jfrec_tables *t, const struct jfrec_sql_options *o,
				struct jfrec_error *err)
{
	(void)t;
	(void)o;
	fail(err);
	return NULL;
}

void jfrec_sql_free(struct jfrec_sql *s)
{
	(void)s;
}

int jfrec_sql_ask(struct jfrec_sql *s, const char *statement, struct jfrec_error *err)
{
	(void)s;
	(void)statement;
	return fail(err);
}

size_t jfrec_sql_column_count(const struct jfrec_sql *s)
{
	(void)s;
	return 0;
}

const char *jfrec_sql_column_name(const struct jfrec_sql *s, size_t i)
{
	(void)s;
	(void)i;
	return NULL;
}

int jfrec_sql_next(struct jfrec_sql *s, struct jfrec_error *err)
{
	(void)s;
	return fail(err);
}

struct jfrec_cell jfrec_sql_cell(const struct jfrec_sql *s, size_t column)
{
	(void)s;
	(void)column;
	return (struct jfrec_cell){ .kind = JFREC_KIND_NULL };
}

int jfrec_write_sqlite(struct jfrec_tables *t, const int64_t *from_ns, const int64_t *to_ns,
		       struct jfrec_output *to, uint64_t *rows, struct jfrec_error *err)
{
	(void)t;
	(void)from_ns;
	(void)to_ns;
	(void)to;
	(void)rows;
	return fail(err);
}
