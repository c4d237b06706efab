/* SPDX-License-Identifier: MIT */
/* test_places.c - recordings in descriptors and in memory, through jfrec.h alone */
#include "builder.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

#define TICK "20"
#define EVENTS_PER_CHUNK 20000

static const char classes[] = EVENT(TICK, "t.Tick", START DURATION FIELD("n", T_INT));

/* Large enough to be mapped. */
static void add_chunk(struct craft *c)
{
	craft_chunk(c);
	for (int i = 0; i < EVENTS_PER_CHUNK; i++)
		craft_event(c, TICK, "2000 100 1");
	craft_metadata(c, classes);
	craft_checkpoint(c, "0");
	craft_end(c);
}

static int file_of(const void *bytes, size_t len)
{
	int fd = memfd_create("recording", MFD_CLOEXEC);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		abort();
	return fd;
}

static const struct jfrec_open_options named = { .struct_size = sizeof(named), .name = "the name" };
static const struct jfrec_open_options copied = { .struct_size = sizeof(copied),
						  .without_mapping = true };

/* The number of events, or -1; closes the reader. */
static int64_t count(struct jfrec_reader *r)
{
	const struct jfrec_event *ev;
	int64_t n = 0;
	int got;

	if (!r)
		return -1;
	while ((got = jfrec_reader_next(r, &ev, NULL)) > 0)
		n++;
	if (jfrec_reader_damage(r))
		got = -1;
	jfrec_reader_close(r);
	return got < 0 ? -1 : n;
}

static void test_descriptors(const struct craft *c)
{
	int fd = file_of(c->bytes.data, c->bytes.len), again, ends[2];
	struct jfrec_reader *r;

	test_begin("a_file_is_read_from_its_beginning");
	lseek(fd, 100, SEEK_SET);
	CHECK_INT(count(jfrec_reader_open_fd(fd, NULL, NULL)), 2 * EVENTS_PER_CHUNK);
	CHECK_INT(lseek(fd, 0, SEEK_CUR), 100);
	test_begin("without_mapping_too");
	CHECK_INT(count(jfrec_reader_open_fd(fd, &copied, NULL)), 2 * EVENTS_PER_CHUNK);
	test_begin("the_caller_may_close_it");
	again = dup(fd);
	r = jfrec_reader_open_fd(again, &named, NULL);
	CHECK(r && strcmp(jfrec_reader_input(r), "the name") == 0);
	close(again);
	CHECK_INT(count(r), 2 * EVENTS_PER_CHUNK);
	close(fd);
	test_begin("a_socket_is_read_to_its_end");
	CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	if (fork() == 0) {
		close(ends[0]);
		_exit(write(ends[1], c->bytes.data, c->bytes.len) != (ssize_t)c->bytes.len);
	}
	close(ends[1]);
	CHECK_INT(count(jfrec_reader_open_fd(ends[0], NULL, NULL)), 2 * EVENTS_PER_CHUNK);
	close(ends[0]);
}

/* One more chunk from a file, after one of the others. */
static void test_added(const struct craft *c)
{
	int fd = file_of(c->bytes.data, c->bytes.len), more = file_of(c->bytes.data, c->bytes.len / 2);
	struct jfrec_reader *r = jfrec_reader_open_fd(fd, NULL, NULL);
	char path[32];

	test_begin("a_path_can_be_added_to_a_descriptor");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", more);
	CHECK_INT(jfrec_reader_add(r, path, NULL), 0);
	CHECK_INT(jfrec_reader_add(r, path, NULL), 0);
	CHECK_INT(count(r), 4 * EVENTS_PER_CHUNK);
	test_begin("and_to_memory");
	r = jfrec_reader_open_memory(c->bytes.data, c->bytes.len, NULL, NULL);
	CHECK_INT(jfrec_reader_add(r, path, NULL), 0);
	CHECK_INT(count(r), 3 * EVENTS_PER_CHUNK);
	close(more);
	close(fd);
}

