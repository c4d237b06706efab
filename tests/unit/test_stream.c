/* SPDX-License-Identifier: MIT */
/* test_stream.c - chunks that grow, one flush after the other, and what a stream says then */
#include "streamed.h"

/* Growth ---------------------------------------------------------------------------------------- */

static void test_growth(void)
{
	struct jfrec_stream *s = open_with(&from_start);
	struct craft c = { 0 };

	test_begin("empty_directory_has_nothing_yet");
	HEAR(s, "");

	test_begin("chunk_is_only_a_header");
	begin(&c, 0);
	craft_set(&c, CRAFT_SIZE, 68);
	craft_set(&c, CRAFT_GENERATION, 1);
	put_all("a.jfr", &c);
	HEAR(s, "");

	test_begin("first_flush_brings_types_and_events");
	craft_event(&c, TICK, "3000 0 2");
	craft_event(&c, TICK, "2000 500 1");
	craft_event(&c, NAMED, "4000 7");
	craft_metadata(&c, first_types);
	craft_flush(&c, "1  " NAME " 1  7 'seven'");
	put_all("a.jfr", &c);
	HEAR(s, "T 1 2 seven | ");
	HEAR(s, "");

	test_begin("bytes_behind_the_flush_are_left");
	craft_event(&c, TICK, "5000 0 3");
	put("a.jfr", &c, c.bytes.data, c.bytes.len);
	HEAR(s, "");

	test_begin("constants_of_all_flushes_are_known");
	craft_event(&c, NAMED, "6000 8");
	craft_event(&c, NAMED, "6100 7");
	craft_flush(&c, "1  " NAME " 1  8 'eight'");
	put_all("a.jfr", &c);
	HEAR(s, "3 eight seven | ");

	test_begin("new_types_change_indexes");
	craft_event(&c, LATE, "7000 9");
	craft_event(&c, NAMED, "7100 8");
	craft_event(&c, NAMED, "7200 9");
	craft_metadata(&c, more_types);
	craft_flush(&c, "1  " NAME " 1  9 'nine'");
	put_all("a.jfr", &c);
	HEAR(s, "T 9 eight nine | ");

	test_begin("several_flushes_at_once");
	craft_event(&c, TICK, "9000 0 11");
	craft_event(&c, TICK, "8000 0 10");
	craft_flush(&c, "0");
	craft_event(&c, TICK, "8500 0 12");
	craft_flush(&c, "0");
	put_all("a.jfr", &c);
	HEAR(s, "10 11 | 12 | ");

	test_begin("header_that_is_being_rewritten_is_not_believed");
	craft_event(&c, TICK, "9500 0 13");
	craft_flush(&c, "0");
	craft_set(&c, CRAFT_GENERATION, 255);
	put_all("a.jfr", &c);
	HEAR(s, "");
	craft_set(&c, CRAFT_GENERATION, 2);
	put_all("a.jfr", &c);
	HEAR(s, "13 | ");

	test_begin("header_ahead_of_its_bytes_is_not_believed");
	craft_event(&c, TICK, "9600 0 14");
	craft_flush(&c, "0");
	put("a.jfr", &c, c.bytes.data, c.bytes.len - 3);
	HEAR(s, "");
	put_all("a.jfr", &c);
	HEAR(s, "14 | ");

	test_begin("end_of_a_chunk_and_the_next_one");
	craft_event(&c, TICK, "9700 0 15");
	finish(&c);
	put_all("a.jfr", &c);
	HEAR(s, "15 | ");
	craft_free(&c);
	c = (struct craft){ 0 };
	begin(&c, 1);
	craft_event(&c, TICK, "1000002000 0 16");
	craft_event(&c, NAMED, "1000003000 9");
	craft_metadata(&c, more_types);
	craft_flush(&c, "0");
	put_all("b.jfr", &c);
	HEAR(s, "16 null | ");

	test_begin("stop");
	jfrec_stream_stop(s);
	HEAR(s, "stopped");
	jfrec_stream_close(s);
	craft_free(&c);
	remove_file("a.jfr");
	remove_file("b.jfr");
}

/* However the flushes of a chunk are seen, its events are those of the whole. */
#define FLUSHES 24

struct moments {
	struct craft craft;
	uint8_t headers[FLUSHES + 1][68];
	size_t sizes[FLUSHES + 1];
};

static void note_moment(struct moments *m, int i)
{
	memcpy(m->headers[i], m->craft.bytes.data, 68);
	m->sizes[i] = m->craft.bytes.len;
}

static void make_moments(struct moments *m)
{
	struct craft *c = &m->craft;
	int n = 0;

	begin(c, 0);
	for (int i = 0; i < FLUSHES; i++) {
		for (int k = 0; k < i % 5; k++, n++)
			craft_event(c, TICK, "%d %d %d", 2000 + n * 10, n % 3 * 50, n);
		craft_event(c, NAMED, "%d %d", 2000 + n * 10, i / 2);
		if (i % 7 == 0)
			craft_metadata(c, i % 2 ? more_types : first_types);
		craft_flush(c, "1  " NAME " 1  %d 'c%d'", i / 2, i / 2);
		note_moment(m, i);
	}
	craft_event(c, TICK, "9000 0 %d", n);
	finish(c);
	note_moment(m, FLUSHES);
}

