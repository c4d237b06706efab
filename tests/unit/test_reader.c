/* SPDX-License-Identifier: MIT */
/* test_reader.c - the iterator, selection, problems and types, through jfrec.h alone */
#include "builder.h"
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define TICK "20"
#define NAMED "21"

static const char classes[] =
	EVENT(TICK, "t.Tick", START DURATION FIELD("n", T_INT))
	EVENT(NAMED, "t.Named", ANNOTATION(T_CATEGORY, "value-0='Some Names'") START FIELD("n", T_STRING));

/* Two chunks; not in the order of time. */
static void two_chunks(struct craft *c)
{
	craft_chunk(c);
	craft_event(c, TICK, "2000 100 1");
	craft_event(c, NAMED, "1500 'two'");
	craft_event(c, TICK, "1000 0 3");
	craft_metadata(c, classes);
	craft_checkpoint(c, "0");
	craft_end(c);
	craft_chunk(c);
	craft_event(c, NAMED, "1500 'four'");
	craft_event(c, TICK, "1001 7 5");
	craft_metadata(c, classes);
	craft_checkpoint(c, "0");
	craft_end(c);
	craft_set(c, CRAFT_FLAGS, 3);
	craft_set(c, CRAFT_DURATION_NS, 5);
}

static const struct {
	const char *name, *events, *categories, *delivered;
} selections[] = {
	{ "all_in_file_order", NULL, NULL, "1 two 3 four 5 " },
	{ "one_type", "Tick", NULL, "1 3 5 " },
	{ "one_category", NULL, "SN", "two four " },
	{ "nothing", "x*", NULL, "" },
};

static void add(char *text, const struct jfrec_event *ev)
{
	struct jfrec_value v = jfrec_event_path(ev, "n");

	if (v.kind == JFREC_KIND_STRING)
		sprintf(text + strlen(text), "%s ", jfrec_value_text(&v, NULL));
	else
		sprintf(text + strlen(text), "%" PRId64 " ", v.i);
}

static void check_selection(size_t i)
{
	const struct jfrec_event *ev;
	struct jfrec_error err;
	struct craft c = { 0 };
	char text[100] = "";
	struct jfrec_reader *r;

	two_chunks(&c);
	r = craft_open(&c, &err);
	CHECK_INT(jfrec_reader_select(r, selections[i].events, selections[i].categories, &err), 0);
	while (jfrec_reader_next(r, &ev, &err) > 0)
		add(text, ev);
	CHECK_TEXT(text, strlen(text), selections[i].delivered);
	CHECK_INT(jfrec_reader_next(r, &ev, &err), 0); /* and stays at the end */
	CHECK_INT((int64_t)jfrec_reader_damage(r), 0);
	jfrec_reader_close(r);
	craft_free(&c);
}

static void test_chunks(void)
{
	const struct jfrec_chunk_info *chunk;
	const struct jfrec_event *ev = NULL;
	struct jfrec_error err;
	struct craft c = { 0 };
	struct jfrec_reader *r;

	test_begin("chunk_of_each_event");
	two_chunks(&c);
	r = craft_open(&c, &err);
	CHECK_INT(jfrec_reader_next(r, &ev, &err), 1);
	chunk = jfrec_event_chunk(ev);
	CHECK_INT((int64_t)chunk->offset, 0);
	CHECK_INT((int64_t)chunk->size, (int64_t)c.chunk);
	CHECK_INT(chunk->major, 2);
	CHECK_INT(chunk->minor, 1);
	CHECK_INT(chunk->start_ns, INT64_C(1700000000000000000));
	CHECK_INT(chunk->duration_ns, 1000000000);
	CHECK_INT(chunk->start_ticks, 1000);
	CHECK_INT(chunk->ticks_per_second, 1000000000);
	CHECK(!chunk->final);
	for (int i = 0; i < 3; i++)
		CHECK_INT(jfrec_reader_next(r, &ev, &err), 1);
	chunk = jfrec_event_chunk(ev);
	CHECK_INT((int64_t)chunk->offset, (int64_t)c.chunk);
	CHECK_INT(chunk->duration_ns, 5);
	CHECK(chunk->final);
	CHECK_INT((int64_t)jfrec_event_offset(ev), (int64_t)c.chunk + 68);
	jfrec_reader_close(r);
	craft_free(&c);
}

struct told {
	int count;
	struct jfrec_problem last;
};

static void on_problem(void *ctx, const struct jfrec_problem *problem)
{
	struct told *t = ctx;

	t->count++;
	t->last = *problem;
}