/* Memory is the first file, and half of it the second one. */
static struct jfrec_reader *two_files(const struct craft *c, const char *path)
{
	struct jfrec_reader *r = jfrec_reader_open_memory(c->bytes.data, c->bytes.len, &named, NULL);

	CHECK_INT(jfrec_reader_add(r, path, NULL), 0);
	return r;
}

static void test_only_one(const struct craft *c)
{
	int fd = file_of(c->bytes.data, c->bytes.len / 2);
	const struct jfrec_event *ev;
	struct jfrec_error err;
	struct jfrec_reader *r;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	test_begin("files_have_names");
	r = two_files(c, path);
	CHECK_INT(jfrec_reader_file_count(r), 2);
	CHECK(strcmp(jfrec_reader_file_name(r, 0), "the name") == 0);
	CHECK(strcmp(jfrec_reader_file_name(r, 1), path) == 0);
	CHECK(!jfrec_reader_file_name(r, 2));
	test_begin("one_that_is_not_there_is_refused");
	CHECK_INT(jfrec_reader_only_file(r, 2, &err), -1);
	CHECK_INT(err.code, JFREC_EINVAL);
	CHECK_INT(jfrec_reader_file_count(r), 2);
	test_begin("the_first_one_is_read_alone");
	CHECK_INT(jfrec_reader_only_file(r, 0, NULL), 0);
	CHECK_INT(jfrec_reader_file_count(r), 1);
	CHECK_INT(count(r), 2 * EVENTS_PER_CHUNK);
	test_begin("the_second_one_is_read_alone");
	r = two_files(c, path);
	CHECK_INT(jfrec_reader_only_file(r, 1, NULL), 0);
	CHECK(strcmp(jfrec_reader_input(r), path) == 0);
	CHECK_INT(count(r), EVENTS_PER_CHUNK);
	test_begin("not_once_reading_has_begun");
	r = two_files(c, path);
	CHECK_INT(jfrec_reader_next(r, &ev, NULL), 1);
	CHECK_INT(jfrec_reader_only_file(r, 1, &err), -1);
	CHECK_INT(err.code, JFREC_EINVAL);
	CHECK_INT(count(r), 3 * EVENTS_PER_CHUNK - 1);
	close(fd);
}

static void test_memory(const struct craft *c)
{
	uLongf len = compressBound(c->bytes.len) + 64;
	uint8_t *small = malloc(len);
	z_stream z = { .next_in = c->bytes.data, .avail_in = (uInt)c->bytes.len, .next_out = small,
		       .avail_out = (uInt)len };
	struct jfrec_reader *r;
	int64_t from, to;

	test_begin("memory_is_read");
	CHECK_INT(count(jfrec_reader_open_memory(c->bytes.data, c->bytes.len, NULL, NULL)),
		  2 * EVENTS_PER_CHUNK);
	test_begin("it_has_a_span_and_chunks");
	r = jfrec_reader_open_memory(c->bytes.data, c->bytes.len, &named, NULL);
	CHECK_INT(jfrec_reader_span(r, &from, &to, NULL), 0);
	CHECK_TEXT(jfrec_reader_input(r), strlen(jfrec_reader_input(r)), "the name");
	CHECK_INT(count(r), 2 * EVENTS_PER_CHUNK);
	test_begin("compressed_memory_is_read");
	CHECK(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK &&
	      deflate(&z, Z_FINISH) == Z_STREAM_END);
	CHECK_INT(count(jfrec_reader_open_memory(small, z.total_out, NULL, NULL)),
		  2 * EVENTS_PER_CHUNK);
	test_begin("what_is_cut_short_is_damage");
	r = jfrec_reader_open_memory(c->bytes.data, c->bytes.len - 10, NULL, NULL);
	CHECK_INT(count(r), -1);
	deflateEnd(&z);
	free(small);
}

