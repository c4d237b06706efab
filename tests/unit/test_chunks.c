/* SPDX-License-Identifier: MIT */
/* test_chunks.c - the chunk files of a repository, whatever else is in the directory */
#include "repository/chunks.h"

#include "builder.h"
#include "test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define SECOND	 INT64_C(1000000000)
#define EPOCH_NS (INT64_C(1700000000) * SECOND)

static char dir[] = "/tmp/jfrec-chunks-XXXXXX";

static const char *in_dir(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void write_file(const char *name, const void *data, size_t len)
{
	int fd = open(in_dir(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	CHECK(fd >= 0 && write(fd, data, len) == (ssize_t)len);
	close(fd);
}

/* A chunk of two events that begins at that second; generation 0 is a finished one. */
static void write_chunk(const char *name, unsigned second, unsigned generation, size_t behind)
{
	struct craft c = { 0 };

	craft_chunk(&c);
	craft_event(&c, "20", "1500 7");
	craft_event(&c, "20", "1600 8");
	craft_checkpoint(&c, "0");
	craft_metadata(&c, EVENT("20", "t.Tick", START FIELD("n", T_INT)));
	craft_end(&c);
	craft_set(&c, CRAFT_START_NS, (uint64_t)(EPOCH_NS + second * SECOND));
	craft_set(&c, CRAFT_START_TICKS, 1000 + second * SECOND);
	craft_set(&c, CRAFT_GENERATION, generation);
	for (size_t i = 0; i < behind; i++)
		craft_raw(&c, "b1");
	write_file(name, c.bytes.data, c.bytes.len);
	craft_free(&c);
}

static uint64_t count_events(struct jfrec_repository *r)
{
	struct jfrec_reader *reader = jfrec_repository_read(r, NULL);
	const struct jfrec_event *e;
	uint64_t n = 0;

	while (reader && jfrec_reader_next(reader, &e, NULL) > 0)
		n++;
	CHECK(!reader || jfrec_reader_damage(reader) == 0);
	jfrec_reader_close(reader);
	return n;
}

static void test_open(void)
{
	struct jfrec_repository *r = jfrec_repository_open(dir, NULL);
	const struct jfrec_repository_info *info = jfrec_repository_describe(r);

	test_begin("only_chunks_are_taken");
	CHECK_INT((int64_t)info->chunks, 3);
	CHECK_INT((int64_t)r->count, 4);
	CHECK_INT((int64_t)info->bytes_behind, 77);
	CHECK_INT(info->flushed_ns, EPOCH_NS + 21 * SECOND);
	CHECK_INT((int64_t)info->unreadable, 1);
	CHECK_INT((int64_t)info->unreadable_bytes, 1000);

	test_begin("by_time_whatever_their_names");
	CHECK_TEXT(r->chunks[0].name, strlen(r->chunks[0].name), "b.jfr");
	CHECK_TEXT(r->chunks[1].name, strlen(r->chunks[1].name), "a.jfr");

	test_begin("what_is_removed_meanwhile_is_read");
	unlink(in_dir("a.jfr"));
	CHECK_INT((int64_t)count_events(r), 6);
	write_chunk("a.jfr", 10, 0, 0);
	test_begin("it_is_read_once");
	CHECK_INT((int64_t)count_events(r), 0);
	jfrec_repository_close(r);
}

static const struct {
	const char *name;
	int64_t from, to; /* seconds */
	size_t chunks;
} spans[] = {
	{ "all", -100, 100, 3 },
	{ "from_the_second", 10, 100, 2 },
	{ "up_to_the_second", -100, 10, 1 },
	{ "in_the_first", 0, 1, 1 },
	{ "between_two", 3, 9, 0 },
	{ "nothing", 50, 60, 0 },
	{ "backwards", 20, 0, 0 },
};

static void test_choose(void)
{
	for (size_t i = 0; i < sizeof(spans) / sizeof(*spans); i++) {
		struct jfrec_repository *r = jfrec_repository_open(dir, NULL);
		int64_t from = EPOCH_NS + spans[i].from * SECOND,
			to = EPOCH_NS + spans[i].to * SECOND;

		test_begin(spans[i].name);
		jfrec_repository_select_span(r, &from, &to);
		CHECK_INT((int64_t)jfrec_repository_describe(r)->chunks, (int64_t)spans[i].chunks);
		CHECK_INT((int64_t)count_events(r), 2 * (int64_t)spans[i].chunks);
		jfrec_repository_close(r);
	}
}

/* The JVM was killed while it rewrote the header. */
static void test_guard(void)
{
	struct jfrec_repository *r;

	test_begin("a_guard_that_stays");
	mkdir(in_dir("guard"), 0700);
	write_chunk("guard/a.jfr", 0, 0xff, 5);
	r = jfrec_repository_open(in_dir("guard"), NULL);
	CHECK_INT((int64_t)jfrec_repository_describe(r)->chunks, 1);
	CHECK_INT((int64_t)jfrec_repository_describe(r)->bytes_behind, 5);
	CHECK_INT((int64_t)count_events(r), 2);
	jfrec_repository_close(r);
	unlink(in_dir("guard/a.jfr"));
	rmdir(in_dir("guard"));
}

static void test_none(void)
{
	struct jfrec_error err = { 0 };
	struct jfrec_repository *r;

	test_begin("no_directory");
	CHECK(!jfrec_repository_open(in_dir("a.jfr"), &err));
	CHECK_INT(err.code, JFREC_EIO);
	test_begin("an_empty_directory");
	mkdir(in_dir("2026_11_20_15_40_46_4711"), 0700);
	r = jfrec_repository_open(in_dir("2026_11_20_15_40_46_4711"), &err);
	CHECK_INT(jfrec_repository_describe(r)->ns_pid, 4711);
	CHECK_INT((int64_t)jfrec_repository_describe(r)->chunks, 0);
	CHECK(!jfrec_repository_read(r, &err));
	CHECK_INT(err.code, JFREC_EFORMAT);
	jfrec_repository_close(r);
	rmdir(in_dir("2026_11_20_15_40_46_4711"));
}

/* A chunk of ours that is open and has lost its name, in a directory that is gone. */
static void test_process(void)
{
	char directory[64], file[128];
	struct jfrec_repository *r;
	struct process self;
	struct jfrec_error err = { 0 };
	int fd;

	CHECK(process_open(&self, getpid(), 0, NULL) == 0);
	test_begin("a_process_that_records_nothing");
	CHECK(!repository_of_process(&self, &err));
	CHECK_INT(err.code, JFREC_EREFUSED);

	test_begin("a_removed_chunk_of_a_process");
	snprintf(directory, sizeof(directory), "2001_01_01_00_00_00_%d", getpid());
	mkdir(in_dir(directory), 0700);
	snprintf(file, sizeof(file), "%s/2001_01_01_00_00_01.jfr", directory);
	write_chunk(file, 5, 2, 3);
	fd = open(in_dir(file), O_RDWR | O_CLOEXEC);
	unlink(in_dir(file));
	rmdir(in_dir(directory));
	r = repository_of_process(&self, &err);
	CHECK(r != NULL);
	if (r)
		CHECK_INT((int64_t)count_events(r), 2);
	jfrec_repository_close(r);
	close(fd);
	process_close(&self);
}

static void write_fresh(const char *name)
{
	struct craft c = { 0 };

	craft_chunk(&c);
	craft_set(&c, CRAFT_SIZE, CHUNK_HEADER_SIZE);
	craft_set(&c, CRAFT_START_NS, (uint64_t)(EPOCH_NS + 30 * SECOND));
	craft_set(&c, CRAFT_START_TICKS, 1000 + 30 * SECOND);
	craft_set(&c, CRAFT_GENERATION, 1);
	write_file(name, c.bytes.data, CHUNK_HEADER_SIZE);
	craft_free(&c);
}

static void make_directory(void)
{
	static const char text[] = "no recording at all, but long enough for the header of one: "
				   "sixty-eight bytes and more";

	CHECK(mkdtemp(dir) != NULL);
	write_chunk("a.jfr", 10, 0, 0);
	write_chunk("b.jfr", 0, 0, 0);
	write_chunk("c.jfr", 20, 3, 77);
	write_fresh("fresh.jfr");
	write_file("empty.jfr", "", 0);
	write_file("text.jfr", text, sizeof(text));
	write_file("x.part", "", 0);
	CHECK(truncate(in_dir("x.part"), 1000) == 0);
	CHECK(symlink("a.jfr", in_dir("link.jfr")) == 0);
	CHECK(mkfifo(in_dir("fifo.jfr"), 0600) == 0);
}

static void remove_directory(void)
{
	static const char *const names[] = { "a.jfr",	  "b.jfr",    "c.jfr",
					     "empty.jfr", "text.jfr", "link.jfr",
					     "fifo.jfr",  "x.part",   "fresh.jfr" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(in_dir(names[i]));
	rmdir(dir);
}

int main(void)
{
	make_directory();
	test_open();
	test_choose();
	test_guard();
	test_none();
	test_process();
	remove_directory();
	return test_end();
}
