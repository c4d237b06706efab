/* SPDX-License-Identifier: MIT */
/*
 * jvm_list.c - all JVMs on the screen: which rows are in sight, and which one is marked
 */
#include "top/jvm_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/keys.h"
#include "base/screen.h"
#include "top/jvm_table.h"

/* Remarks below the table. */
#define MOST_REMARKS 3

size_t jvm_list_marked(const struct jvm_list *l)
{
	for (size_t i = 0; i < l->count; i++) {
		if (l->rows[i].load->jvm->pid == l->marked_pid)
			return i;
	}
	return 0;
}

/* Lines for rows, less those above and below. */
static size_t rows_shown(const struct jvm_list *l)
{
	size_t others = l->remarks + 3, lines = screen_rows();

	return lines > others + 1 ? lines - others : 1;
}

/* Written before the rows are, since it takes room from them. To be freed. */
static char *make_remarks(struct jvm_list *l)
{
	char *text = NULL;
	size_t len = 0, all;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	all = jvm_table_remarks(to, l->rows, l->count, MOST_REMARKS);
	if (all > MOST_REMARKS)
		fprintf(to, "and %zu more; --once prints them all\n", all - MOST_REMARKS);
	l->remarks = all > MOST_REMARKS ? MOST_REMARKS + 1 : all;
	fclose(to);
	return text;
}

/* Have the marked row in sight. */
static void scroll(struct jvm_list *l, size_t marked)
{
	size_t shown = rows_shown(l);

	if (marked < l->first)
		l->first = marked;
	if (marked >= l->first + shown)
		l->first = marked + 1 - shown;
	if (l->first + shown > l->count)
		l->first = l->count > shown ? l->count - shown : 0;
}

/* All rows are laid out, so that columns stay where they are while one scrolls. */
static void write_rows(FILE *to, struct jvm_list *l)
{
	char *text = NULL, *line;
	size_t len = 0, number = 0;
	FILE *table = open_memstream(&text, &len);

	if (!table)
		return;
	jvm_table_write(table, l->rows, l->count, screen_columns());
	fclose(table);
	for (line = text; line && *line; number++) {
		char *end = strchr(line, '\n');

		if (number == 0 || (number > l->first && number <= l->first + rows_shown(l)))
			fwrite(line, 1, (size_t)(end + 1 - line), to);
		line = end + 1;
	}
	free(text);
}

int jvm_list_write(FILE *to, struct jvm_list *l)
{
	char *remarks = make_remarks(l);
	size_t marked = jvm_list_marked(l);

	scroll(l, marked);
	if (!l->count)
		fputs("no JVM is running\n", to);
	write_rows(to, l);
	fputs(remarks ? remarks : "", to);
	free(remarks);
	return l->count ? (int)(marked - l->first) + 1 : -1;
}

void jvm_list_move(struct jvm_list *l, int key)
{
	size_t at = jvm_list_marked(l), page = rows_shown(l);

	if (!l->count)
		return;
	if (key == KEY_UP || key == 'k')
		at -= at > 0;
	else if (key == KEY_DOWN || key == 'j')
		at++;
	else if (key == KEY_PAGE_UP)
		at -= at < page ? at : page;
	else if (key == KEY_PAGE_DOWN)
		at += page;
	else if (key == KEY_HOME)
		at = 0;
	else if (key == KEY_END)
		at = l->count;
	else
		return;
	if (at >= l->count)
		at = l->count - 1;
	l->marked_pid = l->rows[at].load->jvm->pid;
}
