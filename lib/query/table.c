/* SPDX-License-Identifier: MIT */
/*
 * table.c - what a query found: rows of values, in their order
 */
#include "query/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "query/bag.h"

/* Rows ----------------------------------------------------------------------------------------- */

/* Is the group's latest value of each LAST_BATCH column as late as the column's? */
static bool is_in_last_batch(const struct partial *p, const struct group *g)
{
	for (unsigned i = 0; p->batch_ns && i < p->query->width; i++) {
		if (p->query->columns[i].aggregator == AGGREGATE_LAST_BATCH && g->cells[i].is_fed &&
		    g->cells[i].count != p->batch_ns[i])
			return false;
	}
	return true;
}

/* A sum, or a count, per second. */
static struct value rate(const struct value *v, double seconds)
{
	if (seconds <= 0)
		return value_null();
	if (v->kind == VALUE_SPAN)
		return value_of_double(((double)v->i + v->nanos / 1e9) / seconds);
	return value_is_number(v) ? value_of_double(value_double(v) / seconds) : value_null();
}

/* Of n values, n * (1 - p) lie above a percentile: of 10,000, 10 above P99.9. */
static struct value percentile(const struct column *c, const struct cell *cell)
{
	double count = cell->bag ? (double)cell->bag->count : 0;

	if (count * (1 - c->percentile) < c->least_above - 1e-6)
		return value_null();
	return bag_percentile(cell->bag, c->percentile);
}

static struct value result(const struct jfrec_answer *t, const struct column *c,
			   const struct cell *cell)
{
	struct value v;

	if (c->aggregator == AGGREGATE_PERCENTILE)
		return percentile(c, cell);
	v = cell_result(cell, (enum aggregator)c->aggregator, t->arena);
	return c->measure == MEASURE_RATE ? rate(&v, t->seconds) : v;
}

/* What is calculated from the row's other columns, which are not calculations themselves. */
static void calculate(const struct resolved *q, struct value *row)
{
	struct value operands[MAX_TERMS];

	for (unsigned i = 0; q->has_formula && i < q->width; i++) {
		const struct column *c = &q->columns[i];

		if (!c->formula)
			continue;
		for (unsigned k = 0; k < c->formula->count; k++) {
			const struct formula_term *t = &c->formula->terms[k];

			if (t->kind == TERM_OPERAND)
				operands[t->operand] = row[c->operands[t->operand]];
		}
		row[i] = formula_value(c->formula, operands);
	}
}

static const struct value *group_row(const struct jfrec_answer *t, const struct group *g)
{
	const struct resolved *q = t->query;
	struct value *row = arena_alloc(t->arena, (q->width + 1) * sizeof(*row));

	for (unsigned i = 0; row && i < q->width; i++) {
		unsigned of = q->columns[i].words_of ? q->columns[i].words_of - 1 : i;

		row[i] = result(t, &q->columns[i], &g->cells[of]);
	}
	if (row)
		calculate(q, row);
	return row;
}

static bool fill_groups(struct jfrec_answer *t, const struct partial *p, struct arena *a)
{
	const uint32_t *order = groups_java_order(&p->groups, a);

	t->rows = arena_alloc(a, (p->groups.count + (size_t)1) * sizeof(*t->rows));
	if (!order || !t->rows)
		return false;
	for (uint32_t i = 0; i < p->groups.count; i++) {
		const struct group *g = &p->groups.items[order[i]];

		if (!is_in_last_batch(p, g))
			continue;
		t->rows[t->row_count] = group_row(t, g);
		if (!t->rows[t->row_count++])
			return false;
	}
	return true;
}

static bool fill_rows(struct jfrec_answer *t, const struct partial *p, struct arena *a)
{
	t->rows = arena_alloc(a, (p->row_count + 1) * sizeof(*t->rows));
	if (!t->rows)
		return false;
	for (struct row_block *b = p->first; b; b = b->next) {
		for (uint32_t i = 0; i < b->count; i++) {
			struct value *row = b->values + (size_t)i * p->query->column_count;

			calculate(p->query, row);
			t->rows[t->row_count++] = row;
		}
	}
	return true;
}

/* Shares --------------------------------------------------------------------------------------- */

static bool sum_up(struct jfrec_answer *t, struct arena *a)
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

struct value table_value(const struct jfrec_answer *t, size_t row, unsigned column)
{
	const struct value *v = &t->rows[row][column];

	return t->query->columns[column].format.normalized ? share(v, t->sums[column]) : *v;
}

