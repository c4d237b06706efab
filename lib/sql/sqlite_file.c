/* SPDX-License-Identifier: MIT */
/*
 * sqlite_file.c - write tables into a SQLite database
 *
 *	meta       what wrote it, and how times and stacks are kept
 *	recording  the recordings: id, path
 *	type       the event types: id, name, label, category, description, rows
 *	field      their columns: type, position, name, path, recorded type, kind's unit, label
 *	stack      each stack trace once: id, depth, top, frames
 *	events     a view of all: type, start, end, recording
 *	...        a table for each type that has events
 *
 * A table is made when its first row comes.  All rows are one transaction in a file without a name.
 */
#include "sql/sqlite_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/tmpfile.h"
#include "output/output.h"
#include "sql/sqlite_vfs.h"

#define APPLICATION_ID "0x4a465231" /* "JFR1" */
#define SCHEMA_VERSION "1"

int database_fail(struct database *d, int result)
{
	if (d->err.code)
		return -1;
	if (result == SQLITE_NOMEM)
		return jfrec_fail_memory(&d->err);
	if (result == SQLITE_FULL)
		return jfrec_fail_output(&d->err, sqlite_file_is_over(d->db) ? EOVERFLOW : ENOSPC);
	return jfrec_fail(&d->err, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET,
			  "SQLite cannot write this table: %.200s", sqlite3_errmsg(d->db));
}