static void test_refusals(void)
{
	static const struct {
		const char *name, *bytes, *text;
		enum jfrec_code code;
	} bad[] = {
		{ "empty_memory_is_no_recording", "", "is empty", JFREC_EFORMAT },
		{ "no_memory_is_no_recording", NULL, "is empty", JFREC_EFORMAT },
		{ "other_bytes_are_no_recording", "hello, world", "is not a recording", JFREC_EFORMAT },
	};
	struct jfrec_error err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		size_t len = bad[i].bytes ? strlen(bad[i].bytes) : 0;

		test_begin(bad[i].name);
		CHECK(!jfrec_reader_open_memory(bad[i].bytes, len, NULL, &err));
		CHECK_INT(err.code, bad[i].code);
		CHECK(strstr(err.text, bad[i].text));
	}
	test_begin("a_descriptor_that_is_not_open");
	CHECK(!jfrec_reader_open_fd(-1, NULL, &err));
	CHECK_INT(err.sys, EBADF);
	CHECK(!jfrec_reader_open_fd(987654, NULL, &err));
	CHECK_INT(err.sys, EBADF);
	test_begin("a_directory");
	CHECK(!jfrec_reader_open_fd(open("/", O_RDONLY | O_CLOEXEC), NULL, &err));
	CHECK(strstr(err.text, "is a directory"));
}

/* A file that loses its end while it is read must not kill the reader. */
static void test_cut_short(const struct craft *c)
{
	int fd = file_of(c->bytes.data, c->bytes.len);
	struct jfrec_reader *r = jfrec_reader_open_fd(fd, &copied, NULL);
	const struct jfrec_event *ev;
	int64_t n = 0;

	test_begin("a_file_that_is_cut_short_is_damage");
	CHECK_INT(jfrec_reader_next(r, &ev, NULL), 1);
	CHECK_INT(ftruncate(fd, 1000), 0);
	while (jfrec_reader_next(r, &ev, NULL) > 0)
		n++;
	CHECK_INT(n, EVENTS_PER_CHUNK - 1); /* the chunk that was copied */
	jfrec_reader_close(r);
	close(fd);
}

/* Both read their inputs twice. */
static void test_written(const struct craft *c)
{
	char path[] = "/tmp/jfrec-places-XXXXXX";
	const int64_t from = INT64_MIN;
	struct jfrec_reader *r;
	struct jfrec_output *o;
	struct jfrec_merged *m;
	struct jfrec_error err;
	int fd = mkstemp(path);

	test_begin("memory_can_be_merged");
	o = jfrec_output_open(path, true, JFREC_PLAIN, NULL);
	r = jfrec_reader_open_memory(c->bytes.data, c->bytes.len, NULL, NULL);
	m = jfrec_write_merged(r, NULL, o, NULL);
	CHECK(m != NULL);
	CHECK_INT(jfrec_output_commit(o, NULL), 0);
	jfrec_reader_close(r);
	jfrec_output_close(o);
	CHECK_INT((int64_t)m->duplicates, 1); /* both chunks are the same */
	jfrec_merged_free(m);
	CHECK_INT(count(jfrec_reader_open(path, NULL, NULL)), EVENTS_PER_CHUNK);

	test_begin("an_input_is_not_replaced");
	close(fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	o = jfrec_output_open(path, true, JFREC_PLAIN, NULL);
	r = jfrec_reader_open_fd(fd, NULL, NULL);
	CHECK(!jfrec_write_filtered(r, &from, NULL, o, &err));
	CHECK_INT(err.code, JFREC_EINVAL);
	CHECK(strstr(err.text, "would replace an input"));
	jfrec_reader_close(r);
	jfrec_output_close(o);
	close(fd);
	unlink(path);
}

int main(void)
{
	struct craft c = { 0 };

	add_chunk(&c);
	add_chunk(&c);
	test_descriptors(&c);
	test_added(&c);
	test_only_one(&c);
	test_memory(&c);
	test_refusals();
	test_cut_short(&c);
	test_written(&c);
	craft_free(&c);
	return test_end();
}
