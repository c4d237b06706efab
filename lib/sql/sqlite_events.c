/* SPDX-License-Identifier: MIT */
/*
 * sqlite_events.c - SQL: the table `events`, which has a row for each event of any type
 *
 *	type    startTime    duration    thread    recording
 *
 * It reads the recording once for each pass, as the tables of types do, and of each event these
 * columns alone.
 */
#include "sql/sqlite.h"

#include <string.h>

enum {
	TYPE,
	START,
	DURATION,
	THREAD,
	RECORDING,
};

/* Of one type: the columns that a row's values are from; SIZE_MAX: it has none. */
struct places {
	size_t start, duration, java_name, os_name;
};

struct events_table {
	sqlite3_vtab base; /* first, so that each is the other */
	struct jfrec_sql *sql;
	struct places *places; /* by table */
};

struct events_cursor {
	sqlite3_vtab_cursor base; /* the same */
	struct jfrec_rows *rows;
	bool at_end;
	sqlite3_int64 rowid;
};

static size_t place_of(const struct jfrec_tables *t, size_t table, const char *name)
{
	int i = jfrec_tables_find_column(t, table, name);

	return i < 0 ? SIZE_MAX : (size_t)i;
}

static size_t place_of_thread(const struct jfrec_tables *t, size_t table, const char *event,
			      const char *sampled)
{
	size_t place = place_of(t, table, event);

	return place == SIZE_MAX ? place_of(t, table, sampled) : place;
}

static int connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out,
		   char **message)
{
	struct jfrec_sql *sql = aux;
	const struct jfrec_tables *t = sql->tables;
	struct events_table *table = sqlite3_malloc64(sizeof(*table));
	struct places *places = sqlite3_malloc64((t->count + 1) * sizeof(*places));
	int got = SQLITE_NOMEM;

	(void)argc;
	(void)argv;
	(void)message;
	sql->is_declaring = true;
	if (table && places)
		got = sqlite3_declare_vtab(db,
					   "CREATE TABLE x(type TEXT, startTime INTEGER, "
					   "duration INTEGER, thread TEXT, recording TEXT HIDDEN)");
	sql->is_declaring = false;
	if (got != SQLITE_OK) {
		sqlite3_free(places);
		sqlite3_free(table);
		return got;
	}
	for (size_t i = 0; i < t->count; i++)
		places[i] = (struct places){
			.start = place_of(t, i, "startTime"),
			.duration = place_of(t, i, "duration"),
			.java_name = place_of_thread(t, i, "eventThread.javaName",
						     "sampledThread.javaName"),
			.os_name =
				place_of_thread(t, i, "eventThread.osName", "sampledThread.osName"),
		};
	*table = (struct events_table){ .sql = sql, .places = places };
	*out = &table->base;
	return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *v)
{
	sqlite3_free(((struct events_table *)v)->places);
	sqlite3_free(v);
	return SQLITE_OK;
}

static int best_index(sqlite3_vtab *v, sqlite3_index_info *info)
{
	(void)v;
	info->estimatedRows = 10000000;
	info->estimatedCost = 1e8;
	return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *v, sqlite3_vtab_cursor **out)
{
	struct events_cursor *c = sqlite3_malloc64(sizeof(*c));

	(void)v;
	if (!c)
		return SQLITE_NOMEM;
	*c = (struct events_cursor){ .at_end = true };
	*out = &c->base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
	jfrec_rows_free(((struct events_cursor *)cursor)->rows);
	sqlite3_free(cursor);
	return SQLITE_OK;
}

static int fail(struct events_table *t, const struct jfrec_error *err)
{
	t->sql->failure = *err;
	sqlite3_free(t->base.zErrMsg);
	t->base.zErrMsg = sqlite3_mprintf("%s", err->text);
	return err->code == JFREC_ENOMEM ? SQLITE_NOMEM : SQLITE_IOERR;
}

static int step(struct events_cursor *c)
{
	struct jfrec_error err = { 0 };
	int got = jfrec_rows_next(c->rows, &err);

	c->rowid++;
	c->at_end = got <= 0;
	return got < 0 ? fail((struct events_table *)c->base.pVtab, &err) : SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *cursor)
{
	return step((struct events_cursor *)cursor);
}