static const char *events_of_reader(const char *path)
{
	struct jfrec_reader *r = jfrec_reader_open(path, NULL, NULL);
	const struct jfrec_event *ev;

	said[0] = '\0';
	while (r && jfrec_reader_next(r, &ev, NULL) > 0)
		say_event(ev);
	jfrec_reader_close(r);
	return said;
}

/* Without | and T. */
static const char *only_events(const char *text)
{
	static char events[sizeof(said)];
	char *to = events;

	for (; *text; text++) {
		if ((*text == '|' || *text == 'T') && text[1] == ' ')
			text++;
		else
			*to++ = *text;
	}
	*to = '\0';
	return events;
}

static void check_steps(struct moments *m, int step, const char *want)
{
	struct jfrec_stream *s = open_with(&unordered);
	static char name[64];
	char events[sizeof(said)] = "";

	snprintf(name, sizeof(name), "cut_at_each_flush_seen_by_%d", step);
	test_begin(name);
	for (int i = step - 1; i < FLUSHES + step; i += step) {
		int at = i < FLUSHES ? i : FLUSHES;

		/* All bytes are there before the header says so. */
		put("a.jfr", &m->craft, m->headers[at], m->craft.bytes.len);
		strcat(events, only_events(hear(s)));
	}
	CHECK_TEXT(events, strlen(events), want);
	jfrec_stream_close(s);
	remove_file("a.jfr");
}

static void test_moments(void)
{
	struct moments m = { 0 };
	char want[sizeof(said)];

	make_moments(&m);
	put_all("a.jfr", &m.craft);
	strcpy(want, events_of_reader(path_of("a.jfr")));
	remove_file("a.jfr");
	CHECK(strlen(want) > 200);
	for (int step = 1; step <= FLUSHES; step += step < 5 ? 1 : 6)
		check_steps(&m, step, want);
	craft_free(&m.craft);
}

/* Order, choice, time --------------------------------------------------------------------------- */

static void two_flushes(struct craft *c)
{
	begin(c, 0);
	craft_event(c, TICK, "2000 5000 3");
	craft_event(c, TICK, "4000 0 1");
	craft_event(c, NAMED, "5000 1");
	craft_event(c, TICK, "6000 0 2");
	craft_metadata(c, first_types);
	craft_flush(c, "1  " NAME " 1  1 'one'");
	craft_event(c, TICK, "9000 0 5");
	craft_event(c, TICK, "8000 0 4");
	craft_flush(c, "0");
	put_all("a.jfr", c);
}

static void test_order_and_choice(void)
{
	static const int64_t from = INT64_C(1700000000000005500), to = INT64_C(1700000000000006500);
	struct craft c = { 0 };
	struct jfrec_stream *s;

	two_flushes(&c);
	test_begin("ordered_by_end_within_each_flush");
	s = open_with(&from_start);
	HEAR(s, "T 1 one 2 3 | 4 5 | ");
	jfrec_stream_close(s);

	test_begin("unordered_as_they_lie");
	s = open_with(&unordered);
	HEAR(s, "T 3 1 one 2 | 5 4 | ");
	jfrec_stream_close(s);

	test_begin("chosen_types");
	s = open_with(&from_start);
	jfrec_reader_select(jfrec_stream_reader(s), "Named", NULL, NULL);
	HEAR(s, "T one | | ");
	jfrec_stream_close(s);

	test_begin("chosen_by_expression");
	s = open_with(&from_start);
	CHECK_INT(jfrec_reader_where(jfrec_stream_reader(s), "n > 2", NULL), 0);
	HEAR(s, "T 3 | 4 5 | ");
	jfrec_stream_close(s);

	test_begin("unknown_field_fails");
	s = open_with(&from_start);
	CHECK_INT(jfrec_reader_where(jfrec_stream_reader(s), "nn > 2", NULL), 0);
	CHECK(strstr(hear(s), "nn") != NULL);
	jfrec_stream_close(s);

	test_begin("times_are_of_the_end");
	s = open_with(&(struct jfrec_stream_options){ .from_ns = &from, .to_ns = &to, .wait = true });
	HEAR(s, "T 3 | | time");
	jfrec_stream_close(s);

	test_begin("from_now_on");
	s = open_with(&(struct jfrec_stream_options){ .wait = true });
	HEAR(s, "T ");
	craft_event(&c, TICK, "1500 0 6");
	craft_flush(&c, "0");
	put_all("a.jfr", &c);
	HEAR(s, "6 | ");
	jfrec_stream_close(s);

	test_begin("types_are_listed");
	s = open_with(&from_start);
	hear(s);
	CHECK(jfrec_stream_type_get(s, 0) != NULL);
	CHECK_TEXT(jfrec_type_name(jfrec_stream_type_get(s, 1)), 7, "t.Named");
	CHECK(jfrec_stream_type_get(s, 2) == NULL);
	CHECK_TEXT(jfrec_stream_directory(s), strlen(directory), directory);
	jfrec_stream_close(s);

	test_begin("unfinished_chunk_that_nobody_writes");
	s = open_with(&(struct jfrec_stream_options){ .from_ns = &least });
	HEAR(s, "T 1 one 2 3 | 4 5 | 6 | died");
	jfrec_stream_close(s);

	test_begin("file");
	s = jfrec_stream_open(path_of("a.jfr"), NULL, NULL);
	HEAR(s, "T 6 1 one 2 3 4 5 | done");
	jfrec_stream_close(s);
	craft_free(&c);
	remove_file("a.jfr");
}

