/* SPDX-License-Identifier: MIT */
/*
 * test_writer.c - what is written reads back equal
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test.h"
#include "write/chunk_writer.h"

#define START INT64_C(1700000000000000000)

static char path[64];

static struct jfrec_output *fresh_output(const char *suffix)
{
	static char directory[] = "/tmp/jfrec-writer-XXXXXX";
	struct jfrec_error err;
	struct jfrec_output *o;

	if (!path[0] && !mkdtemp(directory))
		exit(1);
	snprintf(path, sizeof(path), "%s/a.jfr%s", directory, suffix);
	o = jfrec_output_open(path, true, JFREC_BY_NAME, &err);
	if (!o)
		exit(1);
	return o;
}

/* Every type, with the values at its ends. */
static const struct jfrec_new_field fields[] = {
	{ .name = "flag", .kind = JFREC_KIND_BOOL },
	{ .name = "tiny", .kind = JFREC_KIND_INT8 },
	{ .name = "mark", .kind = JFREC_KIND_CHAR },
	{ .name = "small", .kind = JFREC_KIND_INT16 },
	{ .name = "whole", .kind = JFREC_KIND_INT32 },
	{ .name = "large", .kind = JFREC_KIND_INT64 },
	{ .name = "ratio", .kind = JFREC_KIND_FLOAT32 },
	{ .name = "exact", .kind = JFREC_KIND_FLOAT64 },
	{ .name = "text", .kind = JFREC_KIND_STRING },
	{ .name = "who", .kind = JFREC_KIND_THREAD },
	{ .name = "what", .kind = JFREC_KIND_CLASS },
	{ .name = "how", .kind = JFREC_KIND_STACK },
	{ .name = "when", .kind = JFREC_KIND_INT64, .unit = JFREC_UNIT_TIME },
	{ .name = "count", .kind = JFREC_KIND_UINT32 },
};
#define FIELD_COUNT (sizeof(fields) / sizeof(*fields))

static const struct jfrec_new_type all = {
	.struct_size = sizeof(all),
	.name = "t.All",
	.has_duration = true,
	.fields = fields,
	.field_count = FIELD_COUNT,
};

static const struct jfrec_new_frame frame = { .class_name = "a.b.C", .method = "d", .line = -1 };
static const struct jfrec_new_thread thread = { .name = "t", .id = 7, .is_virtual = true };

static void write_all(struct jfrec_writer *w, unsigned type, int64_t start_ns, const char *text)
{
	struct jfrec_new_event event = { .start_ns = start_ns, .duration_ns = 5 };
	union jfrec_datum v[FIELD_COUNT] = {
		{ .i = 1 },
		{ .i = -128 },
		{ .i = 0xffff },
		{ .i = -32768 },
		{ .i = INT32_MIN },
		{ .i = INT64_MIN },
		{ .d = 1.5 },
		{ .d = -0.25 },
		{ .s = text },
		{ .key = jfrec_writer_thread(w, &thread) },
		{ .key = 0 },
		{ .key = jfrec_writer_stack(w, &frame, 1, true) },
		{ .i = START - 3600 },
		{ .i = -1 },
	};

	v[10].key = jfrec_writer_class(w, "a.b.C");
	jfrec_writer_event(w, type, &event, v);
}

static int64_t number(const struct jfrec_event *ev, const char *name)
{
	return jfrec_event_path(ev, name).i;
}

static bool is_text(const struct jfrec_event *ev, const char *name, const char *want)
{
	struct jfrec_value v = jfrec_event_path(ev, name);
	const char *got = jfrec_value_text(&v, NULL);

	return got && strcmp(got, want) == 0;
}

static void check_all(const struct jfrec_event *ev, int64_t start_ns)
{
	struct jfrec_value frames = jfrec_event_path(ev, "how.frames"), top;

	CHECK_INT(jfrec_event_start_ns(ev), start_ns);
	CHECK_INT(jfrec_event_duration_ns(ev), 5);
	CHECK_INT(number(ev, "flag"), 1);
	CHECK_INT(number(ev, "tiny"), -128);
	CHECK_INT(number(ev, "mark"), 0xffff);
	CHECK_INT(number(ev, "small"), -32768);
	CHECK_INT(number(ev, "whole"), INT32_MIN);
	CHECK_INT(number(ev, "large"), INT64_MIN);
	CHECK(jfrec_event_path(ev, "ratio").d == 1.5);
	CHECK(jfrec_event_path(ev, "exact").d == -0.25);
	CHECK_INT(number(ev, "when"), START - 3600);
	CHECK(jfrec_event_path(ev, "count").u == UINT32_MAX);
	CHECK(is_text(ev, "who.javaName", "t"));
	CHECK_INT(number(ev, "who.virtual"), 1);
	CHECK(is_text(ev, "what.name", "a/b/C"));
	CHECK(is_text(ev, "what.package.name", "a/b"));
	CHECK_INT((int64_t)frames.u, 1);
	top = jfrec_value_element(&frames, 0);
	top = jfrec_value_member(&top, jfrec_type_field(top.type, "lineNumber"));
	CHECK_INT(top.i, -1);
}

