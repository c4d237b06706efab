/* SPDX-License-Identifier: MIT */
/*
 * sqlite_table.c - SQL: each event type as a virtual table
 *
 *	xBestIndex: which columns, which times --(sqlite_plan.h)--> xFilter --> struct jfrec_rows
 *
 * A join reads the inner table once for each row of the outer one.  From the second time on its
 * rows are kept in memory, by the value that is looked for (sqlite_rows.h).
 */
#include "sql/sqlite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sql/sqlite_plan.h"
#include "sql/sqlite_rows.h"

/* Beyond so much, texts are not kept for SQLite. */
#define TEXTS_MOST ((size_t)64 << 20)

struct sql_table {
	sqlite3_vtab base; /* first, so that each is the other */
	struct jfrec_sql *sql;
	size_t table;
	size_t count; /* of columns; the one after them is the recording */
	int start;    /* the column of startTime; or -1 */
	/* What SQLite was given without a copy, which it may hold on to for a whole statement. */
	struct sql_texts texts;
};

struct sql_cursor {
	sqlite3_vtab_cursor base; /* the same */
	struct jfrec_rows *rows;
	bool at_end;
	sqlite3_int64 rowid;
	unsigned passes;
	struct row_store *store; /* from the second pass on, or if rows are to be in order */
	struct row_pick pick;	 /* where in it the cursor is */
};

/* Declaring ------------------------------------------------------------------------------------ */

const char *sqlite_type_of(enum jfrec_kind kind)
{
	switch (kind) {
	case JFREC_KIND_UINT64:
		return "";
	case JFREC_KIND_FLOAT32:
	case JFREC_KIND_FLOAT64:
		return " REAL";
	default:
		return kind >= JFREC_KIND_STRING ? " TEXT" : " INTEGER";
	}
}

/* SQLite refuses a table of more. */
#define COLUMNS_MOST 2000

char *sqlite_recording_name(const struct jfrec_tables *t, size_t table)
{
	char *name = sqlite3_mprintf("recording");

	for (unsigned n = 2;
	     name && n < COLUMNS_MOST && jfrec_tables_find_column(t, table, name) >= 0; n++) {
		sqlite3_free(name);
		name = sqlite3_mprintf("recording_%u", n);
	}
	return name;
}

static char *declaration_of(const struct jfrec_tables *t, size_t table)
{
	sqlite3_str *s = sqlite3_str_new(NULL);
	const struct jfrec_table_column *c;
	char *recording = sqlite_recording_name(t, table);

	sqlite3_str_appendall(s, "CREATE TABLE x(");
	for (size_t i = 0; (c = jfrec_tables_column_get(t, table, i)); i++)
		sqlite3_str_appendf(s, "\"%w\"%s, ", c->name, sqlite_type_of(c->kind));
	/* A table needs a column that * includes. */
	sqlite3_str_appendf(s, "\"%w\" TEXT%s)", recording ? recording : "recording",
			    jfrec_tables_column_get(t, table, 0) ? " HIDDEN" : "");
	sqlite3_free(recording);
	return sqlite3_str_finish(s);
}

struct table_name {
	struct jfrec_sql *sql;
	size_t table;
};

static int connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out,
		   char **message)
{
	const struct table_name *name = aux;
	const struct jfrec_tables *t = name->sql->tables;
	struct sql_table *table = sqlite3_malloc64(sizeof(*table));
	char *declaration = declaration_of(t, name->table);
	int got = SQLITE_NOMEM;

	(void)argc;
	(void)argv;
	name->sql->is_declaring = true;
	if (table && declaration)
		got = sqlite3_declare_vtab(db, declaration);
	name->sql->is_declaring = false;
	if (got == SQLITE_ERROR)
		*message = sqlite3_mprintf("%s", sqlite3_errmsg(db));
	sqlite3_free(declaration);
	if (got != SQLITE_OK) {
		sqlite3_free(table);
		return got;
	}
	*table = (struct sql_table){
		.sql = name->sql,
		.table = name->table,
		.count = t->tables[name->table].info.column_count,
		.start = jfrec_tables_find_column(t, name->table, "startTime"),
	};
	if (table->start >= 0 &&
	    (table->start > 62 ||
	     jfrec_tables_column_get(t, name->table, (size_t)table->start)->kind !=
		     JFREC_KIND_TIME))
		table->start = -1;
	if (!sql_texts_init(&table->texts, table->count)) {
		sqlite3_free(table);
		return SQLITE_NOMEM;
	}
	*out = &table->base;
	return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *v)
{
	sql_texts_fini(&((struct sql_table *)v)->texts);
	sqlite3_free(v);
	return SQLITE_OK;
}

/* Plans ---------------------------------------------------------------------------------------- */

/* Is what SQLite compares in that column what we do?  Floats and what is no integer are not. */
static bool compares_alike(const struct sql_table *t, int column)
{
	const struct jfrec_table_column *c =
		column < 0 ? NULL
			   : jfrec_tables_column_get(t->sql->tables, t->table, (size_t)column);

	return c && c->kind != JFREC_KIND_FLOAT32 && c->kind != JFREC_KIND_FLOAT64 &&
	       c->kind != JFREC_KIND_UINT64;
}

