/* SPDX-License-Identifier: MIT */
/*
 * jvm_table.c - write the table of JVMs so that it fits
 */
#include "top/jvm_table.h"

#include <string.h>

#include "base/harmless.h"
#include "base/report.h"

/* Texts are not made narrower than this while a column can be dropped. */
#define LEAST_TEXT 20

#define MOST_COLUMNS 24

/* Columns' widths; 0: it is not shown. */
struct layout {
	unsigned widths[MOST_COLUMNS];
};

/* Text that a terminal cannot obey, in a buffer that is large enough. */
static void make_cell(const struct column *c, const struct row *row, char *to)
{
	struct harmless h = { 0 };
	char cell[CELL_SIZE] = "";
	size_t len;

	c->put(row, cell);
	len = harmless_text(&h, cell, strlen(cell), false, to);
	len += harmless_end(&h, to + len);
	to[len] = '\0';
}

#define HARMLESS_SIZE (HARMLESS_GROWTH * (CELL_SIZE + 3) + 1)

static unsigned characters(const char *text)
{
	unsigned count = 0;

	for (; *text; text++)
		count += (*text & 0xc0) != 0x80;
	return count;
}

static unsigned width_of(const struct column *c, const struct row *rows, size_t count)
{
	char cell[HARMLESS_SIZE];
	unsigned width = 0, title = (unsigned)strlen(c->title);

	for (size_t i = 0; i < count; i++) {
		unsigned n;

		make_cell(c, &rows[i], cell);
		n = characters(cell);
		width = n > width ? n : width;
	}
	return width && width < title ? title : width;
}

static bool is_shown(const struct layout *l, size_t i)
{
	return l->widths[i] > 0;
}

/* How long a line is, with one blank between columns; texts count as `text` at most. */
static unsigned length_of(const struct layout *l, unsigned text)
{
	unsigned length = 0;

	for (size_t i = 0; i < column_count; i++) {
		unsigned w = l->widths[i];

		if (columns[i].is_text && w > text)
			w = text;
		length += w ? w + 1 : 0;
	}
	return length ? length - 1 : 0;
}

/* The one that matters least of those that are shown and can be dropped. False: there is none. */
static bool drop_one(struct layout *l)
{
	size_t least = column_count;

	for (size_t i = 0; i < column_count; i++) {
		if (is_shown(l, i) && columns[i].dropped &&
		    (least == column_count || columns[i].dropped > columns[least].dropped))
			least = i;
	}
	if (least == column_count)
		return false;
	l->widths[least] = 0;
	return true;
}

/* The longest text gives first. */
static void cut_texts(struct layout *l, unsigned width)
{
	while (length_of(l, UINT32_MAX) > width) {
		size_t longest = column_count;

		for (size_t i = 0; i < column_count; i++) {
			if (columns[i].is_text && l->widths[i] > 1 &&
			    (longest == column_count || l->widths[i] > l->widths[longest]))
				longest = i;
		}
		if (longest == column_count)
			return;
		l->widths[longest]--;
	}
}

static void lay_out(struct layout *l, const struct row *rows, size_t count, unsigned width)
{
	for (size_t i = 0; i < column_count; i++)
		l->widths[i] = width_of(&columns[i], rows, count);
	if (!width)
		return;
	while (length_of(l, LEAST_TEXT) > width && drop_one(l))
		;
	cut_texts(l, width);
}

/* As many characters as the column has, and no more. */
static void print_text(FILE *to, const char *text, unsigned width, bool is_right)
{
	unsigned count = characters(text);
	const char *end = text;

	if (is_right && count < width)
		fprintf(to, "%*s", (int)(width - count), "");
	for (unsigned n = 0; *end; end++) {
		if ((*end & 0xc0) != 0x80 && ++n > width)
			break;
	}
	fwrite(text, 1, (size_t)(end - text), to);
	if (!is_right && count < width)
		fprintf(to, "%*s", (int)(width - count), "");
}

