/* SPDX-License-Identifier: MIT */
/*
 * test_large.c - chunks of more than 4 GB, files of more than 100 GB
 *
 * The files are sparse: nearly all of a chunk is one event of an undeclared
 * type, which readers step over.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "builder.h"
#include "test.h"

#define CHUNK_SIZE (INT64_C(5) << 30)
#define CHUNKS     21
#define GIANT      "99"

/* Bytes as the builder makes them, without their chunk's header. */
static struct bytes event_bytes(int n)
{
	struct craft c = { 0 };
	struct bytes b = { 0 };
	size_t at;

	craft_chunk(&c);
	at = craft_event(&c, "20", "%d %d", 1000 + n, n);
	bytes_copy(&b, c.bytes.data + at, c.bytes.len - at);
	craft_free(&c);
	return b;
}

/* A chunk whose last event lies behind a hole. */
static bool write_chunk(int fd, int64_t offset, int n)
{
	struct bytes last = event_bytes(n + 1), giant = { 0 };
	struct craft c = { 0 };
	bool is_written;

	craft_chunk(&c);
	craft_checkpoint(&c, "0");
	craft_metadata(&c, EVENT("20", "t.Tick", START FIELD("n", T_INT)));
	craft_event(&c, "20", "%d %d", 1000 + n, n);
	craft_end(&c);
	craft_set(&c, CRAFT_SIZE, CHUNK_SIZE);
	bytes_add(&giant, "8:%lld " GIANT,
		  (long long)(CHUNK_SIZE - (int64_t)c.bytes.len - (int64_t)last.len));
	is_written = pwrite(fd, c.bytes.data, c.bytes.len, offset) == (ssize_t)c.bytes.len &&
		     pwrite(fd, giant.data, giant.len, offset + (int64_t)c.bytes.len) ==
			     (ssize_t)giant.len &&
		     pwrite(fd, last.data, last.len, offset + CHUNK_SIZE - (int64_t)last.len) ==
			     (ssize_t)last.len;
	bytes_free(&giant);
	bytes_free(&last);
	craft_free(&c);
	return is_written;
}

static int64_t sum_of_events(const char *path)
{
	struct jfrec_reader *r = jfrec_reader_open(path, NULL, NULL);
	const struct jfrec_event *ev;
	int64_t sum = 0;

	if (!r)
		return -1;
	while (jfrec_reader_next(r, &ev, NULL) > 0)
		sum += jfrec_event_path(ev, "n").i;
	sum += (int64_t)jfrec_reader_damage(r) * 1000000;
	jfrec_reader_close(r);
	return sum;
}

static uint64_t count_events(const char *path)
{
	struct jfrec_reader *r = jfrec_reader_open(path, NULL, NULL);
	struct jfrec_summary *s = r ? jfrec_summarize(r, true, NULL) : NULL;
	uint64_t count = 0;

	for (size_t i = 0; s && i < jfrec_summary_type_count(s); i++)
		count += strcmp(jfrec_summary_type_get(s, i)->name, "t.Tick") == 0 ? jfrec_summary_type_get(s, i)->count : 0;
	jfrec_summary_free(s);
	jfrec_reader_close(r);
	return count;
}

int main(void)
{
	char path[] = "/tmp/jfrec-large-XXXXXX";
	int fd = mkstemp(path);
	int64_t want = 0;
	clock_t began = clock();
	bool is_written = fd >= 0;

	for (int i = 0; i < CHUNKS && is_written; i++) {
		is_written = write_chunk(fd, i * CHUNK_SIZE, 2 * i);
		want += 4 * i + 1;
	}
	test_begin("hundred_gigabytes_in_chunks_of_five");
	if (!is_written && errno == EFBIG) {
		printf("# skipped: no file here may be so large\n");
	} else {
		CHECK(is_written);
		CHECK_INT(sum_of_events(path), want);
		CHECK_INT((int64_t)count_events(path), 2 * CHUNKS);
		CHECK((clock() - began) / CLOCKS_PER_SEC < 30);
	}
	if (fd >= 0) {
		close(fd);
		unlink(path);
	}
	return test_end();
}
