/* SPDX-License-Identifier: MIT */
/* test_stream.c - chunks that grow, one flush after the other, and what a stream says then */
#include "builder.h"
#include "test.h"

#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define TICK "20"
#define NAMED "21"
#define LATE "22"
#define NAME "30"

#define FIRST_TYPES                                                  \
	EVENT(TICK, "t.Tick", START DURATION FIELD("n", T_INT))      \
	CLASS(NAME, "t.Name", FIELD("string", T_STRING))             \
	EVENT(NAMED, "t.Named", START FIELD("n", NAME, KEY))

static const char first_types[] = FIRST_TYPES;

/* In front of the others, so that these get other indexes. */
static const char more_types[] = EVENT(LATE, "t.Late", START FIELD("n", T_INT)) FIRST_TYPES;

/* A repository ---------------------------------------------------------------------------------- */

static char directory[64];

static void make_directory(void)
{
	strcpy(directory, "/tmp/jfrec-stream-XXXXXX");
	if (!mkdtemp(directory))
		abort();
}

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static void remove_file(const char *name)
{
	unlink(path_of(name));
}

/* The file has so many bytes of the craft, and the header of that moment. */
static void put(const char *name, const struct craft *c, const uint8_t header[68], size_t len)
{
	int fd = open(path_of(name), O_WRONLY | O_CREAT, 0600);

	if (fd < 0 || pwrite(fd, c->bytes.data, len, 0) != (ssize_t)len ||
	    pwrite(fd, header, 68, 0) != 68)
		abort();
	close(fd);
}

static void put_all(const char *name, const struct craft *c)
{
	put(name, c, c->bytes.data, c->bytes.len);
}

/* Chunk number i is the next second's. */
static void begin(struct craft *c, int i)
{
	craft_chunk(c);
	craft_set(c, CRAFT_START_NS, UINT64_C(1700000000000000000) + (uint64_t)i * 1000000000);
	craft_set(c, CRAFT_START_TICKS, 1000 + (uint64_t)i * 1000000000);
}

static void finish(struct craft *c)
{
	craft_checkpoint(c, "0");
	craft_end(c);
	craft_set(c, CRAFT_GENERATION, 0);
}

/* What the stream says -------------------------------------------------------------------------- */

static char said[4096];

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
	size_t len = strlen(said);
	va_list args;

	va_start(args, format);
	vsnprintf(said + len, sizeof(said) - len, format, args);
	va_end(args);
}

static void on_problem(void *ctx, const struct jfrec_problem *p)
{
	(void)ctx;
	say("%c ", p->damage ? '!' : '?');
}

static void say_event(const struct jfrec_event *ev)
{
	struct jfrec_value v = jfrec_event_path(ev, "n");
	struct jfrec_value string = jfrec_event_path(ev, "n.string");

	if (v.kind == JFREC_STRUCT)
		v = string;
	if (v.kind == JFREC_STRING)
		say("%s ", jfrec_value_text(&v, NULL));
	else if (v.kind == JFREC_NULL)
		say("null ");
	else
		say("%" PRId64 " ", v.i);
}

/* All that it has now: events, | for a flush, T for types, ? and ! for problems, the end. */
static const char *hear(struct jfrec_stream *s)
{
	static const char *const ends[] = { "", "stopped", "time", "done", "died", "deleted" };
	struct jfrec_stream_step step;
	struct jfrec_error err = { 0 };
	int got;

	said[0] = '\0';
	while ((got = jfrec_stream_next(s, 0, &step, &err)) > 0 && step.kind != JFREC_STREAM_NOTHING) {
		if (step.kind == JFREC_STREAM_EVENT)
			say_event(step.event);
		else
			say(step.kind == JFREC_STREAM_FLUSH ? "| " : "T ");
	}
	if (got == 0)
		say("%s", ends[jfrec_stream_end_reason(s)]);
	if (got < 0)
		say("%s", err.text);
	return said;
}

static struct jfrec_stream *open_with(const struct jfrec_stream_options *options)
{
	struct jfrec_stream_options o = *options;
	struct jfrec_stream *s;
	struct jfrec_error err;

	o.struct_size = sizeof(o);
	s = jfrec_stream_open(directory, &o, &err);

	if (!CHECK(s != NULL)) {
		printf("# %s\n", err.text);
		exit(1);
	}
	jfrec_reader_on_problem(jfrec_stream_reader(s), on_problem, NULL);
	return s;
}

static const int64_t least = INT64_MIN;
static const struct jfrec_stream_options from_start = { .from_ns = &least, .wait = true };
static const struct jfrec_stream_options unordered = { .from_ns = &least,
						       .unordered = true,
						       .wait = true };

#define HEAR(s, want) (hear(s), CHECK_TEXT(said, strlen(said), want))

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
	struct jfrec_reader *r = jfrec_reader_open(path, NULL);
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

/* Chunks ---------------------------------------------------------------------------------------- */

#define CHUNKS 120

static void put_chunk(int i, bool is_last)
{
	struct craft c = { 0 };
	char name[32];

	begin(&c, i);
	craft_event(&c, TICK, "%lld 0 %d", 1000 + i * 1000000000LL, i);
	craft_metadata(&c, first_types);
	finish(&c);
	craft_set(&c, CRAFT_FLAGS, is_last ? 3 : 1);
	/* Names say nothing of the order. */
	snprintf(name, sizeof(name), "%d.jfr", (i * 7) % CHUNKS);
	put_all(name, &c);
	craft_free(&c);
}

static void remove_chunks(int first, int count)
{
	char name[32];

	for (int i = first; i < first + count; i++) {
		snprintf(name, sizeof(name), "%d.jfr", (i * 7) % CHUNKS);
		remove_file(name);
	}
}

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
	test_rotations();
	test_clock();
	test_two_in_a_file();
	test_part();
	test_held();
	test_damage();
	test_large();
	test_printer();
	rmdir(directory);
	return test_end();
}