static bool is_last(const struct layout *l, size_t i)
{
	for (i++; i < column_count; i++) {
		if (is_shown(l, i))
			return false;
	}
	return true;
}

/* row NULL: the titles. A single cell that is empty is "-". */
static void print_line(FILE *to, const struct layout *l, const struct row *row)
{
	char cell[HARMLESS_SIZE];

	for (size_t i = 0; i < column_count; i++) {
		if (!is_shown(l, i))
			continue;
		if (row)
			make_cell(&columns[i], row, cell);
		else
			strcpy(cell, columns[i].title);
		if (!*cell)
			strcpy(cell, "-");
		if (is_last(l, i))
			print_text(to, cell, characters(cell) < l->widths[i] ? characters(cell)
									      : l->widths[i],
				   columns[i].is_right);
		else
			print_text(to, cell, l->widths[i], columns[i].is_right);
		if (!is_last(l, i))
			putc(' ', to);
	}
	putc('\n', to);
}

void jvm_table_write(FILE *to, const struct row *rows, size_t count, unsigned width)
{
	struct layout l = { { 0 } };

	if (!count)
		return;
	lay_out(&l, rows, count, width);
	print_line(to, &l, NULL);
	for (size_t i = 0; i < count; i++)
		print_line(to, &l, &rows[i]);
}

/* Remarks -------------------------------------------------------------------------------------- */

#define MOST_REMARKS 3

/* Rows that are named in one line. */
#define MOST_NAMED 4

struct remark {
	const char *what, *why;
};

static size_t remarks_of(const struct row *row, struct remark list[static MOST_REMARKS])
{
	const struct jfrec_load *l = row->load;
	size_t count = 0;

	if (l->no_counters)
		list[count++] = (struct remark){ l->heap_used < 0 ? "heap and GC" : "share of GC",
						 l->no_counters };
	if (l->recording == JFREC_LOAD_UNKNOWN)
		list[count++] =
			(struct remark){ "recording",
					 "its open files are not ours to see; run as its user or root" };
	if (row->verdict && row->verdict->error)
		list[count++] = (struct remark){ "finding", row->verdict->error };
	return count;
}

static bool has_remark(const struct row *row, const struct remark *r)
{
	struct remark list[MOST_REMARKS];
	size_t count = remarks_of(row, list);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(list[i].what, r->what) == 0 && strcmp(list[i].why, r->why) == 0)
			return true;
	}
	return false;
}

/* By a row before it. */
static bool was_said(const struct row *rows, size_t count, const struct remark *r)
{
	for (size_t i = 0; i < count; i++) {
		if (has_remark(&rows[i], r))
			return true;
	}
	return false;
}

/* Sentences of the library, which may have names of the JVM's files in them. */
static void write_remark(FILE *to, const struct row *rows, size_t count, const struct remark *r)
{
	size_t named = 0;

	for (size_t i = 0; i < count; i++) {
		if (has_remark(&rows[i], r) && named++ < MOST_NAMED)
			fprintf(to, "%s%d", named > 1 ? ", " : "", rows[i].load->jvm->pid);
	}
	if (named > MOST_NAMED)
		fprintf(to, " and %zu more", named - MOST_NAMED);
	fprintf(to, ": %s: ", r->what);
	put_name(to, r->why);
	putc('\n', to);
}

size_t jvm_table_remarks(FILE *to, const struct row *rows, size_t count, size_t most)
{
	struct remark list[MOST_REMARKS];
	size_t lines = 0;

	for (size_t i = 0; i < count; i++) {
		size_t n = remarks_of(&rows[i], list);

		for (size_t j = 0; j < n; j++) {
			if (was_said(rows, i, &list[j]))
				continue;
			if (lines++ < most)
				write_remark(to, rows + i, count - i, &list[j]);
		}
	}
	return lines;
}
