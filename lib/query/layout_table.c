/* SPDX-License-Identifier: MIT */
/*
 * layout_table.c - a table as lines of text, in the JDK's manner
 *
 * Columns get their width one character after the other, from left to right,
 * in rounds: how much there is for all is looked at between rounds only, so the
 * last one may go beyond.
 */
#include <stdlib.h>
#include <string.h>

#include "query/cell.h"
#include "query/layout.h"

#define MOST_WIDTH    120
#define LEAST_WIDTH   80
#define LEAST_OF_FEW  40
#define FEW_COLUMNS   3
#define NARROWEST     2

struct layout {
	const struct jfrec_answer *table;
	const struct layout_options *options;
	struct cell_writer *writer;
	struct out *out;
	unsigned columns;
	uint32_t *widths; /* a blank after each included */
	uint32_t *wanted;
	uint64_t width; /* of all */
	struct cell_lines *cells;
};

static const struct column *column(const struct layout *l, unsigned i)
{
	return &l->table->query->columns[i];
}

/* Widths --------------------------------------------------------------------------------------- */

static uint32_t name_units(const struct column *c)
{
	return text_of(c->field.path, strlen(c->field.path)).units + 2;
}

static uint32_t most(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* All rows count, those beyond LIMIT, too. */
static void measure(struct layout *l)
{
	for (unsigned i = 0; i < l->columns; i++) {
		const struct column *c = column(l, i);
		uint32_t widest = text_of(c->label, strlen(c->label)).units;

		if (l->options->verbose)
			widest = most(widest, name_units(c));
		for (size_t row = 0; row < l->table->row_count; row++)
			widest = most(widest, table_text(l->table, l->writer, row, i, false).units);
		l->wanted[i] = widest + 1;
	}
}

static uint64_t target(const struct layout *l)
{
	uint64_t sum = 0;

	if (l->options->width)
		return (uint64_t)l->options->width;
	for (unsigned i = 0; i < l->columns; i++)
		sum += l->wanted[i];
	if (sum > MOST_WIDTH)
		return MOST_WIDTH;
	if (sum < LEAST_OF_FEW && l->columns < FEW_COLUMNS)
		return LEAST_OF_FEW;
	return sum < LEAST_WIDTH ? LEAST_WIDTH : sum;
}

enum phase { TO_NARROWEST, TO_WANTED, MAY_GROW, ALL, PHASES };

static bool grows(const struct layout *l, unsigned i, enum phase phase)
{
	switch (phase) {
	case TO_NARROWEST:
		return l->widths[i] < NARROWEST;
	case TO_WANTED:
		return l->widths[i] < l->wanted[i];
	case MAY_GROW:
		return column(l, i)->look.may_grow;
	default:
		return true;
	}
}

static void grow(struct layout *l, uint64_t to, enum phase phase)
{
	bool changed = true;

	while (changed && l->width < to) {
		changed = false;
		for (unsigned i = 0; i < l->columns; i++) {
			if (!grows(l, i, phase))
				continue;
			l->widths[i]++;
			l->width++;
			changed = true;
		}
	}
}

static void set_widths(struct layout *l)
{
	uint64_t to;

	measure(l);
	to = target(l);
	for (int phase = 0; phase < PHASES; phase++)
		grow(l, to, (enum phase)phase);
}

/* Cells ---------------------------------------------------------------------------------------- */

static struct cell_shape shape_of(const struct layout *l, unsigned i)
{
	const struct column *c = column(l, i);
	int height = l->options->cell_height	 ? l->options->cell_height
		     : c->format.cell_height	 ? c->format.cell_height
						 : 1;
	uint8_t truncate = l->options->truncate ? l->options->truncate : c->format.truncate;

	return (struct cell_shape){
		.width = l->widths[i] - 1,
		.height = (uint32_t)height,
		.is_left = c->look.is_left,
		.truncates_beginning = truncate == TRUNCATE_BEGINNING,
	};
}

/* An element of a stack trace or a list is a line. */
static bool add_element(struct layout *l, struct cell_lines *to, const struct cell_shape *s,
			const struct column *c, const struct value *v)
{
	struct cell_shape line = *s;
	struct text t = cell_text(l->writer, &c->look, NULL, v, false);

	if (t.units > s->width)
		t = cell_text(l->writer, &c->look, NULL, v, true);
	line.height = 1;
	return cell_add_text(to, &line, &t);
}

static bool add_elements(struct layout *l, unsigned i, const struct cell_shape *s,
			 const struct value *v)
{
	bool is_trace = v->kind == VALUE_OBJECT;
	size_t count = is_trace ? v->object->count : v->list->count;
	struct cell_lines *to = &l->cells[i];
	const struct column *c = column(l, i);

	for (size_t n = 0; n < count && n < s->height; n++) {
		struct value e = is_trace ? value_of_object(v->object->items[n])
					  : v->list->items[n];

		if (!add_element(l, to, s, c, &e))
			return false;
	}
	return count > s->height || !c->look.sorts_as_text || cell_sort(to);
}

static bool add_cell(struct layout *l, size_t row, unsigned i)
{
	const struct value *v = &l->table->rows[row][i];
	struct cell_shape s = shape_of(l, i);
	struct text t;

	cell_clear(&l->cells[i]);
	if (s.height > 1 && (v->kind == VALUE_LIST ||
			     (v->kind == VALUE_OBJECT && v->object->kind == OBJECT_TRACE)))
		return add_elements(l, i, &s, v);
	t = table_text(l->table, l->writer, row, i, false);
	if (t.units > (uint64_t)s.width * s.height)
		t = table_text(l->table, l->writer, row, i, true);
	return cell_add_text(&l->cells[i], &s, &t);
}

/* Write the cells as lines, as many as the highest one has. */
static void put_row(struct layout *l)
{
	uint32_t height = 0;

	for (unsigned i = 0; i < l->columns; i++)
		height = most(height, l->cells[i].count);
	for (uint32_t line = 0; line < height; line++) {
		for (unsigned i = 0; i < l->columns; i++) {
			const struct cell_lines *c = &l->cells[i];

			if (i)
				out_char(&*l->out, ' ');
			if (line < c->count) {
				struct text t = cell_line(c, line);

				out_put(l->out, t.s, t.len);
				continue;
			}
			for (uint32_t n = 1; n < l->widths[i]; n++)
				out_char(l->out, ' ');
		}
		out_char(l->out, '\n');
	}
}

/* Headers -------------------------------------------------------------------------------------- */

static bool put_labels(struct layout *l)
{
	for (unsigned i = 0; i < l->columns; i++) {
		struct text t = text_of(column(l, i)->label, strlen(column(l, i)->label));
		struct cell_shape s = shape_of(l, i);

		cell_clear(&l->cells[i]);
		if (!cell_add_text(&l->cells[i], &s, &t))
			return false;
	}
	put_row(l);
	return true;
}

static bool put_names(struct layout *l)
{
	for (unsigned i = 0; i < l->columns; i++) {
		const char *path = column(l, i)->field.path;
		struct cell_shape s = shape_of(l, i);
		struct buffer b = { 0 };
		struct text t;
		bool ok;

		buffer_put(&b, "(", 1);
		buffer_put(&b, path, strlen(path));
		buffer_put(&b, ")", 1);
		t = text_of((const char *)b.data, b.failed ? 0 : b.len);
		cell_clear(&l->cells[i]);
		ok = !b.failed && cell_add_text(&l->cells[i], &s, &t);
		buffer_fini(&b);
		if (!ok)
			return false;
	}
	put_row(l);
	return true;
}

static bool put_rule(struct layout *l)
{
	for (unsigned i = 0; i < l->columns; i++) {
		cell_clear(&l->cells[i]);
		if (!cell_add_rule(&l->cells[i], l->widths[i] - 1))
			return false;
	}
	put_row(l);
	return true;
}

static void put_title(struct layout *l)
{
	static const char experimental[] = " (Experimental)";
	const char *title = l->table->title;
	uint64_t len;

	if (!title)
		return;
	len = text_of(title, strlen(title)).units;
	if (l->table->query->is_experimental)
		len += sizeof(experimental) - 1;
	out_char(l->out, '\n');
	for (uint64_t n = len < l->width ? (l->width - len) / 2 : 0; n; n--)
		out_char(l->out, ' ');
	out_put(l->out, title, strlen(title));
	if (l->table->query->is_experimental)
		OUT_STR(l->out, experimental);
	OUT_STR(l->out, "\n\n");
}

/* Rows ----------------------------------------------------------------------------------------- */

static bool put_table(struct layout *l)
{
	bool ok;

	set_widths(l);
	put_title(l);
	ok = put_labels(l) && (!l->options->verbose || put_names(l)) && put_rule(l);
	for (size_t row = 0; row < l->table->shown && ok; row++) {
		for (unsigned i = 0; i < l->columns && ok; i++)
			ok = add_cell(l, row, i);
		if (ok)
			put_row(l);
	}
	return ok && (!l->options->verbose || !l->table->name ||
		      layout_query(l->table, (int)l->width, l->out));
}

bool layout_table(const struct jfrec_answer *t, const struct layout_options *o,
		  struct cell_writer *w, struct out *out)
{
	struct layout l = { t, o, w, out, .columns = t->query->visible_count };
	int64_t room = o->width ? o->width : MOST_WIDTH;
	bool ok;

	if ((int64_t)l.columns * NARROWEST > room) {
		OUT_STR(out, "\nToo many columns to fit width.\n");
		return true;
	}
	l.widths = calloc(l.columns + 1, sizeof(*l.widths));
	l.wanted = calloc(l.columns + 1, sizeof(*l.wanted));
	l.cells = calloc(l.columns + 1, sizeof(*l.cells));
	ok = l.widths && l.wanted && l.cells && put_table(&l);
	for (unsigned i = 0; l.cells && i < l.columns; i++)
		cell_fini(&l.cells[i]);
	free(l.widths);
	free(l.wanted);
	free(l.cells);
	return ok;
}
