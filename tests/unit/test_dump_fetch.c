/* SPDX-License-Identifier: MIT */
/* test_dump_fetch.c - a recording that a JVM has written: is it whole, and bring it here */
#include "jfr/dump_fetch.h"

#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define HEADER 68

/* A file of chunks of these sizes, as their headers say; 0 ends the list. */
static int make_file(const uint64_t *sizes)
{
	int fd = (int)open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	uint8_t header[HEADER];
	off_t at = 0;

	for (; fd >= 0 && *sizes; sizes++) {
		memset(header, 0, sizeof(header));
		memcpy(header, "FLR\0\0\2\0\1", 8);
		for (int i = 0; i < 8; i++)
			header[8 + i] = (uint8_t)(*sizes >> (56 - 8 * i));
		if (pwrite(fd, header, sizeof(header), at) != HEADER)
			return -1;
		/* What is between them is there: a file with holes is refused. */
		if (posix_fallocate(fd, at, (off_t)*sizes) != 0)
			return -1;
		at += (off_t)*sizes;
	}
	return fd;
}

static const struct {
	const char *name;
	uint64_t sizes[4];
	int64_t cut;	     /* length of the file, if not 0 */
	int64_t garble;	     /* overwrite this byte, if not 0 */
	const char *refusal; /* NULL: it is whole */
} rows[] = {
	{ "one_chunk", { 1000 }, 0, 0, NULL },
	{ "three_chunks", { 1000, HEADER, 12 << 20 }, 0, 0, NULL },
	{ "empty", { 0 }, 0, 0, "the file is empty" },
	{ "cut_in_the_header", { 1000 }, 67, 0, "at byte 0 a chunk is truncated" },
	{ "cut_behind_the_header", { 1000 }, 999, 0, "at byte 0 a chunk is truncated" },
	{ "cut_in_the_second", { 1000, 1000 }, 1500, 0, "at byte 1000 a chunk is truncated" },
	{ "cut_in_the_second_header", { 1000, 1000 }, 1001, 0, "at byte 1000 a chunk is truncated" },
	{ "second_is_none", { 1000, 1000 }, 0, 1001, "at byte 1000 no chunk begins" },
	/* A JVM that was killed leaves a size of 0. */
	{ "size_too_small", { 1000 }, 0, 14, "at byte 0 a chunk is truncated" },
	{ "size_too_large", { 1000 }, 0, 8, "at byte 0 a chunk is truncated" },
};

static void test_row(size_t i)
{
	int fd = make_file(rows[i].sizes);
	struct jfrec_error err = { 0 };
	uint64_t size = 0, sum = 0;
	uint8_t byte = rows[i].garble == 14 ? 0 : 0x7f;

	test_begin(rows[i].name);
	CHECK(fd >= 0);
	if (rows[i].cut)
		CHECK(ftruncate(fd, rows[i].cut) == 0);
	if (rows[i].garble)
		CHECK(pwrite(fd, &byte, 1, rows[i].garble) == 1);
	if (rows[i].garble == 14)
		CHECK(pwrite(fd, &byte, 1, 15) == 1);
	CHECK_INT(fetch_check(fd, &size, &err), rows[i].refusal ? -1 : 0);
	if (rows[i].refusal) {
		CHECK_INT(err.code, JFREC_ERESULT);
		if (!CHECK(strstr(err.text, rows[i].refusal)))
			printf("# %s\n", err.text);
	} else {
		for (size_t k = 0; k < 4; k++)
			sum += rows[i].sizes[k];
		CHECK(size == sum);
	}
	close(fd);
}

static void test_holes(void)
{
	static const uint64_t sizes[] = { 1000, 1 << 20, 0 };
	int fd = make_file(sizes);
	struct jfrec_error err = { 0 };
	uint64_t size;

	test_begin("holes");
	CHECK(ftruncate(fd, 1068) == 0 && ftruncate(fd, 1000 + (1 << 20)) == 0);
	CHECK_INT(fetch_check(fd, &size, &err), -1);
	CHECK_INT(err.code, JFREC_ERESULT);
	CHECK(strstr(err.text, "has holes"));
	close(fd);
}

static void test_no_file(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct jfrec_error err = { 0 };
	uint64_t size;

	test_begin("device");
	CHECK_INT(fetch_check(fd, &size, &err), -1);
	CHECK_INT(err.code, JFREC_ERESULT);
	close(fd);
}

struct sink {
	uint64_t total;
	int writes, fail_at;
};

static int take(void *ctx, const void *data, size_t len)
{
	struct sink *s = ctx;

	(void)data;
	if (++s->writes == s->fail_at)
		return ENOSPC;
	s->total += len;
	return 0;
}

static void test_copy(void)
{
	static const uint64_t sizes[] = { 1000001, 0 };
	int fd = make_file(sizes);
	struct jfrec_error err = { 0 };
	struct sink s = { 0 };

	test_begin("copy");
	CHECK_INT(fetch_copy(fd, 1000001, take, &s, &err), 0);
	CHECK(s.total == 1000001);

	test_begin("copy_to_a_full_disk");
	s = (struct sink){ .fail_at = 2 };
	CHECK_INT(fetch_copy(fd, 1000001, take, &s, &err), -1);
	CHECK_INT(err.code, JFREC_EOUTPUT);
	CHECK_INT(err.sys, ENOSPC);
	CHECK_INT(s.writes, 2);

	test_begin("copy_of_what_became_shorter");
	CHECK(ftruncate(fd, 500000) == 0);
	s = (struct sink){ 0 };
	CHECK_INT(fetch_copy(fd, 1000001, take, &s, &err), -1);
	CHECK_INT(err.code, JFREC_ERESULT);
	close(fd);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		test_row(i);
	test_holes();
	test_no_file();
	test_copy();
	return test_end();
}