/* Can rows be found by this column's value? */
static bool is_key(const struct sql_table *t, sqlite3_index_info *info, int i)
{
	return info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ &&
	       compares_alike(t, info->aConstraint[i].iColumn) &&
	       sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") == 0;
}

/*
 * Can we put the rows into the order of a GROUP BY?  SQLite would sort all of them; we know the few
 * values that a column of constants has.  Where it wants the groups from the greatest on, an
 * ORDER BY of as many columns follows.
 */
static bool can_group(const struct sql_table *t, sqlite3_index_info *info)
{
	if (info->nOrderBy < 1 || info->nOrderBy > ORDER_MOST || sqlite3_vtab_distinct(info) != 1)
		return false;
	for (int i = 0; i < info->nOrderBy; i++) {
		if (!compares_alike(t, info->aOrderBy[i].iColumn))
			return false;
	}
	return true;
}

static int best_index(sqlite3_vtab *v, sqlite3_index_info *info)
{
	struct sql_table *t = (struct sql_table *)v;
	sqlite3_str *s = sqlite3_str_new(NULL);
	int args = 0, key = -1;
	double rows = 1e6;

	sqlite3_str_appendf(s, "%08x%08x", (unsigned)(info->colUsed >> 32),
			    (unsigned)info->colUsed);
	for (int i = 0; i < info->nConstraint; i++) {
		char letter = plan_letter(info->aConstraint[i].op);

		if (!info->aConstraint[i].usable)
			continue;
		if (letter && info->aConstraint[i].iColumn == t->start && t->start >= 0) {
			info->aConstraintUsage[i].argvIndex = ++args;
			sqlite3_str_appendchar(s, 1, letter);
			rows /= letter == 't' ? 1000 : 4;
		} else if (key < 0 && is_key(t, info, i)) {
			key = i;
		}
	}
	if (key >= 0) {
		info->aConstraintUsage[key].argvIndex = ++args;
		sqlite3_str_appendf(s, "k%d", info->aConstraint[key].iColumn);
		rows = rows > 100 ? rows / 100 : 1;
	} else if (can_group(t, info)) {
		plan_put_groups(s, info);
		info->orderByConsumed = 1;
	}
	info->estimatedRows = (sqlite3_int64)rows;
	info->estimatedCost = rows * 10;
	info->idxStr = sqlite3_str_finish(s);
	info->needToFreeIdxStr = 1;
	return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

/* Rows ----------------------------------------------------------------------------------------- */

static int fail(struct sql_table *t, const struct jfrec_error *err)
{
	t->sql->failure = *err;
	sqlite3_free(t->base.zErrMsg);
	t->base.zErrMsg = sqlite3_mprintf("%s", err->text);
	return err->code == JFREC_ENOMEM      ? SQLITE_NOMEM
					      : SQLITE_IOERR;
}

/* A pass over the recording, ready for the columns that are used. */
static struct jfrec_rows *begin_pass(const struct sql_table *t, uint64_t used,
				     struct jfrec_error *err)
{
	struct jfrec_rows *rows = jfrec_rows_new(t->sql->tables, err);
	int ret = rows ? 0 : -1;
	size_t none = SIZE_MAX;

	if (ret == 0)
		ret = jfrec_rows_want(rows, t->table, &none, 1, err);
	for (size_t i = 0; ret == 0 && i < t->count; i++) {
		if (used >> (i < 63 ? i : 63) & 1)
			ret = jfrec_rows_want(rows, t->table, &i, 1, err);
	}
	if (ret == 0)
		return rows;
	jfrec_rows_free(rows);
	return NULL;
}

static int step(struct sql_cursor *c)
{
	struct sql_table *t = (struct sql_table *)c->base.pVtab;
	struct jfrec_error err = { 0 };
	int got;

	c->rowid++;
	if (c->store) {
		c->at_end = !row_store_next(c->store, &c->pick);
		return SQLITE_OK;
	}
	got = jfrec_rows_next(c->rows, &err);
	c->at_end = got <= 0;
	return got < 0 ? fail(t, &err) : SQLITE_OK;
}

/* All rows of the table, for the passes that come. */
static int keep_rows(struct sql_cursor *c, const struct sql_plan *p)
{
	struct sql_table *t = (struct sql_table *)c->base.pVtab;
	struct jfrec_error err = { 0 };
	struct jfrec_rows *rows = begin_pass(t, p->used, &err);

	/* A join may have other bounds the next time. */
	if (rows && p->groups.count)
		jfrec_rows_set_span(rows, p->from_ns, p->to_ns);
	if (rows)
		c->store = row_store_new(rows, t->sql->tables, t->table, p->used, p->key,
					 &p->groups, &t->texts, &err);
	jfrec_rows_free(rows);
	return c->store ? SQLITE_OK : fail(t, &err);
}

static int filter(sqlite3_vtab_cursor *cursor, int number, const char *text, int argc,
		  sqlite3_value **argv)
{
	struct sql_cursor *c = (struct sql_cursor *)cursor;
	struct sql_table *t = (struct sql_table *)cursor->pVtab;
	struct sql_plan p = plan_read(text, argc, argv);
	struct jfrec_error err = { 0 };

	(void)number;
	c->rowid = 0;
	jfrec_rows_free(c->rows);
	c->rows = NULL;
	if (p.groups.count) {
		row_store_free(c->store);
		c->store = NULL;
	}
	if ((c->passes++ || p.groups.count) && !c->store && keep_rows(c, &p) != SQLITE_OK)
		return c->base.pVtab->zErrMsg ? SQLITE_ERROR : SQLITE_NOMEM;
	if (c->store) {
		c->pick = row_store_pick(c->store, p.value);
		return step(c);
	}
	c->rows = begin_pass(t, p.used, &err);
	if (!c->rows)
		return fail(t, &err);
	jfrec_rows_set_span(c->rows, p.from_ns, p.to_ns);
	return step(c);
}

static int open_cursor(sqlite3_vtab *v, sqlite3_vtab_cursor **out)
{
	struct sql_cursor *c = sqlite3_malloc64(sizeof(*c));

	(void)v;
	if (!c)
		return SQLITE_NOMEM;
	*c = (struct sql_cursor){ .at_end = true };
	*out = &c->base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
	struct sql_cursor *c = (struct sql_cursor *)cursor;

	jfrec_rows_free(c->rows);
	row_store_free(c->store);
	sqlite3_free(c);
	return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *cursor)
{
	return step((struct sql_cursor *)cursor);
}

static int is_at_end(sqlite3_vtab_cursor *cursor)
{
	return ((struct sql_cursor *)cursor)->at_end;
}

/* Values --------------------------------------------------------------------------------------- */

const char *sqlite_unsigned_text(char *to, uint64_t n)
{
	snprintf(to, 24, "%" PRIu64, n);
	return to;
}

/* A text of a constant is kept, so that SQLite need not copy it for each row, up to a limit. */
static void give_text(struct sql_cursor *c, sqlite3_context *to, struct jfrec_table_value *v,
		      size_t column)
{
	struct sql_texts *texts = &((struct sql_table *)c->base.pVtab)->texts;
	sqlite3_destructor_type whose = c->store ? SQLITE_STATIC : SQLITE_TRANSIENT;
	const char *kept;

	if (!c->store && v->number != JFREC_TABLE_NO_NUMBER && texts->arena.total < TEXTS_MOST &&
	    (kept = sql_texts_of(texts, column, v, jfrec_rows_chunk(c->rows)))) {
		v->text = kept;
		whose = SQLITE_STATIC;
	}
	sqlite3_result_text64(to, v->text, v->len, whose, SQLITE_UTF8);
}

static void give(sqlite3_context *to, const struct jfrec_table_value *v, enum jfrec_kind kind)
{
	char text[24];

	if (v->is_null)
		return;
	if (kind == JFREC_KIND_FLOAT32 || kind == JFREC_KIND_FLOAT64)
		sqlite3_result_double(to, v->d);
	else if (kind == JFREC_KIND_UINT64 && v->i < 0)
		sqlite3_result_text(to, sqlite_unsigned_text(text, (uint64_t)v->i), -1,
				    SQLITE_TRANSIENT);
	else
		sqlite3_result_int64(to, v->i);
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *to, int i)
{
	struct sql_cursor *c = (struct sql_cursor *)cursor;
	const struct sql_table *t = (const struct sql_table *)cursor->pVtab;
	enum jfrec_kind kind;
	struct jfrec_table_value v;

	if ((size_t)i >= t->count) {
		sqlite3_result_text(to,
				    c->store ? row_store_recording(c->store, &c->pick)
					     : jfrec_rows_recording(c->rows),
				    -1, SQLITE_TRANSIENT);
		return SQLITE_OK;
	}
	if (c->store)
		v = row_store_value(c->store, &c->pick, (size_t)i);
	else
		jfrec_rows_value(c->rows, (size_t)i, &v);
	if (c->rows && jfrec_rows_is_out_of_memory(c->rows))
		return SQLITE_NOMEM;
	kind = t->sql->tables->tables[t->table].columns[i].info.kind;
	if (!v.is_null && kind >= JFREC_KIND_STRING)
		give_text(c, to, &v, (size_t)i);
	else
		give(to, &v, kind);
	return SQLITE_OK;
}

static int rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
	const struct sql_cursor *c = (const struct sql_cursor *)cursor;

	*id = c->store ? (sqlite3_int64)row_store_number(c->store, &c->pick) : c->rowid;
	return SQLITE_OK;
}

/* Names ---------------------------------------------------------------------------------------- */

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

int sqlite_add_table(struct jfrec_sql *s, size_t table, const char *name)
{
	struct table_name *n = sqlite3_malloc64(sizeof(*n));

	if (!n)
		return SQLITE_NOMEM;
	*n = (struct table_name){ s, table };
	return sqlite3_create_module_v2(s->db, name, &module, n, sqlite3_free);
}
