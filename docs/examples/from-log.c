/* SPDX-License-Identifier: MIT */
/*
 * from-log.c - a log of slow queries as a recording, which every tool for recordings shows
 *
 * usage: from-log OUTPUT.jfr < LOG
 *
 * Lines of LOG, sorted by time: milliseconds since 1970, milliseconds taken, thread, statement.
 */
#include <stdio.h>

#include <jfrec/writer.h>

#define MS		INT64_C(1000000)
#define EVENTS_IN_CHUNK 10000

static const struct jfrec_new_field fields[] = {
	{ .name = "statement", .kind = JFREC_KIND_STRING, .label = "Statement" },
	{ .name = "driver", .kind = JFREC_KIND_CLASS, .label = "Driver" },
};

static const char *const category[] = { "Shop", "Database", NULL };

static const struct jfrec_new_type type = {
	.struct_size = sizeof(type),
	.name = "shop.Query",
	.label = "Query",
	.category = category,
	.has_duration = true,
	.has_thread = true,
	.has_stack = true,
	.fields = fields,
	.field_count = 2,
};

static void write_line(struct jfrec_writer *w, unsigned query, const char *thread,
		       const char *statement, struct jfrec_new_event *event)
{
	const struct jfrec_new_thread t = { .name = thread, .os_name = thread };
	const struct jfrec_new_frame frame = {
		.class_name = "shop.Database",
		.method = "query",
		.line = 42,
		.kind = "JIT compiled",
	};
	union jfrec_datum values[2];

	event->thread = jfrec_writer_thread(w, &t);
	event->stack = jfrec_writer_stack(w, &frame, 1, false);
	values[0].s = statement;
	values[1].key = jfrec_writer_class(w, "shop.Driver");
	jfrec_writer_event(w, query, event, values);
}

static int write_log(struct jfrec_writer *w, int64_t first_ns, FILE *log, struct jfrec_error *err)
{
	unsigned query = jfrec_writer_type(w, &type);
	char thread[64], statement[1024];
	int64_t last_ns = first_ns;
	long long at, taken;

	for (uint64_t n = 1;
	     fscanf(log, "%lld %lld %63s %1023[^\n]", &at, &taken, thread, statement) == 4; n++) {
		struct jfrec_new_event event = { .start_ns = at * MS, .duration_ns = taken * MS };

		write_line(w, query, thread, statement, &event);
		last_ns = (at + taken) * MS;
		if (n % EVENTS_IN_CHUNK == 0 && jfrec_writer_next_chunk(w, last_ns, err) < 0)
			return -1;
	}
	return jfrec_writer_end(w, last_ns + MS, err);
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: from-log OUTPUT.jfr < LOG" };
	int64_t start_ns = INT64_C(1767225600000) * MS; /* 2026 */
	struct jfrec_output *o = NULL;
	struct jfrec_writer *w = NULL;
	int ret = -1;

	if (argc == 2)
		o = jfrec_output_open(argv[1], false, JFREC_BY_NAME, &err);
	if (o)
		w = jfrec_writer_new(o, start_ns, &err);
	if (w && write_log(w, start_ns, stdin, &err) == 0)
		ret = jfrec_output_commit(o, &err);
	if (ret < 0)
		fprintf(stderr, "from-log: %s\n", err.text);
	jfrec_writer_free(w);
	jfrec_output_close(o);
	return ret < 0;
}
