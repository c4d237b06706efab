/* SPDX-License-Identifier: MIT */
/*
 * ask.c - two questions, answered in one pass: a query of your own, and a view of the JDK
 *
 * usage: ask RECORDING QUERY VIEW
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <jfrec/query.h>

static int print(void *ctx, const void *data, size_t len)
{
	return fwrite(data, 1, len, ctx) == len ? 0 : ferror(ctx);
}

static void print_cell(struct jfrec_cell c)
{
	if (c.kind == JFREC_KIND_STRING)
		printf("%s", c.text);
	else if (c.kind == JFREC_KIND_FLOAT)
		printf("%g", c.d);
	else if (c.kind != JFREC_KIND_NULL)
		printf("%" PRId64, c.i);
}

/* Rows with tabs between, as programs like them: numbers in base units. */
static void print_rows(struct jfrec_answer *a)
{
	size_t columns = jfrec_answer_column_count(a);

	for (size_t i = 0; i < columns; i++)
		printf("%s%s", jfrec_answer_column_get(a, i)->label, i + 1 < columns ? "\t" : "\n");
	for (size_t row = 0; row < jfrec_answer_row_count(a); row++)
		for (size_t i = 0; i < columns; i++) {
			print_cell(jfrec_answer_cell(a, row, i));
			printf("%s", i + 1 < columns ? "\t" : "\n");
		}
}

static int print_answers(struct jfrec_query *q, int question, int view, struct jfrec_error *err)
{
	struct jfrec_answer *a;

	if (jfrec_query_fault(q, question, err) < 0 || jfrec_query_run(q, err) < 0)
		return -1;
	print_rows(jfrec_query_answer(q, question));
	a = jfrec_query_answer(q, view);
	if (!a) {
		printf("%s\n", jfrec_query_missing(q, view));
		return 0;
	}
	printf("\n%s, as a %s:\n", jfrec_answer_title(a),
	       jfrec_answer_is_form(a) ? "form" : "table");
	return jfrec_answer_print(a, NULL, print, stdout, err);
}

/* The JDK's views, or those of a text of one's own with the same form. */
static struct jfrec_views *make_views(struct jfrec_error *err)
{
	const char *path = getenv("VIEWS");
	static char text[65536];
	FILE *f;

	if (!path)
		return jfrec_views_jdk(err);
	f = fopen(path, "r");
	if (!f) {
		jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET, "%s cannot be opened", path);
		return NULL;
	}
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return jfrec_views_parse(text, err);
}

static int ask(struct jfrec_reader *r, const char *text, const struct jfrec_view *view,
	       struct jfrec_error *err)
{
	struct jfrec_query *q = jfrec_query_new(r, err);
	int question = q ? jfrec_query_add(q, text, err) : -1;
	int shown = question < 0 ? -1 : jfrec_query_add_view(q, view, err);
	int ret = shown < 0 ? -1 : print_answers(q, question, shown, err);

	jfrec_query_free(q);
	return ret;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: ask RECORDING QUERY VIEW" };
	struct jfrec_views *views = argc == 4 ? make_views(&err) : NULL;
	const struct jfrec_view *view = views ? jfrec_views_find(views, argv[3]) : NULL;
	struct jfrec_reader *r = NULL;
	int ret = -1;

	if (view)
		r = jfrec_reader_open(argv[1], NULL, &err);
	else if (views)
		jfrec_fail(&err, JFREC_EINVAL, JFREC_NO_OFFSET, "no view %s", argv[3]);
	if (r)
		ret = ask(r, argv[2], view, &err);
	if (ret < 0)
		fprintf(stderr, "ask: %s\n", err.text);
	jfrec_reader_close(r);
	jfrec_views_free(views);
	return ret < 0;
}