/* Write two chunks to a file of that name, and read them. */
static void test_round_trip(const char *suffix)
{
	struct jfrec_output *o = fresh_output(suffix);
	struct jfrec_writer *w = jfrec_writer_new(o, START, NULL);
	unsigned type = jfrec_writer_type(w, &all);
	const struct jfrec_event *ev;
	struct jfrec_reader *r;
	struct jfrec_error err = { 0 };

	write_all(w, type, START + 1, "A\303\244");
	CHECK(jfrec_writer_next_chunk(w, START, &err) < 0 && err.code == JFREC_EINVAL);
	CHECK_INT(jfrec_writer_next_chunk(w, START + 1000, &err), 0);
	write_all(w, type, START + 1001, "");
	write_all(w, type, START + 999, NULL);
	CHECK_INT(jfrec_writer_end(w, START + 2000, &err), 0);
	CHECK_INT(jfrec_output_commit(o, &err), 0);
	jfrec_writer_free(w);
	jfrec_output_close(o);

	r = jfrec_reader_open(path, NULL, &err);
	CHECK(jfrec_reader_next(r, &ev, &err) == 1);
	check_all(ev, START + 1);
	CHECK(is_text(ev, "text", "A\303\244"));
	CHECK_INT(jfrec_event_chunk(ev)->state, JFREC_FINISHED);
	CHECK_INT(jfrec_event_chunk(ev)->duration_ns, 1000);
	CHECK(jfrec_reader_next(r, &ev, &err) == 1);
	check_all(ev, START + 1001);
	CHECK(is_text(ev, "text", ""));
	CHECK_INT(jfrec_event_chunk(ev)->start_ns, START + 1000);
	CHECK(jfrec_reader_next(r, &ev, &err) == 1);
	check_all(ev, START + 999);
	CHECK_INT(jfrec_event_path(ev, "text").kind, JFREC_KIND_NULL);
	CHECK_INT(jfrec_reader_next(r, &ev, &err), 0);
	CHECK_INT((int64_t)jfrec_reader_damage(r), 0);
	jfrec_reader_close(r);
	unlink(path);
}

/* More constants than one checkpoint takes. */
static void test_many_constants(void)
{
	static const struct jfrec_new_field one = { .name = "who", .kind = JFREC_KIND_THREAD };
	static const struct jfrec_new_type type = { .struct_size = sizeof(type),
						    .name = "t.Who",
						    .fields = &one,
						    .field_count = 1 };
	struct jfrec_output *o = fresh_output("");
	struct jfrec_writer *w = jfrec_writer_new(o, START, NULL);
	unsigned id = jfrec_writer_type(w, &type);
	const struct jfrec_event *ev;
	struct jfrec_reader *r;
	char name[100];
	int n = 0;

	for (int i = 0; i < 50000; i++) {
		struct jfrec_new_thread t = { .name = name, .id = i };
		struct jfrec_new_event event = { .start_ns = START + i };
		union jfrec_datum v;

		snprintf(name, sizeof(name), "%099d", i);
		v.key = jfrec_writer_thread(w, &t);
		CHECK_INT((int64_t)jfrec_writer_thread(w, &t), (int64_t)v.key);
		jfrec_writer_event(w, id, &event, &v);
	}
	CHECK_INT(jfrec_writer_end(w, START + 100000, NULL), 0);
	CHECK_INT(jfrec_output_commit(o, NULL), 0);
	jfrec_writer_free(w);
	jfrec_output_close(o);
	r = jfrec_reader_open(path, NULL, NULL);
	for (; jfrec_reader_next(r, &ev, NULL) == 1; n++)
		CHECK_INT(number(ev, "who.javaThreadId"), n);
	CHECK_INT(n, 50000);
	CHECK_INT((int64_t)jfrec_reader_damage(r), 0);
	jfrec_reader_close(r);
	unlink(path);
}

int main(void)
{
	test_begin("every_type_reads_back");
	test_round_trip("");
	test_begin("the_same_through_gzip");
	test_round_trip(".gz");
	test_begin("the_same_through_zstd");
	test_round_trip(".zst");
	test_begin("many_constants_take_many_checkpoints");
	test_many_constants();
	*strrchr(path, '/') = '\0';
	rmdir(path);
	return test_end();
}