/* Damage ---------------------------------------------------------------------------------------- */

static void test_damage(void)
{
	struct jfrec_stream *s = open_with(&from_start);
	struct craft c = { 0 };

	test_begin("broken_chain_of_checkpoints");
	begin(&c, 0);
	craft_event(&c, NAMED, "2000 1");
	craft_metadata(&c, first_types);
	craft_flush(&c, "1  " NAME " 1  1 'one'");
	put_all("a.jfr", &c);
	HEAR(s, "T one | ");
	craft_event(&c, NAMED, "2100 2");
	craft_checkpoint(&c, "1  " NAME " 1  2 'two'");
	craft_event(&c, NAMED, "2200 3");
	craft_flush(&c, "1  " NAME " 1  3 'three'");
	craft_set(&c, CRAFT_CHECKPOINT, 70);
	put_all("a.jfr", &c);
	HEAR(s, "? two three | ");

	test_begin("damaged_events_are_told");
	craft_event(&c, TICK, "2300 0 4");
	craft_raw(&c, "b0 b0 b0");
	craft_event(&c, TICK, "2400 0 5");
	craft_flush(&c, "0");
	put_all("a.jfr", &c);
	CHECK(strchr(hear(s), '!') != NULL);

	test_begin("metadata_that_is_none");
	craft_event(&c, TICK, "2500 0 6");
	craft_flush(&c, "0");
	craft_set(&c, CRAFT_METADATA, 72);
	put_all("a.jfr", &c);
	HEAR(s, "! 6 | ");

	test_begin("a_header_that_takes_back_is_not_followed");
	craft_set(&c, CRAFT_SIZE, 80);
	put_all("a.jfr", &c);
	HEAR(s, "");
	jfrec_stream_close(s);
	craft_free(&c);
	remove_file("a.jfr");

	test_begin("version_that_nobody_reads");
	s = open_with(&(struct jfrec_stream_options){ .from_ns = &least });
	begin(&c, 0);
	craft_set(&c, CRAFT_VERSION, 9 << 16);
	craft_metadata(&c, first_types);
	finish(&c);
	put_all("a.jfr", &c);
	put_chunk(1, true);
	HEAR(s, "! T 1 | done");
	jfrec_stream_close(s);
	craft_free(&c);
	remove_file("a.jfr");
	remove_chunks(1, 1);
}

/* Printing -------------------------------------------------------------------------------------- */

static int take(void *ctx, const void *data, size_t len)
{
	(void)ctx;
	say("%.*s", (int)len, (const char *)data);
	return 0;
}

static void test_printer(void)
{
	const struct jfrec_print_options options = { .struct_size = sizeof(options),
						     .format = JFREC_NDJSON,
						     .fields = "n",
						     .stack_depth = 5 };
	struct jfrec_stream_step step;
	struct jfrec_stream *s;
	struct jfrec_printer *p;
	struct craft c = { 0 };

	test_begin("printed_one_by_one");
	two_flushes(&c);
	s = open_with(&from_start);
	p = jfrec_printer_new(jfrec_stream_reader(s), &options, take, NULL, NULL);
	said[0] = '\0';
	while (jfrec_stream_next(s, 0, &step, NULL) > 0 && step.kind != JFREC_STREAM_NOTHING) {
		if (step.kind == JFREC_STREAM_EVENT)
			CHECK_INT(jfrec_printer_event(p, step.event, NULL), 0);
	}
	CHECK_TEXT(said, 0, "");
	CHECK_INT(jfrec_printer_end(p, NULL), 0);
	CHECK_TEXT(said, strlen(said),
		   "{\"type\":\"t.Tick\",\"n\":1}\n{\"type\":\"t.Named\",\"n\":{\"string\":\"one\"}}\n"
		   "{\"type\":\"t.Tick\",\"n\":2}\n{\"type\":\"t.Tick\",\"n\":3}\n"
		   "{\"type\":\"t.Tick\",\"n\":4}\n{\"type\":\"t.Tick\",\"n\":5}\n");
	jfrec_printer_free(p);
	jfrec_stream_close(s);
	craft_free(&c);
	remove_file("a.jfr");
}

int main(void)
{
	make_directory();
	test_growth();
	test_moments();
	test_order_and_choice();
	test_damage();
	test_printer();
	rmdir(directory);
	return test_end();
}
