/* SPDX-License-Identifier: MIT */
/*
 * table.c - what a query found: rows of values, in their order
 */
#include "query/table.h"

#include <stdlib.h>
#include <string.h>

/* Rows ----------------------------------------------------------------------------------------- */

/* Is the group's latest value of each LAST_BATCH column as late as the column's? */
static bool is_in_last_batch(const struct partial *p, const struct group *g)
{
	for (unsigned i = 0; p->batch_ns && i < p->query->column_count; i++) {
		if (p->query->columns[i].aggregator == AGGREGATE_LAST_BATCH && g->cells[i].is_fed &&
		    g->cells[i].count != p->batch_ns[i])
			return false;
	}
	return true;
}

static const struct value *group_row(const struct partial *p, const struct group *g,
				     struct arena *a)
{
	const struct resolved *q = p->query;
	struct value *row = arena_alloc(a, (q->column_count + 1) * sizeof(*row));

	for (unsigned i = 0; row && i < q->column_count; i++)
		row[i] = cell_result(&g->cells[i], (enum aggregator)q->columns[i].aggregator, a);
	return row;
}

static bool fill_groups(struct jfrec_table *t, const struct partial *p, struct arena *a)
{
	const uint32_t *order = groups_java_order(&p->groups, a);

	t->rows = arena_alloc(a, (p->groups.count + (size_t)1) * sizeof(*t->rows));
	if (!order || !t->rows)
		return false;
	for (uint32_t i = 0; i < p->groups.count; i++) {
		const struct group *g = &p->groups.items[order[i]];

		if (!is_in_last_batch(p, g))
			continue;
		t->rows[t->row_count] = group_row(p, g, a);
		if (!t->rows[t->row_count++])
			return false;
	}
	return true;
}

static bool fill_rows(struct jfrec_table *t, const struct partial *p, struct arena *a)
{
	t->rows = arena_alloc(a, (p->row_count + 1) * sizeof(*t->rows));
	if (!t->rows)
		return false;
	for (const struct row_block *b = p->first; b; b = b->next) {
		for (uint32_t i = 0; i < b->count; i++)
			t->rows[t->row_count++] =
				b->values + (size_t)i * p->query->column_count;
	}
	return true;
}

/* Shares --------------------------------------------------------------------------------------- */

static bool sum_up(struct jfrec_table *t, struct arena *a)
{
	const struct resolved *q = t->query;

	t->sums = arena_zalloc(a, q->column_count + 1, sizeof(*t->sums));
	for (unsigned i = 0; t->sums && i < q->visible_count; i++) {
		for (size_t row = 0; q->columns[i].format.normalized && row < t->row_count; row++) {
			const struct value *v = &t->rows[row][i];

			t->sums[i] += v->kind == VALUE_SPAN ? (double)v->i * 1e9 + v->nanos
							    : value_double(v);
		}
	}
	return t->sums != NULL;
}

static struct value share(const struct value *v, double sum)
{
	if (v->kind == VALUE_SPAN)
		return value_of_double(((double)v->i * 1e9 + v->nanos) / sum);
	return value_is_number(v) ? value_of_double(value_double(v) / sum) : *v;
}

struct text table_text(const struct jfrec_table *t, struct cell_writer *w, size_t row,
		       unsigned column, bool brief)
{
	const struct column *c = &t->query->columns[column];
	struct value v = t->rows[row][column];

	if (c->format.normalized && !brief)
		v = share(&v, t->sums[column]);
	return cell_text(w, &c->look, &c->format, &v, brief);
}

/* Order ---------------------------------------------------------------------------------------- */

struct sort_row {
	const struct value *row;
	struct text text;
	size_t place; /* before this sort: equal rows keep it */
};

struct sort_by {
	unsigned column;
	bool as_text, down;
};

static int compare_rows(const void *x, const void *y, void *ctx)
{
	const struct sort_row *a = x, *b = y;
	const struct sort_by *by = ctx;
	int order = by->as_text ? text_compare(&a->text, &b->text)
				: value_compare(&a->row[by->column], &b->row[by->column]);

	if (order)
		return by->down ? -order : order;
	return a->place < b->place ? -1 : a->place > b->place;
}

/* Texts that are not an object's are in the writer, for a moment. */
static bool take_text(struct jfrec_table *t, struct sort_row *row, unsigned column)
{
	const struct column *c = &t->query->columns[column];
	const struct value *v = &row->row[column];
	const char *copy;

	row->text = cell_text(&t->writer, &c->look, NULL, v, false);
	if (v->kind == VALUE_OBJECT || value_is_null(v))
		return true;
	copy = arena_strndup(t->arena, row->text.s, row->text.len);
	row->text.s = copy;
	return copy != NULL;
}

static bool sort_by(struct jfrec_table *t, unsigned column, enum direction direction,
		    struct sort_row *rows)
{
	const struct column *c = &t->query->columns[column];
	struct sort_by by = { column, c->look.sorts_as_text, direction == DESCENDING };

	if (direction == DIRECTION_UNSET)
		by.down = c->look.is_descending;
	for (size_t i = 0; i < t->row_count; i++) {
		rows[i] = (struct sort_row){ .row = t->rows[i], .place = i };
		if (by.as_text && !take_text(t, &rows[i], column))
			return false;
	}
	qsort_r(rows, t->row_count, sizeof(*rows), compare_rows, &by);
	for (size_t i = 0; i < t->row_count; i++)
		t->rows[i] = rows[i].row;
	return true;
}

/* By each column that is meant, the most important one last. */
static bool sort_rows(struct jfrec_table *t, struct sort_row *rows)
{
	const struct resolved *q = t->query;
	bool ok = true;

	if (q->order_count) {
		for (unsigned i = q->order_count; i > 0 && ok; i--)
			ok = sort_by(t, q->orders[i - 1].column,
				     (enum direction)q->orders[i - 1].direction, rows);
		return ok;
	}
	if (!q->has_aggregator && !q->has_group)
		return t->is_form || !q->column_count || sort_by(t, 0, DIRECTION_UNSET, rows);
	for (unsigned i = 0; i < q->column_count && ok; i++) {
		const struct column *c = &q->columns[i];

		if (q->has_aggregator ? c->aggregator != AGGREGATE_NONE : c->is_key)
			ok = sort_by(t, i, DIRECTION_UNSET, rows);
	}
	return ok;
}

bool table_fill(struct jfrec_table *t, const struct partial *p, struct arena *a)
{
	struct sort_row *rows;
	bool ok;

	t->query = p->query;
	t->arena = a;
	ok = partial_has_groups(p->query) ? fill_groups(t, p, a) : fill_rows(t, p, a);
	if (!ok || !sum_up(t, a))
		return false;
	rows = malloc((t->row_count + 1) * sizeof(*rows));
	ok = rows && sort_rows(t, rows);
	free(rows);
	t->shown = t->row_count;
	if (t->parsed->has_limit && t->parsed->limit < t->shown)
		t->shown = (size_t)t->parsed->limit;
	return ok;
}

bool table_sort(struct jfrec_table *t, unsigned column, enum direction direction)
{
	struct sort_row *rows = malloc((t->row_count + 1) * sizeof(*rows));
	bool ok = rows && sort_by(t, column, direction, rows);

	free(rows);
	return ok;
}
