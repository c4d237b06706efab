/* SPDX-License-Identifier: MIT */
/*
 * sqlite_file_insert.c - rows go into the tables of a SQLite database
 *
 * A table is made when its first row comes; so are the rows of stack traces and recordings that
 * it refers to.
 */
#include <stdlib.h>
#include <string.h>

#include "sql/sqlite_file.h"
#include "tables/columns.h"

static int insert(struct database *d, sqlite3_stmt *statement)
{
	int got = sqlite3_step(statement);

	sqlite3_reset(statement);
	return got == SQLITE_DONE ? 0 : database_fail(d, got);
}

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
		return database_fail(d, SQLITE_NOMEM);
	if (!*place) {
		*place = ++d->stack_count;
		if (add_stack(d, v, *place) < 0)
			return -1;
	}
	return (sqlite3_int64)*place;
}

/* The same by its number, where the scope had it before. */
static sqlite3_int64 stack_of(struct database *d, size_t table, size_t column)
{
	const struct jfrec_table_value *v = &d->values[column];
	uint64_t key = (uint64_t)table << 44 | (uint64_t)column << 32 | v->number;
	uint32_t known;
	sqlite3_int64 id;

	if (v->number == JFREC_TABLE_NO_NUMBER)
		return stack_by_text(d, v);
	known = idmap_get(&d->known_stacks, key);
	if (known != IDMAP_NONE)
		return known;
	id = stack_by_text(d, v);
	if (id > 0 && id < IDMAP_NONE && !idmap_put(&d->known_stacks, key, (uint32_t)id))
		return database_fail(d, SQLITE_NOMEM);
	return id;
}

/* The id of the row's recording, which is added if it is new; -1. */
static sqlite3_int64 recording_of(struct database *d, const char *path)
{
	struct digest digest = DIGEST_INIT;
	uint64_t *place;

	if (d->recording && strcmp(d->recording, path) == 0)
		return d->recording_id;
	digest_bytes(&digest, path, strlen(path));
	place = digest_map_put(&d->recordings, digest);
	free(d->recording);
	d->recording = strdup(path);
	if (!place || !d->recording)
		return database_fail(d, SQLITE_NOMEM);
	if (!*place) {
		*place = (uint64_t)++d->recording_count;
		sqlite3_bind_int64(d->add_recording, 1, d->recording_count);
		sqlite3_bind_text(d->add_recording, 2, path, -1, SQLITE_STATIC);
		if (insert(d, d->add_recording) < 0)
			return -1;
	}
	return d->recording_id = (sqlite3_int64)*place;
}

static int bind(struct database *d, size_t table, size_t column, enum jfrec_kind kind)
{
	const struct jfrec_table_value *v = &d->values[column];
	sqlite3_stmt *to = d->inserts[table];
	int at = (int)column + 1;
	sqlite3_int64 id;
	char text[24];

	if (v->is_null)
		return sqlite3_bind_null(to, at);
	if (kind == JFREC_KIND_STACK) {
		id = stack_of(d, table, column);
		return id < 0 ? SQLITE_ERROR : sqlite3_bind_int64(to, at, id);
	}
	if (kind_is_text(kind))
		return sqlite3_bind_text64(to, at, v->text, v->len, SQLITE_STATIC, SQLITE_UTF8);
	if (kind == JFREC_KIND_FLOAT32 || kind == JFREC_KIND_FLOAT64)
		return sqlite3_bind_double(to, at, v->d);
	if (kind == JFREC_KIND_UINT64 && v->i < 0)
		return sqlite3_bind_text(to, at, sqlite_unsigned_text(text, (uint64_t)v->i), -1,
					 SQLITE_TRANSIENT);
	return sqlite3_bind_int64(to, at, v->i);
}

static int64_t ns_of(const struct database *d, size_t table, const char *name)
{
	int column = jfrec_tables_find_column(d->tables, table, name);

	return column < 0 || d->values[column].is_null ? 0 : d->values[column].i;
}

static bool ended_before(const struct database *d, size_t table)
{
	int64_t end, duration;

	if (!d->from_ns)
		return false;
	duration = ns_of(d, table, "duration");
	if (__builtin_add_overflow(ns_of(d, table, "startTime"), duration > 0 ? duration : 0, &end))
		return false;
	return end < *d->from_ns;
}

static int insert_row(struct database *d, size_t table, sqlite3_int64 recording)
{
	const struct table *t = &d->tables->tables[table];
	size_t count = t->info.column_count;
	int got = SQLITE_OK;

	for (size_t i = 0; i < count && got == SQLITE_OK; i++)
		got = bind(d, table, i, t->columns[i].info.kind);
	if (got == SQLITE_OK)
		got = sqlite3_bind_int64(d->inserts[table], (int)count + 1, recording);
	if (got != SQLITE_OK)
		return database_fail(d, got);
	d->counts[table]++;
	d->count++;
	return insert(d, d->inserts[table]);
}

int database_add(struct database *d, size_t table, const char *path, uint64_t scope)
{
	sqlite3_int64 recording;

	if (ended_before(d, table))
		return 0;
	if (d->scope != scope) {
		d->scope = scope;
		idmap_fini(&d->known_stacks);
	}
	recording = recording_of(d, path);
	if (recording < 0 || (!d->inserts[table] && database_make_table(d, table) < 0))
		return -1;
	return insert_row(d, table, recording);
}
