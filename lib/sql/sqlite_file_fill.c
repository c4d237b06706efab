/* SPDX-License-Identifier: MIT */
/*
 * sqlite_file_fill.c - where the rows of a SQLite database come from
 *
 *	one thread     a row is inserted as it is read
 *	several        chunk --by any thread--> parts --in the order of rows--> inserted
 *
 * SQLite is asked by one thread at a time.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sql/sqlite_file.h"
#include "tables/columns.h"
#include "tables/row_crew.h"

/* One thread ----------------------------------------------------------------------------------- */

static int add_row(struct database *d, struct jfrec_rows *rows)
{
	size_t table = jfrec_rows_table(rows);

	for (size_t i = 0; i < d->tables->tables[table].info.column_count; i++)
		jfrec_rows_value(rows, i, &d->values[i]);
	if (jfrec_rows_is_out_of_memory(rows))
		return jfrec_fail_memory(&d->err);
	return database_add(d, table, jfrec_rows_recording(rows), jfrec_rows_chunk(rows));
}

static int add_rows(struct database *d, struct jfrec_rows *rows)
{
	int got = 0;

	jfrec_rows_set_span(rows, INT64_MIN, d->to_ns ? *d->to_ns : INT64_MAX);
	for (size_t i = 0; i < d->tables->count && got == 0; i++)
		got = jfrec_rows_want(rows, i, NULL, 0, &d->err);
	while (got >= 0 && (got = jfrec_rows_next(rows, &d->err)) > 0)
		got = add_row(d, rows);
	return got;
}

static int fill_alone(struct database *d)
{
	struct jfrec_rows *rows = jfrec_rows_new(d->tables, &d->err);
	int ret = rows ? add_rows(d, rows) : -1;

	jfrec_rows_free(rows);
	return ret;
}

/* Several -------------------------------------------------------------------------------------- */

struct part_insertion {
	struct database *d;
	uint64_t number; /* of the part, from 1 on */
	size_t *next; /* of each table in the part: the row */
	size_t room;
};

/* As set_value() of the filler put it there. */
static struct jfrec_table_value value_of(const struct batch_column *c, enum jfrec_kind kind,
					 size_t row)
{
	struct jfrec_table_value v = { .is_null = !batch_has(c, row),
				       .number = JFREC_TABLE_NO_NUMBER };
	struct batch_text text;
	float narrow;

	if (v.is_null)
		return v;
	if (kind_is_text(kind)) {
		text = text_dictionary_get(&c->texts, c->words[row]);
		v.number = (uint32_t)c->words[row];
		v.text = text.s;
		v.len = (uint32_t)text.len;
	} else if (kind == JFREC_KIND_FLOAT32) {
		memcpy(&narrow, &c->words[row], sizeof(narrow));
		v.d = (double)narrow;
	} else {
		memcpy(&v.i, &c->words[row], sizeof(v.i)); /* or v.d */
	}
	return v;
}

static int insert_next(struct part_insertion *k, const struct row_part *p, uint32_t place)
{
	const struct part_table *from = &p->tables[place];
	const struct table *t = &k->d->tables->tables[from->table];
	size_t row = k->next[place]++;

	for (size_t i = 0; i < t->info.column_count; i++)
		k->d->values[i] =
			value_of(&from->batch.columns[i], t->columns[i].info.kind, row);
	return database_add(k->d, from->table, p->chunk->name, k->number);
}

static bool enter_part(struct part_insertion *k, const struct row_part *p)
{
	k->number++;
	if (p->table_count > k->room) {
		free(k->next);
		k->next = reallocarray(NULL, p->table_count, sizeof(*k->next));
		k->room = k->next ? p->table_count : 0;
	}
	if (k->room < p->table_count)
		return false;
	for (uint32_t i = 0; i < p->table_count; i++)
		k->next[i] = 0;
	return true;
}

static int take_part(void *ctx, struct row_part *p, struct jfrec_error *err)
{
	struct part_insertion *k = ctx;

	if (!enter_part(k, p))
		return jfrec_fail_memory(err);
	for (uint32_t i = 0; i < p->row_count; i++) {
		if (insert_next(k, p, p->runs[p->rows[i] >> 1].place) < 0) {
			*err = k->d->err;
			return -1;
		}
	}
	return 0;
}

static int fill_by_crew(struct database *d)
{
	const struct row_crew_how how = {
		.bounds = { INT64_MIN, d->to_ns ? *d->to_ns : INT64_MAX },
		.take = take_part,
	};
	struct part_insertion k = { .d = d };
	int ret = rows_by_crew(d->tables, &how, &k, &d->err);

	free(k.next);
	return ret;
}

/* ---------------------------------------------------------------------------------------------- */

int database_fill(struct database *d)
{
	return tables_jobs(d->tables) > 1 ? fill_by_crew(d) : fill_alone(d);
}
