/* SPDX-License-Identifier: MIT */
/*
 * test_stream_chunks.c - streams whose chunks come and go
 */
#include "streamed.h"

/* Chunks ---------------------------------------------------------------------------------------- */

static void test_rotations(void)
{
	struct jfrec_stream *s = open_with(&from_start);
	char want[64];

	test_begin("chunks_by_time_not_by_name");
	for (int i = 0; i < CHUNKS; i++) {
		put_chunk(i, i == CHUNKS - 1);
		snprintf(want, sizeof(want), i ? "%d | " : "T %d | ", i);
		HEAR(s, want);
	}
	jfrec_stream_close(s);

	test_begin("chunks_from_a_time");
	s = open_with(&(struct jfrec_stream_options){
		.from_ns = &(int64_t){ INT64_C(1700000116000000000) } });
	HEAR(s, "T 116 | 117 | 118 | 119 | done");
	jfrec_stream_close(s);

	test_begin("removed_chunks_are_told");
	s = open_with(&(struct jfrec_stream_options){
		.from_ns = &(int64_t){ INT64_C(1700000114000000000) } });
	remove_chunks(116, 2);
	HEAR(s, "T 114 | 115 | ? 118 | 119 | done");
	jfrec_stream_close(s);
	remove_chunks(0, CHUNKS);
}

/* A clock that was set back: chunks of one start, told apart by their ticks. */
static void test_clock(void)
{
	struct jfrec_stream *s = open_with(&from_start);

	test_begin("time_stands_still");
	for (int i = 0; i < 4; i++) {
		struct craft c = { 0 };
		char name[32];

		begin(&c, i);
		craft_set(&c, CRAFT_START_NS, UINT64_C(1700000000000000000));
		craft_set(&c, CRAFT_DURATION_NS, 0);
		craft_event(&c, TICK, "%d 0 %d", 1000 + i, i);
		craft_metadata(&c, first_types);
		finish(&c);
		snprintf(name, sizeof(name), "%d.jfr", 9 - i);
		put_all(name, &c);
		craft_free(&c);
		CHECK(hear(s)[i ? 0 : 2] == '0' + i);
	}
	jfrec_stream_close(s);
	for (int i = 0; i < 4; i++)
		remove_file((const char *[]){ "9.jfr", "8.jfr", "7.jfr", "6.jfr" }[i]);
}

/* No JVM does it, but a directory may hold recordings. */
static void test_two_in_a_file(void)
{
	struct jfrec_stream *s;
	struct craft c = { 0 };

	test_begin("two_chunks_in_a_file");
	for (int i = 0; i < 2; i++) {
		begin(&c, i);
		craft_event(&c, TICK, "%lld 0 %d", 1000 + i * 1000000000LL, i);
		craft_event(&c, NAMED, "%lld 1", 1500 + i * 1000000000LL);
		craft_metadata(&c, first_types);
		craft_checkpoint(&c, "1  " NAME " 1  1 'c%d'", i);
		craft_end(&c);
	}
	put_all("a.jfr", &c);
	put_chunk(2, true);
	s = open_with(&(struct jfrec_stream_options){ .from_ns = &least });
	HEAR(s, "T 0 c0 | 1 c1 | 2 | done");
	jfrec_stream_close(s);
	craft_free(&c);
	remove_file("a.jfr");
	remove_chunks(2, 1);
}