static int run(struct database *d, const char *sql)
{
	int got = sql ? sqlite3_exec(d->db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;

	return got == SQLITE_OK ? 0 : database_fail(d, got);
}

static int run_and_free(struct database *d, char *sql)
{
	int ret = run(d, sql);

	sqlite3_free(sql);
	return ret;
}

static int prepare(struct database *d, const char *sql, sqlite3_stmt **statement)
{
	int got = sql ? sqlite3_prepare_v2(d->db, sql, -1, statement, NULL) : SQLITE_NOMEM;

	return got == SQLITE_OK ? 0 : database_fail(d, got);
}

/* Tables --------------------------------------------------------------------------------------- */

static const char *type_in_file(enum jfrec_kind kind)
{
	return kind == JFREC_KIND_STACK ? " INTEGER REFERENCES stack" : sqlite_type_of(kind);
}

static int begin(struct database *d)
{
	return run(d, "PRAGMA application_id = " APPLICATION_ID "; PRAGMA user_version = " SCHEMA_VERSION
		      "; BEGIN;"
		      "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
		      "CREATE TABLE recording(id INTEGER PRIMARY KEY, path TEXT);"
		      "CREATE TABLE type(id INTEGER PRIMARY KEY, name TEXT, label TEXT, category TEXT,"
		      " description TEXT, rows INTEGER);"
		      "CREATE TABLE field(type INTEGER REFERENCES type, position INTEGER, name TEXT,"
		      " path TEXT, recorded_type TEXT, unit TEXT, label TEXT,"
		      " PRIMARY KEY(type, position)) WITHOUT ROWID;"
		      "CREATE TABLE stack(id INTEGER PRIMARY KEY, depth INTEGER, top TEXT, frames TEXT);");
}

/* Tables of our own have names that an event type may have, too: then its table gets a suffix. */
static char *table_name(const struct database *d, size_t table)
{
	static const char *const taken[] = { "meta", "recording", "type", "field", "stack", "events" };
	const char *name = d->tables->tables[table].info.name;
	bool is_ours = sqlite3_strnicmp(name, "sqlite_", 7) == 0;

	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
		is_ours |= sqlite3_stricmp(name, taken[i]) == 0;
	return sqlite3_mprintf(is_ours ? "event_%s" : "%s", name);
}

static char *creation_of(const struct database *d, size_t table, const char *name)
{
	sqlite3_str *s = sqlite3_str_new(d->db);
	const struct jfrec_table_column *c;
	char *recording = sqlite_recording_name(d->tables, table);

	sqlite3_str_appendf(s, "CREATE TABLE \"%w\"(", name);
	for (size_t i = 0; (c = jfrec_tables_column_get(d->tables, table, i)); i++)
		sqlite3_str_appendf(s, "\"%w\"%s, ", c->name, type_in_file(c->kind));
	sqlite3_str_appendf(s, "\"%w\" INTEGER REFERENCES recording)",
			    recording ? recording : "recording");
	sqlite3_free(recording);
	return sqlite3_str_finish(s);
}

static char *insertion_of(const struct database *d, size_t table, const char *name)
{
	sqlite3_str *s = sqlite3_str_new(d->db);

	sqlite3_str_appendf(s, "INSERT INTO \"%w\" VALUES(", name);
	for (size_t i = 0; i < d->tables->tables[table].info.column_count; i++)
		sqlite3_str_appendall(s, "?,");
	sqlite3_str_appendall(s, "?)");
	return sqlite3_str_finish(s);
}

int database_make_table(struct database *d, size_t table)
{
	char *name, *sql;
	int ret;

	if (tables_check_limit(d->tables, d->made++, &d->err) < 0)
		return -1;
	name = table_name(d, table);
	ret = name ? run_and_free(d, creation_of(d, table, name)) : database_fail(d, SQLITE_NOMEM);

	if (ret == 0) {
		sql = insertion_of(d, table, name);
		ret = prepare(d, sql, &d->inserts[table]);
		sqlite3_free(sql);
	}
	sqlite3_free(name);
	return ret;
}

/* What the tables are -------------------------------------------------------------------------- */

static int describe_columns(struct database *d, size_t table)
{
	const struct jfrec_table_column *c;
	int ret = 0;

	for (size_t i = 0; ret == 0 && (c = jfrec_tables_column_get(d->tables, table, i)); i++)
		ret = run_and_free(
			d,
			sqlite3_mprintf("INSERT INTO field VALUES(%d, %d, %Q, %Q, %Q, %Q, %Q)",
					(int)table + 1, (int)i, c->name, c->field, c->type,
					c->kind == JFREC_KIND_TIME ? "ns since 1970 UTC" : c->unit,
					c->label));
	return ret;
}

static int describe(struct database *d)
{
	int ret = 0;

	for (size_t i = 0; i < d->tables->count && ret == 0; i++) {
		const struct jfrec_table_info *t = &d->tables->tables[i].info;
		char *name = table_name(d, i);

		ret = run_and_free(d, sqlite3_mprintf("INSERT INTO type VALUES(%d, %Q, %Q, %Q, %Q, %lld)",
						      (int)i + 1, name, t->label, t->category,
						      t->description, (sqlite3_int64)d->counts[i]));
		sqlite3_free(name);
		if (ret == 0)
			ret = describe_columns(d, i);
	}
	return ret;
}

/* SQLite takes no more terms than that in one SELECT. */
#define MAX_TERMS 400

static int make_view(struct database *d)
{
	sqlite3_str *s = sqlite3_str_new(d->db);
	unsigned terms = 0;
	char *sql;

	sqlite3_str_appendall(s, "CREATE VIEW events(type, start, \"end\", recording) AS ");
	for (size_t i = 0; i < d->tables->count && terms < MAX_TERMS; i++) {
		int start = jfrec_tables_find_column(d->tables, i, "startTime");
		int duration = jfrec_tables_find_column(d->tables, i, "duration");
		char *name = table_name(d, i), *recording = sqlite_recording_name(d->tables, i);

		if (d->inserts[i] && start >= 0 && name && recording) {
			sqlite3_str_appendf(s, "%sSELECT %Q, startTime, startTime%s, \"%w\" FROM \"%w\"",
					    terms++ ? " UNION ALL " : "", name,
					    duration >= 0 ? " + coalesce(duration, 0)" : "", recording, name);
		}
		sqlite3_free(name);
		sqlite3_free(recording);
	}
	sql = sqlite3_str_finish(s);
	if (terms)
		return run_and_free(d, sql);
	sqlite3_free(sql);
	return 0;
}

static int finish(struct database *d)
{
	char *meta = sqlite3_mprintf("INSERT INTO meta VALUES('created_by', 'jfrec %q'),"
				     "('rows', '%llu'), ('times', 'ns since 1970, UTC'),"
				     "('durations', 'ns'), ('stacks', 'methods from the top, separated by ;')",
				     jfrec_version(), (unsigned long long)d->count);

	if (run_and_free(d, meta) < 0 || describe(d) < 0 || make_view(d) < 0)
		return -1;
	return run(d, "COMMIT");
}

/* Files ---------------------------------------------------------------------------------------- */

static void database_fini(struct database *d)
{
	for (size_t i = 0; d->inserts && i < d->tables->count; i++)
		sqlite3_finalize(d->inserts[i]);
	sqlite3_finalize(d->add_stack);
	sqlite3_finalize(d->add_recording);
	sqlite3_close(d->db);
	free(d->inserts);
	free(d->counts);
	free(d->values);
	free(d->recording);
	digest_map_fini(&d->stacks);
	digest_map_fini(&d->recordings);
	idmap_fini(&d->known_stacks);
}

/* A value for each column of the widest table. */
static bool make_values(struct database *d)
{
	size_t most = 0;

	for (size_t i = 0; i < d->tables->count; i++) {
		size_t columns = d->tables->tables[i].info.column_count;

		most = columns > most ? columns : most;
	}
	d->values = calloc(most + 1, sizeof(*d->values));
	return d->values;
}

static int fill(struct database *d, int fd, uint64_t most)
{
	int got = sqlite_open_file(fd, most, &d->db);

	if (got != SQLITE_OK)
		return database_fail(d, got);
	d->inserts = calloc(d->tables->count + 1, sizeof(struct sqlite3_stmt *));
	d->counts = calloc(d->tables->count + 1, sizeof(*d->counts));
	if (!d->inserts || !d->counts || !make_values(d))
		return database_fail(d, SQLITE_NOMEM);
	if (begin(d) < 0 ||
	    prepare(d, "INSERT INTO stack VALUES(?, ?, ?, ?)", &d->add_stack) < 0 ||
	    prepare(d, "INSERT INTO recording VALUES(?, ?)", &d->add_recording) < 0)
		return -1;
	return database_fill(d) < 0 ? -1 : finish(d);
}

/* Beside the output, so that there is room for one where there is for the other. */
static int open_beside(const struct jfrec_output *to)
{
	const char *path = output_is_named(to) ? to->path : "/tmp/";
	const char *slash = strrchr(path, '/');
	char *directory = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path))
				: strdup(".");
	int fd = directory ? tmpfile_in(directory) : -1;

	free(directory);
	return fd;
}

static int copy_whole(int fd, struct jfrec_output *to, struct jfrec_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return jfrec_fail_output(err, errno);
	output_copy(to, fd, 0, (uint64_t)st.st_size);
	return output_failed(to) ? output_fail(to, err) : 0;
}

int jfrec_write_sqlite(struct jfrec_tables *t, const int64_t *from_ns, const int64_t *to_ns,
		       struct jfrec_output *to, uint64_t *rows, struct jfrec_error *err)
{
	struct database d = { .tables = t, .from_ns = from_ns, .to_ns = to_ns };
	int fd, ret;

	if (jfrec_sql_load(err) < 0)
		return -1;
	fd = open_beside(to);
	if (fd < 0)
		return jfrec_fail_output(err, errno);
	ret = fill(&d, fd, to->most);
	if (ret < 0 && err)
		*err = d.err;
	if (rows)
		*rows = d.count;
	/* The file is whole once the database is closed. */
	database_fini(&d);
	if (ret == 0)
		ret = copy_whole(fd, to, err);
	close(fd);
	return ret;
}