static void test_problems(void)
{
	const struct jfrec_event *ev;
	struct jfrec_error err;
	struct craft c = { 0 };
	struct told told = { 0 };
	struct jfrec_reader *r;
	int events = 0;

	two_chunks(&c);
	craft_raw(&c, "x0102030405");
	test_begin("problem_has_place_and_size");
	r = craft_open(&c, &err);
	jfrec_reader_on_problem(r, on_problem, &told);
	while (jfrec_reader_next(r, &ev, &err) > 0)
		events++;
	CHECK_INT(events, 5);
	CHECK_INT(told.count, 1);
	CHECK(told.last.damage);
	CHECK_INT((int64_t)told.last.offset, (int64_t)c.bytes.len - 5);
	CHECK_INT((int64_t)told.last.lost, 5);
	CHECK_INT((int64_t)jfrec_reader_damage(r), 1);
	jfrec_reader_close(r);
	test_begin("problems_without_function_are_counted");
	r = craft_open(&c, &err);
	while (jfrec_reader_next(r, &ev, &err) > 0)
		;
	CHECK_INT((int64_t)jfrec_reader_damage(r), 1);
	jfrec_reader_close(r);
	craft_free(&c);
}

/* Types of all chunks, each once, and they outlive their chunk. */
static void test_types(void)
{
	const struct jfrec_types *types;
	struct jfrec_error err;
	struct craft c = { 0 };
	struct jfrec_reader *r;
	int64_t ours = 0;

	test_begin("types_of_all_chunks");
	two_chunks(&c);
	craft_chunk(&c);
	craft_metadata(&c, EVENT("22", "t.New", START));
	craft_checkpoint(&c, "0");
	craft_end(&c);
	r = craft_open(&c, &err);
	CHECK_INT(jfrec_reader_select(r, "t.*", NULL, &err), 0);
	types = jfrec_reader_types(r, &err);
	for (size_t i = 0; types && i < jfrec_types_count(types); i++)
		ours += strncmp(jfrec_type_name(jfrec_types_get(types, i)), "t.", 2) == 0;
	CHECK_INT(ours, 3);
	jfrec_reader_close(r);
	craft_free(&c);
}

static int write_nothing(void *ctx, const void *data, size_t len)
{
	int *calls = ctx;

	(void)data;
	(void)len;
	++*calls;
	return ENOSPC;
}

static void test_full_disk(void)
{
	struct jfrec_print_options options = { .struct_size = sizeof(options),
					       .format = JFREC_JSON };
	struct jfrec_error err;
	struct craft c = { 0 };
	struct jfrec_reader *r;
	int calls = 0;

	test_begin("failed_write_ends_the_document");
	two_chunks(&c);
	r = craft_open(&c, &err);
	CHECK_INT(jfrec_print(r, &options, write_nothing, &calls, &err), -1);
	CHECK_INT(err.code, JFREC_EOUTPUT);
	CHECK_INT(err.sys, ENOSPC);
	CHECK_INT(calls, 1);
	jfrec_reader_close(r);
	craft_free(&c);
}

/* Each problem takes so long that the JVM writes on. */
static void write_on(void *ctx, const struct jfrec_problem *problem)
{
	static const char bytes[100];
	struct craft *c = ctx;

	(void)problem;
	if (c->bytes.len > 1000000) /* it is run after */
		abort();
	if (write(c->fd, bytes, sizeof(bytes)) == sizeof(bytes))
		c->bytes.len += sizeof(bytes);
}

static void test_growing(void)
{
	const struct jfrec_event *ev;
	struct craft c = { 0 };
	struct jfrec_reader *r;
	int count = 0;

	test_begin("a_file_that_grows_has_an_end");
	two_chunks(&c);
	craft_set(&c, CRAFT_GENERATION, 1);
	craft_raw(&c, "x00000000");
	r = craft_open(&c, NULL);
	jfrec_reader_on_problem(r, write_on, &c);
	while (jfrec_reader_next(r, &ev, NULL) > 0)
		count++;
	CHECK_INT(count, 5);
	CHECK_INT((int64_t)jfrec_reader_damage(r), 0);
	jfrec_reader_close(r);
	craft_free(&c);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(selections) / sizeof(*selections); i++) {
		test_begin(selections[i].name);
		check_selection(i);
	}
	test_chunks();
	test_problems();
	test_types();
	test_full_disk();
	test_growing();
	test_begin("version");
	CHECK(strchr(jfrec_version(), '.'));
	return test_end();
}