/* JDK 8 and 11: no header before the end, and another name then. */
static void test_part(void)
{
	struct jfrec_stream *s = open_with(&from_start);
	/* What is where the size and the rest will be are bytes of events. */
	static const uint8_t nothing[68] = { 'F', 'L', 'R', 0, 0, 2, 0, 0, 0xb2, 0x12, 0x34,
					     [24] = 1, [40] = 7, [67] = 1 };
	struct craft c = { 0 };
	char from[128];

	test_begin("part_is_read_when_it_is_finished");
	begin(&c, 0);
	craft_event(&c, TICK, "2000 0 1");
	craft_metadata(&c, first_types);
	craft_checkpoint(&c, "0");
	put("x.part", &c, nothing, c.bytes.len);
	HEAR(s, "? ");
	HEAR(s, "");
	craft_end(&c);
	put_all("x.part", &c);
	strcpy(from, path_of("x.part"));
	rename(from, path_of("x.jfr"));
	remove_file("x.jfr"); /* as a JVM does when it ends: it is open, so nothing is lost */
	HEAR(s, "T 1 | ");
	jfrec_stream_close(s);
	craft_free(&c);

	test_begin("part_behind_another_that_is_finished_first");
	s = open_with(&from_start);
	begin(&c, 2);
	craft_event(&c, TICK, "2000002000 0 2");
	craft_metadata(&c, first_types);
	craft_checkpoint(&c, "0");
	put("a.part", &c, nothing, c.bytes.len);
	HEAR(s, "? ");
	put_chunk(1, false);
	craft_end(&c);
	put_all("a.part", &c);
	strcpy(from, path_of("a.part"));
	rename(from, path_of("z.jfr")); /* names before and after are numbered by themselves */
	HEAR(s, "T 1 | 2 | ");
	HEAR(s, "");
	jfrec_stream_close(s);
	craft_free(&c);
	remove_chunks(1, 1);
	remove_file("z.jfr");

	test_begin("part_from_now_on_is_all_new");
	s = open_with(&(struct jfrec_stream_options){ .wait = true });
	begin(&c, 0);
	craft_event(&c, TICK, "2000 0 1");
	craft_metadata(&c, first_types);
	craft_checkpoint(&c, "0");
	put("x.part", &c, nothing, c.bytes.len);
	HEAR(s, "? ");
	craft_end(&c);
	put_all("x.part", &c);
	strcpy(from, path_of("x.part"));
	rename(from, path_of("x.jfr"));
	HEAR(s, "T 1 | ");
	jfrec_stream_close(s);
	craft_free(&c);
	remove_file("x.jfr");
}

/* Chunks that come and go between two looks ----------------------------------------------------- */

static bool is_told(struct jfrec_stream *s)
{
	struct pollfd fd = { .fd = jfrec_stream_fd(s), .events = POLLIN };

	return poll(&fd, 1, 0) == 1;
}