/* All columns that some row needs, of each type. */
static int want_all(struct events_table *t, struct jfrec_rows *rows, struct jfrec_error *err)
{
	for (size_t i = 0; i < t->sql->tables->count; i++) {
		const struct places *p = &t->places[i];
		const size_t all[] = { p->start, p->duration, p->java_name, p->os_name };
		size_t wanted[4], count = 0;

		for (size_t k = 0; k < 4; k++) {
			if (all[k] != SIZE_MAX)
				wanted[count++] = all[k];
		}
		if (!count)
			wanted[count++] = SIZE_MAX; /* the row, and no value */
		if (jfrec_rows_want(rows, i, wanted, count, err) < 0)
			return -1;
	}
	return 0;
}

static int filter(sqlite3_vtab_cursor *cursor, int number, const char *text, int argc,
		  sqlite3_value **argv)
{
	struct events_cursor *c = (struct events_cursor *)cursor;
	struct events_table *t = (struct events_table *)cursor->pVtab;
	struct jfrec_error err = { 0 };

	(void)number, (void)text, (void)argc, (void)argv;
	jfrec_rows_free(c->rows);
	c->rowid = 0;
	c->rows = jfrec_rows_new(t->sql->tables, &err);
	if (!c->rows || want_all(t, c->rows, &err) < 0)
		return fail(t, &err);
	return step(c);
}

static int is_at_end(sqlite3_vtab_cursor *cursor)
{
	return ((struct events_cursor *)cursor)->at_end;
}

/* Was there such a value? It is given to SQLite then. */
static bool give(struct events_cursor *c, sqlite3_context *to, size_t place, bool is_text)
{
	struct jfrec_table_value v = { .is_null = true };

	if (place != SIZE_MAX)
		jfrec_rows_value(c->rows, place, &v);
	if (v.is_null)
		return false;
	if (is_text)
		sqlite3_result_text64(to, v.text, v.len, SQLITE_TRANSIENT, SQLITE_UTF8);
	else
		sqlite3_result_int64(to, v.i);
	return true;
}

/* A column of that name that is not a time, a span or a text is another one. */
static bool is_of_kind(const struct jfrec_tables *t, size_t table, size_t place, int column)
{
	const struct jfrec_table_column *c = jfrec_tables_column_get(t, table, place);

	return c && (column == START	  ? c->kind == JFREC_KIND_TIME
		     : column == DURATION ? c->kind == JFREC_KIND_SPAN
					  : c->kind == JFREC_KIND_STRING);
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *to, int i)
{
	struct events_cursor *c = (struct events_cursor *)cursor;
	const struct events_table *t = (const struct events_table *)cursor->pVtab;
	const struct jfrec_tables *tables = t->sql->tables;
	size_t table = jfrec_rows_table(c->rows);
	const struct places *p = &t->places[table];
	size_t place = i == START ? p->start : i == DURATION ? p->duration : p->java_name;

	if (i == TYPE) {
		sqlite3_result_text(to, jfrec_tables_get(tables, table)->type, -1,
				    SQLITE_TRANSIENT);
	} else if (i == RECORDING) {
		sqlite3_result_text(to, jfrec_rows_recording(c->rows), -1, SQLITE_TRANSIENT);
	} else if (!is_of_kind(tables, table, place, i) || !give(c, to, place, i == THREAD)) {
		if (i == THREAD && is_of_kind(tables, table, p->os_name, i))
			give(c, to, p->os_name, true);
	}
	return jfrec_rows_is_out_of_memory(c->rows) ? SQLITE_NOMEM : SQLITE_OK;
}

static int rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
	*id = ((const struct events_cursor *)cursor)->rowid;
	return SQLITE_OK;
}

/* Without xCreate: a table is there by its name alone. */
static const sqlite3_module module = {
	.iVersion = 1,
	.xConnect = connect,
	.xBestIndex = best_index,
	.xDisconnect = disconnect,
	.xOpen = open_cursor,
	.xClose = close_cursor,
	.xFilter = filter,
	.xNext = next,
	.xEof = is_at_end,
	.xColumn = column,
	.xRowid = rowid,
};

int sqlite_add_events(struct jfrec_sql *s)
{
	return sqlite3_create_module_v2(s->db, SQLITE_EVENTS, &module, s, NULL);
}