struct text table_text(const struct jfrec_answer *t, struct cell_writer *w, size_t row,
		       unsigned column, bool brief)
{
	const struct column *c = &t->query->columns[column];
	struct value v = brief ? t->rows[row][column] : table_value(t, row, column);

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
static bool take_text(struct jfrec_answer *t, struct sort_row *row, unsigned column)
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

static bool sort_by(struct jfrec_answer *t, unsigned column, enum direction direction,
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
static bool sort_rows(struct jfrec_answer *t, struct sort_row *rows)
{
	const struct resolved *q = t->query;
	unsigned every = q->column_count; /* a column that every() cuts: the order of time */
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

		if (c->every_ns)
			every = i < every ? i : every;
		if (c->is_operand)
			continue;
		if (q->has_aggregator ? c->aggregator != AGGREGATE_NONE || c->formula : c->is_key)
			ok = sort_by(t, i, DIRECTION_UNSET, rows);
	}
	return ok && every < q->column_count ? sort_by(t, every, ASCENDING, rows) : ok;
}

/* HAVING --------------------------------------------------------------------------------------- */

static bool holds(enum comparison c, int order)
{
	switch (c) {
	case LESS:
		return order < 0;
	case LESS_OR_EQUAL:
		return order <= 0;
	case EQUAL:
		return order == 0;
	case NOT_EQUAL:
		return order != 0;
	case GREATER_OR_EQUAL:
		return order >= 0;
	default:
		return order > 0;
	}
}

/* Nothing is known of a value that is missing, or no number. */
static bool has(struct jfrec_answer *t, size_t row, const struct having *h)
{
	struct value v = table_value(t, row, h->item);
	struct text text;
	double d;
	int64_t ns;

	if (value_is_null(&v))
		return false;
	if (h->kind == HAVING_TEXT) {
		text = table_text(t, &t->writer, row, h->item, false);
		return holds((enum comparison)h->comparison,
			     text.len != strlen(h->text) || memcmp(text.s, h->text, text.len) != 0);
	}
	if (h->kind == HAVING_NUMBER) {
		d = value_double(&v);
		return value_is_number(&v) && !isnan(d) &&
		       holds((enum comparison)h->comparison, (d > h->number) - (d < h->number));
	}
	ns = value_ns(&v);
	return (v.kind == VALUE_SPAN || v.kind == VALUE_TIME) &&
	       holds((enum comparison)h->comparison, (ns > h->ns) - (ns < h->ns));
}

/* Shares stay those of all. */
static void drop_rows(struct jfrec_answer *t)
{
	size_t kept = 0;

	for (size_t row = 0; row < t->row_count; row++) {
		bool keeps = true;

		for (unsigned i = 0; i < t->parsed->having_count && keeps; i++)
			keeps = has(t, row, &t->parsed->having[i]);
		if (keeps)
			t->rows[kept++] = t->rows[row];
	}
	t->row_count = kept;
}

/* LIMIT PER: the first rows of each value.  Those that are left out are no rows any more. */
static bool keep_per(struct jfrec_answer *t)
{
	struct groups groups = { 0 };
	struct arena a = { 0 };
	size_t kept = 0;
	bool ok = true;

	for (size_t i = 0; i < t->row_count && ok && t->query->has_per; i++) {
		struct group *g = groups_get(&groups, &t->rows[i][t->query->per], 1, &a);

		ok = g != NULL;
		if (ok && (uint64_t)g->cells->count++ < t->parsed->per_limit)
			t->rows[kept++] = t->rows[i];
	}
	if (t->query->has_per)
		t->row_count = kept;
	arena_fini(&a);
	return ok;
}

bool table_fill(struct jfrec_answer *t, const struct partial *p, struct arena *a)
{
	struct sort_row *rows;
	bool ok;

	t->query = p->query;
	t->arena = a;
	ok = partial_has_groups(p->query) ? fill_groups(t, p, a) : fill_rows(t, p, a);
	if (!ok || !sum_up(t, a))
		return false;
	drop_rows(t);
	rows = malloc((t->row_count + 1) * sizeof(*rows));
	ok = rows && sort_rows(t, rows) && keep_per(t);
	free(rows);
	t->shown = t->row_count;
	if (t->parsed->has_limit && t->parsed->limit < t->shown)
		t->shown = (size_t)t->parsed->limit;
	return ok;
}

/* Rows are sorted and forgotten once there are so many more. */
#define MANY_ROWS 4096

/* Is each row for itself, so that those beyond LIMIT change nothing? */
static bool are_apart(const struct resolved *q, const struct parsed *parsed)
{
	if (!parsed->has_limit || parsed->having_count || q->has_per || q->has_formula ||
	    partial_has_groups(q) || !q->column_count)
		return false;
	for (unsigned i = 0; i < q->column_count; i++) {
		if (q->columns[i].format.normalized)
			return false;
	}
	return true;
}

/* The first rows of the table become all. */
static bool keep_first(struct jfrec_answer *t, struct partial *p, size_t count)
{
	unsigned width = p->query->column_count;
	struct value *copy = malloc((count * width + 1) * sizeof(*copy));
	size_t done = 0;

	for (size_t i = 0; copy && i < count; i++)
		memcpy(copy + i * width, t->rows[i], width * sizeof(*copy));
	for (struct row_block *b = p->first; copy && b; b = b->next) {
		size_t n = count - done < b->room ? count - done : b->room;

		memcpy(b->values, copy + done * width, n * width * sizeof(*copy));
		b->count = (uint32_t)n;
		done += n;
		if (n)
			p->last = b;
	}
	p->row_count = done;
	free(copy);
	return copy != NULL;
}

bool table_keep_limit(struct partial *p, const struct parsed *parsed)
{
	struct jfrec_answer t = { .parsed = parsed, .query = p->query };
	struct sort_row *rows = NULL;
	struct arena a = { 0 };
	bool ok;

	if (p->row_count < parsed->limit || p->row_count - parsed->limit < MANY_ROWS ||
	    p->row_count / 2 < parsed->limit || !are_apart(p->query, parsed))
		return true;
	t.arena = &a;
	ok = fill_rows(&t, p, &a) && (rows = malloc((t.row_count + 1) * sizeof(*rows))) &&
	     sort_rows(&t, rows) && keep_first(&t, p, (size_t)parsed->limit);
	free(rows);
	cell_writer_fini(&t.writer);
	arena_fini(&a);
	return ok;
}

bool table_sort(struct jfrec_answer *t, unsigned column, enum direction direction)
{
	struct sort_row *rows = malloc((t->row_count + 1) * sizeof(*rows));
	bool ok = rows && sort_by(t, column, direction, rows);

	free(rows);
	return ok;
}
