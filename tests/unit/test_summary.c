/* SPDX-License-Identifier: MIT */
/* test_summary.c - how many events of each type, and how large */
#include "printed.h"
#include "test.h"

#include <stdlib.h>

#define TICK "20"

/* A chunk with events of id 20, which is a type of this name here. */
static void chunk(struct craft *c, const char *name, int events)
{
	char class[200];

	craft_chunk(c);
	for (int i = 0; i < events; i++)
		craft_event(c, TICK, "%d 5", 1000 + 10 * i);
	snprintf(class, sizeof(class), EVENT(TICK, "%s", START FIELD("n", T_INT)), name);
	craft_metadata(c, class);
	craft_checkpoint(c, "0");
	craft_end(c);
}

static const struct jfrec_type_summary *row(const struct jfrec_summary *s, const char *name)
{
	for (size_t i = 0; s && i < jfrec_summary_type_count(s); i++) {
		if (strcmp(jfrec_summary_type_get(s, i)->name, name) == 0)
			return jfrec_summary_type_get(s, i);
	}
	return NULL;
}

static struct jfrec_summary *summarize(struct craft *c, bool merge_ids)
{
	struct jfrec_error err;
	struct jfrec_reader *r = craft_open(c, &err);
	struct jfrec_summary *s = jfrec_summarize(r, merge_ids, &err);

	CHECK(s != NULL);
	jfrec_reader_close(r); /* the summary outlives it */
	return s;
}

static void check_row(const struct jfrec_summary *s, const char *name, uint64_t count, uint64_t bytes)
{
	const struct jfrec_type_summary *t = row(s, name);

	if (CHECK(t != NULL)) {
		CHECK_INT((int64_t)t->count, (int64_t)count);
		CHECK_INT((int64_t)t->bytes, (int64_t)bytes);
	}
}

static void test_counts(void)
{
	struct craft c = { 0 };
	struct jfrec_summary *s;
	const struct jfrec_type_summary *t;

	test_begin("counts_and_bytes");
	chunk(&c, "t.Tick", 3);
	chunk(&c, "t.Tick", 2);
	s = summarize(&c, true);
	check_row(s, "t.Tick", 5, 5 * 5);
	check_row(s, "jdk.Checkpoint", 2, 2 * 8);
	CHECK_INT((int64_t)row(s, "jdk.Metadata")->count, 2);
	CHECK_INT((int64_t)jfrec_summary_chunk_count(s), 2);
	CHECK_INT((int64_t)jfrec_summary_chunk_get(s, 1)->offset, (int64_t)c.chunk);
	test_begin("greatest_count_comes_first");
	for (size_t i = 1; i < jfrec_summary_type_count(s); i++)
		CHECK(jfrec_summary_type_get(s, i - 1)->count >= jfrec_summary_type_get(s, i)->count);
	jfrec_summary_free(s);
	test_begin("first_and_last");
	s = summarize(&c, false);
	t = row(s, "t.Tick");
	CHECK_INT(t->first_ns, INT64_C(1700000000000000000));
	CHECK_INT(t->last_ns, INT64_C(1700000000000000020));
	jfrec_summary_free(s);
	jfrec_summary_free(NULL);
	craft_free(&c);
}

static void test_ids(void)
{
	struct craft c = { 0 };
	struct jfrec_summary *s;

	chunk(&c, "t.One", 3);
	chunk(&c, "t.Other", 2);
	chunk(&c, "t.One", 1);
	test_begin("one_id_two_types_apart");
	s = summarize(&c, false);
	check_row(s, "t.One", 4, 4 * 5);
	check_row(s, "t.Other", 2, 2 * 5);
	jfrec_summary_free(s);
	test_begin("one_id_two_types_merged");
	s = summarize(&c, true);
	check_row(s, "t.One", 6, 6 * 5);
	CHECK(!row(s, "t.Other"));
	jfrec_summary_free(s);
	craft_free(&c);
}

/* Counts are right, but what events refer to is not there. */
static void test_constants(void)
{
	struct craft c = { 0 };
	struct jfrec_error err;
	struct jfrec_reader *r;

	test_begin("lost_constants_are_told");
	craft_chunk(&c);
	craft_event(&c, TICK, "1000 5");
	craft_metadata(&c, EVENT(TICK, "t.Tick", START FIELD("n", T_INT)));
	craft_checkpoint(&c, "1 " T_STRING " 1  6 'six'  x0102");
	craft_end(&c);
	r = craft_open(&c, &err);
	jfrec_summary_free(jfrec_summarize(r, false, &err));
	CHECK(jfrec_reader_damage(r) > 0);
	jfrec_reader_close(r);
	craft_free(&c);
}

static void test_names(void)
{
	struct craft c = { 0 };
	struct jfrec_summary *s;

	test_begin("event_of_no_type");
	chunk(&c, "t.Tick", 1);
	craft_chunk(&c);
	craft_event(&c, "999", "1000");
	craft_metadata(&c, EVENT(TICK, "t.\xf0\x9f\x98\x80\xc3\xa9", START));
	craft_end(&c);
	s = summarize(&c, false);
	check_row(s, "999 (missing event metadata)", 1, 5);
	test_begin("width_is_in_utf16_units");
	CHECK_INT((int64_t)row(s, "t.\xf0\x9f\x98\x80\xc3\xa9")->name_width, 5);
	CHECK_INT((int64_t)jfrec_summary_longest_name(s), 6);
	jfrec_summary_free(s);
	craft_free(&c);
}

static void test_jdk9(void)
{
	struct craft c = { 0 };
	struct jfrec_summary *s;

	test_begin("version_1_has_other_names");
	chunk(&c, "com.oracle.jdk.Tick", 1);
	craft_set(&c, CRAFT_VERSION, 1 << 16);
	s = summarize(&c, true);
	CHECK(row(s, "com.oracle.jdk.Checkpoint") && row(s, "com.oracle.jdk.Metadata"));
	jfrec_summary_free(s);
	craft_free(&c);
}

/* Events across, at, and longer than the window that the file is read through. */
static void test_large(void)
{
	struct bytes payload = { 0 };
	struct craft c = { 0 };
	struct jfrec_summary *s;
	uint64_t bytes = 0;

	test_begin("events_larger_than_the_window");
	craft_chunk(&c);
	for (size_t size = 1; size < 3000000; size = size * 3 + 1) {
		size_t before = c.bytes.len;

		payload.len = 0;
		bytes_add(&payload, "1000 5");
		while (payload.len < size)
			bytes_copy(&payload, "padding!", 8);
		for (int i = 0; i < 3; i++)
			craft_event_of(&c, TICK, &payload);
		bytes += c.bytes.len - before;
	}
	craft_metadata(&c, EVENT(TICK, "t.Tick", START FIELD("n", T_INT)));
	craft_end(&c);
	s = summarize(&c, true);
	check_row(s, "t.Tick", 14 * 3, bytes);
	jfrec_summary_free(s);
	bytes_free(&payload);
	craft_free(&c);
}

int main(void)
{
	test_counts();
	test_ids();
	test_constants();
	test_names();
	test_jdk9();
	test_large();
	return test_end();
}
