/* SPDX-License-Identifier: MIT */
/*
 * threads.c - how many events each thread has, of a recording in memory, and a copy with those of
 * the busiest; by jfrec.h alone (tests/cli/installed.sh builds it with an installed library)
 */
#include <inttypes.h>
#include <jfrec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct row {
	uint64_t count;
	char name[100]; /* a copy: the reader's own goes with the event */
} rows[1000];

static void count(const struct jfrec_event *ev)
{
	struct jfrec_value thread = jfrec_event_path(ev, "eventThread.javaName");
	const char *name = jfrec_value_text(&thread, NULL);
	size_t i = 0;

	name = name && *name ? name : "-";
	while (i < 999 && rows[i].count && strcmp(rows[i].name, name) != 0)
		i++;
	snprintf(rows[i].name, sizeof(rows[i].name), "%s", name);
	rows[i].count++;
}

static int by_count(const void *a, const void *b)
{
	const struct row *x = (const struct row *)a, *y = (const struct row *)b;

	return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->name, y->name);
}

/* A filter needs a reader of its own: this one has read all. */
static int copy(const char *bytes, size_t len, const char *thread, const char *path)
{
	struct jfrec_error err;
	struct jfrec_reader *r = jfrec_reader_open_memory(bytes, len, NULL, &err);
	struct jfrec_output *o = jfrec_output_open(path, true, JFREC_BY_NAME, &err);
	struct jfrec_filtered *f = NULL;

	if (r && o && jfrec_reader_filter(r, JFREC_FILTER_THREADS, false, thread, &err) == 0)
		f = jfrec_write_filtered(r, NULL, NULL, o, &err);
	if (!f || jfrec_output_commit(o, &err) < 0)
		fprintf(stderr, "threads: %s: %s\n", path, err.text);
	jfrec_filtered_free(f);
	jfrec_output_close(o);
	jfrec_reader_close(r);
	return f ? 0 : 1;
}

int main(int argc, char **argv)
{
	FILE *in = argc == 3 ? fopen(argv[1], "rb") : NULL;
	char *bytes = (char *)malloc(64 << 20);
	size_t len = in && bytes ? fread(bytes, 1, 64 << 20, in) : 0;
	const struct jfrec_event *ev;
	struct jfrec_error err;
	struct jfrec_reader *r = jfrec_reader_open_memory(bytes, len, NULL, &err);
	int got = -1;

	while (r && (got = jfrec_reader_next(r, &ev, &err)) > 0)
		count(ev);
	jfrec_reader_close(r);
	if (in)
		fclose(in);
	if (got < 0)
		fprintf(stderr, "threads: %s\n", err.text);
	qsort(rows, 1000, sizeof(rows[0]), by_count);
	for (size_t i = 0; i < 1000 && rows[i].count; i++)
		printf("%" PRIu64 " %s\n", rows[i].count, rows[i].name);
	got = got < 0 || copy(bytes, len, rows[strcmp(rows[0].name, "-") == 0].name, argv[2]) != 0;
	free(bytes);
	return got;
}