/* The file of the name, without a byte as yet: what is written to it later needs no name. */
static int create(const char *name)
{
	int fd = open(path_of(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		abort();
	return fd;
}

/* A finished chunk, the i-th, with one event. */
static void write_chunk(int fd, int i)
{
	struct craft c = { 0 };

	begin(&c, i);
	craft_event(&c, TICK, "%lld 0 %d", 1000 + i * 1000000000LL, i);
	craft_metadata(&c, first_types);
	finish(&c);
	if (pwrite(fd, c.bytes.data, c.bytes.len, 0) != (ssize_t)c.bytes.len)
		abort();
	close(fd);
	craft_free(&c);
}

/* A stream that follows chunk 0, which is not finished. */
static struct jfrec_stream *follow_one(struct craft *c)
{
	struct jfrec_stream *s = open_with(&from_start);

	*c = (struct craft){ 0 };
	begin(c, 0);
	craft_event(c, TICK, "2000 0 0");
	craft_metadata(c, first_types);
	craft_flush(c, "0");
	put_all("a.jfr", c);
	HEAR(s, "T 0 | ");
	return s;
}

/* That chunk is finished, and removed as its JVM does when it ends. */
static void finish_one(struct craft *c)
{
	finish(c);
	put_all("a.jfr", c);
	remove_file("a.jfr");
	craft_free(c);
}

static void test_held(void)
{
	struct jfrec_stream *s;
	char from[128], name[16];
	struct craft c;
	int two, one;

	test_begin("who_waits_is_told_of_a_chunk");
	s = follow_one(&c);
	CHECK(!is_told(s));
	two = create("b.jfr");
	CHECK(is_told(s));
	HEAR(s, "");
	CHECK(!is_told(s));

	test_begin("chunk_that_came_and_went_is_read");
	remove_file("b.jfr");
	write_chunk(two, 1);
	finish_one(&c);
	HEAR(s, "| 1 | ");
	HEAR(s, "");
	jfrec_stream_close(s);

	test_begin("chunk_that_was_gone_before_it_could_be_opened_is_told");
	s = follow_one(&c);
	close(create("b.jfr"));
	remove_file("b.jfr");
	HEAR(s, "? ");
	HEAR(s, "");
	finish_one(&c);
	HEAR(s, "| ");
	jfrec_stream_close(s);

	test_begin("by_their_headers_not_as_they_came");
	s = follow_one(&c);
	two = create("b.jfr");
	one = create("c.jfr");
	HEAR(s, "");
	remove_file("b.jfr");
	remove_file("c.jfr");
	write_chunk(two, 2);
	write_chunk(one, 1);
	put_chunk(3, true);
	finish_one(&c);
	HEAR(s, "| 1 | 2 | 3 | ");
	jfrec_stream_close(s);
	remove_chunks(3, 1);

	test_begin("one_that_never_has_a_header_is_passed_over");
	s = follow_one(&c);
	close(create("b.jfr"));
	close(create("b.txt"));
	HEAR(s, "");
	remove_file("b.jfr");
	remove_file("b.txt");
	finish_one(&c);
	HEAR(s, "| ");
	jfrec_stream_close(s);

	test_begin("part_that_came_and_went_is_read");
	s = follow_one(&c);
	one = create("b.part");
	HEAR(s, "");
	write_chunk(one, 1);
	strcpy(from, path_of("b.part"));
	rename(from, path_of("b.jfr"));
	remove_file("b.jfr");
	finish_one(&c);
	HEAR(s, "| 1 | ");
	HEAR(s, "");
	jfrec_stream_close(s);

	test_begin("part_is_read_once_whatever_its_name");
	s = follow_one(&c);
	one = create("b.part");
	HEAR(s, "");
	write_chunk(one, 1);
	strcpy(from, path_of("b.part"));
	rename(from, path_of("b.jfr"));
	finish_one(&c);
	HEAR(s, "| 1 | ");
	remove_file("b.jfr");
	HEAR(s, "");
	put_chunk(2, true);
	HEAR(s, "2 | ");
	jfrec_stream_close(s);
	remove_chunks(2, 1);

	test_begin("of_very_many_the_last_ones_are_kept");
	s = follow_one(&c);
	for (int i = 1; i <= 20; i++) {
		snprintf(name, sizeof(name), "%d.jfr", i);
		write_chunk(create(name), i);
	}
	HEAR(s, "");
	for (int i = 1; i <= 20; i++) {
		snprintf(name, sizeof(name), "%d.jfr", i);
		remove_file(name);
	}
	finish_one(&c);
	HEAR(s, "| ? 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | ");
	jfrec_stream_close(s);
}

/* A chunk larger than the window it is walked over with, and events larger than that. */
static void test_large(void)
{
	struct jfrec_stream *s = open_with(&from_start);
	struct bytes big = { 0 };
	struct craft c = { 0 };
	struct jfrec_stream_step step;
	int64_t sum = 0;
	int count = 0;

	test_begin("large_events_and_many");
	begin(&c, 0);
	craft_metadata(&c, first_types);
	for (int i = 0; i < 20000; i++) {
		craft_event(&c, TICK, "%d 0 %d", 20000 - i, i);
		if (i % 4000 == 0) {
			big.len = 0;
			bytes_add(&big, "500 0 %d", i);
			for (int k = 0; k < 40000; k++)
				bytes_copy(&big, "0123456789", 10);
			craft_event_of(&c, TICK, &big);
			craft_checkpoint(&c, "1  " NAME " 1  %d 'c'", i);
		}
	}
	craft_flush(&c, "0");
	put_all("a.jfr", &c);
	while (jfrec_stream_next(s, 0, &step, NULL) > 0 && step.kind != JFREC_STREAM_NOTHING) {
		if (step.kind != JFREC_STREAM_EVENT)
			continue;
		sum += jfrec_event_path(step.event, "n").i;
		count++;
	}
	CHECK_INT(count, 20005);
	CHECK_INT(sum, INT64_C(19999) * 10000 + 40000);
	jfrec_stream_close(s);
	bytes_free(&big);
	craft_free(&c);
	remove_file("a.jfr");
}

int main(void)
{
	make_directory();
	test_rotations();
	test_clock();
	test_two_in_a_file();
	test_part();
	test_held();
	test_large();
	rmdir(directory);
	return test_end();
}
