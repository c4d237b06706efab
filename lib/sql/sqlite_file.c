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
#include "sql/sqlite.h"

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

struct database {
	sqlite3 *db;
	const struct jfrec_tables *tables;
	struct jfrec_rows *rows;
	sqlite3_stmt **inserts; /* by the table; NULL: it has no rows yet */
	uint64_t *counts;
	size_t made; /* tables */
	sqlite3_stmt *add_stack, *add_recording;
	struct digest_map stacks; /* ids, by text */
	uint64_t stack_count;
	struct idmap known_stacks; /* of this chunk: ids, by column and number of the text */
	uint64_t chunk;
	char *recording; /* of the row before */
	sqlite3_int64 recording_id, recording_count;
	struct digest_map recordings;
	uint64_t count;
	const int64_t *from_ns, *to_ns; /* or NULL */
	struct jfrec_error err;
};

/* Keep why SQLite failed.  -1. */
static int fail(struct database *d, int result)
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

	return got == SQLITE_OK ? 0 : fail(d, got);
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

	return got == SQLITE_OK ? 0 : fail(d, got);
}

static int insert(struct database *d, sqlite3_stmt *statement)
{
	int got = sqlite3_step(statement);

	sqlite3_reset(statement);
	return got == SQLITE_DONE ? 0 : fail(d, got);
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

static int make_table(struct database *d, size_t table)
{
	char *name, *sql;
	int ret;

	if (tables_check_limit(d->tables, d->made++, &d->err) < 0)
		return -1;
	name = table_name(d, table);
	ret = name ? run_and_free(d, creation_of(d, table, name)) : fail(d, SQLITE_NOMEM);

	if (ret == 0) {
		sql = insertion_of(d, table, name);
		ret = prepare(d, sql, &d->inserts[table]);
		sqlite3_free(sql);
	}
	sqlite3_free(name);
	return ret;
}

/* Rows ----------------------------------------------------------------------------------------- */

static int add_stack(struct database *d, const struct jfrec_table_value *v, uint64_t id)
{
	const char *end = memchr(v->text, ';', v->len);
	int64_t depth = v->len > 0;

	for (uint32_t i = 0; i < v->len; i++)
		depth += v->text[i] == ';';
	sqlite3_bind_int64(d->add_stack, 1, (sqlite3_int64)id);
	sqlite3_bind_int64(d->add_stack, 2, depth);
	sqlite3_bind_text64(d->add_stack, 3, v->text, end ? (uint64_t)(end - v->text) : v->len,
			    SQLITE_STATIC, SQLITE_UTF8);
	sqlite3_bind_text64(d->add_stack, 4, v->text, v->len, SQLITE_STATIC, SQLITE_UTF8);
	return insert(d, d->add_stack);
}

/* The id of a stack trace, which is added if it is new; -1. */
static sqlite3_int64 stack_by_text(struct database *d, const struct jfrec_table_value *v)
{
	struct digest digest = DIGEST_INIT;
	uint64_t *place;

	digest_bytes(&digest, v->text, v->len);
	place = digest_map_put(&d->stacks, digest);
	if (!place)
		return fail(d, SQLITE_NOMEM);
	if (!*place) {
		*place = ++d->stack_count;
		if (add_stack(d, v, *place) < 0)
			return -1;
	}
	return (sqlite3_int64)*place;
}

/* The same by its number, where the chunk had it before. */
static sqlite3_int64 stack_of(struct database *d, size_t column, const struct jfrec_table_value *v)
{
	uint64_t key =
		(uint64_t)jfrec_rows_table(d->rows) << 44 | (uint64_t)column << 32 | v->number;
	uint32_t known;
	sqlite3_int64 id;

	if (v->number == JFREC_TABLE_NO_NUMBER)
		return stack_by_text(d, v);
	if (d->chunk != jfrec_rows_chunk(d->rows)) {
		d->chunk = jfrec_rows_chunk(d->rows);
		idmap_fini(&d->known_stacks);
	}
	known = idmap_get(&d->known_stacks, key);
	if (known != IDMAP_NONE)
		return known;
	id = stack_by_text(d, v);
	if (id > 0 && id < IDMAP_NONE && !idmap_put(&d->known_stacks, key, (uint32_t)id))
		return fail(d, SQLITE_NOMEM);
	return id;
}

/* The id of the row's recording, which is added if it is new; -1. */
static sqlite3_int64 recording_of(struct database *d)
{
	const char *path = jfrec_rows_recording(d->rows);
	struct digest digest = DIGEST_INIT;
	uint64_t *place;

	if (d->recording && strcmp(d->recording, path) == 0)
		return d->recording_id;
	digest_bytes(&digest, path, strlen(path));
	place = digest_map_put(&d->recordings, digest);
	free(d->recording);
	d->recording = strdup(path);
	if (!place || !d->recording)
		return fail(d, SQLITE_NOMEM);
	if (!*place) {
		*place = (uint64_t)++d->recording_count;
		sqlite3_bind_int64(d->add_recording, 1, d->recording_count);
		sqlite3_bind_text(d->add_recording, 2, path, -1, SQLITE_STATIC);
		if (insert(d, d->add_recording) < 0)
			return -1;
	}
	return d->recording_id = (sqlite3_int64)*place;
}

static int bind(struct database *d, sqlite3_stmt *to, size_t column, enum jfrec_kind kind)
{
	int at = (int)column + 1, got;
	struct jfrec_table_value v;
	sqlite3_int64 id;
	char text[24];

	jfrec_rows_value(d->rows, column, &v);
	if (v.is_null)
		return sqlite3_bind_null(to, at);
	if (kind == JFREC_KIND_STACK) {
		id = stack_of(d, column, &v);
		got = id < 0 ? SQLITE_ERROR : sqlite3_bind_int64(to, at, id);
	} else if (kind >= JFREC_KIND_STRING) {
		got = sqlite3_bind_text64(to, at, v.text, v.len, SQLITE_STATIC, SQLITE_UTF8);
	} else if (kind == JFREC_KIND_FLOAT32 || kind == JFREC_KIND_FLOAT64) {
		got = sqlite3_bind_double(to, at, v.d);
	} else if (kind == JFREC_KIND_UINT64 && v.i < 0) {
		got = sqlite3_bind_text(to, at, sqlite_unsigned_text(text, (uint64_t)v.i), -1,
					SQLITE_TRANSIENT);
	} else {
		got = sqlite3_bind_int64(to, at, v.i);
	}
	return got;
}

static int add_row(struct database *d)
{
	size_t table = jfrec_rows_table(d->rows);
	const struct table *t = &d->tables->tables[table];
	sqlite3_int64 recording = recording_of(d);
	int got = SQLITE_OK;

	if (recording < 0 || (!d->inserts[table] && make_table(d, table) < 0))
		return -1;
	for (size_t i = 0; i < t->info.column_count && got == SQLITE_OK; i++)
		got = bind(d, d->inserts[table], i, t->columns[i].info.kind);
	if (got == SQLITE_OK)
		got = sqlite3_bind_int64(d->inserts[table], (int)t->info.column_count + 1,
					 recording);
	if (got != SQLITE_OK)
		return fail(d, got);
	if (jfrec_rows_is_out_of_memory(d->rows))
		return fail(d, SQLITE_NOMEM);
	d->counts[table]++;
	d->count++;
	return insert(d, d->inserts[table]);
}

static int64_t ns_of(const struct database *d, const char *name)
{
	int column = jfrec_tables_find_column(d->tables, jfrec_rows_table(d->rows), name);
	struct jfrec_table_value v = { .is_null = true };

	if (column >= 0)
		jfrec_rows_value(d->rows, (size_t)column, &v);
	return v.is_null ? 0 : v.i;
}

static bool ended_before(const struct database *d)
{
	int64_t end, duration;

	if (!d->from_ns)
		return false;
	duration = ns_of(d, "duration");
	if (__builtin_add_overflow(ns_of(d, "startTime"), duration > 0 ? duration : 0, &end))
		return false;
	return end < *d->from_ns;
}

static int add_rows(struct database *d)
{
	int got = 0;

	jfrec_rows_set_span(d->rows, INT64_MIN, d->to_ns ? *d->to_ns : INT64_MAX);

	for (size_t i = 0; i < d->tables->count && got == 0; i++)
		got = jfrec_rows_want(d->rows, i, NULL, 0, &d->err);
	while (got >= 0 && (got = jfrec_rows_next(d->rows, &d->err)) > 0)
		got = ended_before(d) ? 0 : add_row(d);
	return got;
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
	jfrec_rows_free(d->rows);
	free(d->inserts);
	free(d->counts);
	free(d->recording);
	digest_map_fini(&d->stacks);
	digest_map_fini(&d->recordings);
	idmap_fini(&d->known_stacks);
}

static int fill(struct database *d, int fd, uint64_t most, struct jfrec_tables *t)
{
	int got = sqlite_open_file(fd, most, &d->db);

	if (got != SQLITE_OK)
		return fail(d, got);
	d->inserts = calloc(t->count + 1, sizeof(struct sqlite3_stmt *));
	d->counts = calloc(t->count + 1, sizeof(*d->counts));
	d->rows = jfrec_rows_new(t, &d->err);
	if (!d->inserts || !d->counts || !d->rows)
		return fail(d, SQLITE_NOMEM);
	if (begin(d) < 0 ||
	    prepare(d, "INSERT INTO stack VALUES(?, ?, ?, ?)", &d->add_stack) < 0 ||
	    prepare(d, "INSERT INTO recording VALUES(?, ?)", &d->add_recording) < 0)
		return -1;
	return add_rows(d) < 0 ? -1 : finish(d);
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
	ret = fill(&d, fd, to->most, t);
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
