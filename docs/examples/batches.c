/* SPDX-License-Identifier: MIT */
/*
 * batches.c - a table of events in Apache Arrow's form, as data frames take it
 *
 * usage: batches RECORDING TABLE
 *
 * Prints the columns with their Arrow formats, and how many rows each batch has.
 */
#include <inttypes.h>
#include <stdio.h>

#include <jfrec/arrow.h>

static int print_schema(struct ArrowArrayStream *s)
{
	struct ArrowSchema schema;

	if (s->get_schema(s, &schema) != 0)
		return -1;
	for (int64_t i = 0; i < schema.n_children; i++)
		printf("%-20s %s\n", schema.children[i]->name, schema.children[i]->format);
	schema.release(&schema);
	return 0;
}

static int print_batches(struct ArrowArrayStream *s)
{
	struct ArrowArray batch;

	while (s->get_next(s, &batch) == 0) {
		if (!batch.release) /* the end */
			return 0;
		printf("%" PRId64 " rows\n", batch.length);
		batch.release(&batch);
	}
	return -1;
}

static int print_stream(struct jfrec_tables *t, const char *name, struct jfrec_error *err)
{
	struct jfrec_arrow_options o = { .struct_size = sizeof(o), .rows = 1000 };
	int table = jfrec_tables_find(t, name);
	struct ArrowArrayStream s;
	int ret;

	if (table < 0)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "no table %s", name);
	if (jfrec_arrow_stream(t, (size_t)table, &o, &s, err) < 0)
		return -1;
	ret = print_schema(&s) < 0 ? -1 : print_batches(&s);
	if (ret < 0)
		jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET, "%s", s.get_last_error(&s));
	s.release(&s);
	return ret;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: batches RECORDING TABLE" };
	struct jfrec_reader *r = argc == 3 ? jfrec_reader_open(argv[1], NULL, &err) : NULL;
	struct jfrec_tables *t = r ? jfrec_tables_new(r, &err) : NULL;
	int ret = t ? print_stream(t, argv[2], &err) : -1;

	if (ret < 0)
		fprintf(stderr, "batches: %s\n", err.text);
	jfrec_tables_free(t);
	jfrec_reader_close(r);
	return ret < 0;
}
