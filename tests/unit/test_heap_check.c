/* SPDX-License-Identifier: MIT */
/* test_heap_check.c - which heap dumps are whole */
#include "jfr/heap_check.h"

#include "test.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The header, of 31 bytes: magic, size of ids, time. */
#define HEADER "JAVA PROFILE 1.0.2\0" "\0\0\0\x08" "\0\0\1\2\3\4\5\6"

/* Kind, time and length of a record; that of a name has 40 bytes behind it. */
#define NAME  "\x01" "\0\0\0\0" "\0\0\0\x28" "0123456789012345678901234567890123456789"
#define END   "\x2c" "\0\0\0\0" "\0\0\0\0"
#define BYTES(text) text, sizeof(text) - 1

static const struct {
	const char *name;
	const char *bytes;
	size_t len;
	const char *says; /* NULL: it is whole */
} rows[] = {
	{ "whole", BYTES(HEADER NAME END), NULL },
	{ "older_format", BYTES("JAVA PROFILE 1.0.1\0" "\0\0\0\4" "\0\0\1\2\3\4\5\6" NAME END), NULL },
	{ "no_end", BYTES(HEADER NAME NAME), "incomplete" },
	{ "end_in_the_middle", BYTES(HEADER END NAME), "incomplete" },
	{ "cut_in_a_record", BYTES(HEADER NAME "\x01" "\0\0\0\0" "\0\0\0\x28" "0123"), "incomplete" },
	{ "cut_in_the_head_of_a_record", BYTES(HEADER NAME "\x2c" "\0\0\0"), "incomplete" },
	{ "longer_than_the_file", BYTES(HEADER NAME "\x2c" "\0\0\0\0" "\xff\xff\xff\xff"), "incomplete" },
	{ "header_alone", BYTES(HEADER NAME), "incomplete" },
	{ "too_short", BYTES(HEADER END), "did not write a heap dump" },
	{ "empty", BYTES(""), "did not write a heap dump" },
	{ "something_else", BYTES("FLR\0 0123456789012345678901234567890123456789012345678901234567890123456789"),
	  "did not write a heap dump" },
	{ "name_without_end",
	  BYTES("JAVA PROFILE 1.0.222222222222222222222222222222222222222222222222222222222222222222"),
	  "did not write a heap dump" },
};

static int check(const void *bytes, size_t len, uint64_t *size, struct jfrec_error *err)
{
	int fd = memfd_create("heap", MFD_CLOEXEC), ret;

	if (fd < 0 || pwrite(fd, bytes, len, 0) != (ssize_t)len)
		exit(1);
	ret = heap_check(fd, size, err);
	close(fd);
	return ret;
}

static void test_row(size_t i)
{
	struct jfrec_error err = { 0 };
	uint64_t size = 1;

	test_begin(rows[i].name);
	CHECK_INT(check(rows[i].bytes, rows[i].len, &size, &err), rows[i].says ? -1 : 0);
	CHECK_INT((int64_t)size, (int64_t)rows[i].len);
	if (rows[i].says) {
		CHECK_INT(err.code, JFREC_ERESULT);
		CHECK(strstr(err.text, rows[i].says));
	}
}

/* Records that lie across the windows in which it is read, and one larger than they are. */
static void test_large(void)
{
	static const size_t large = 3u << 20;
	size_t len = sizeof(HEADER) - 1, room = (1u << 20) + large;
	uint8_t *bytes = calloc(1, room);
	uint64_t size;

	test_begin("large_records");
	memcpy(bytes, HEADER, len);
	while (len < (600u << 10)) {
		memcpy(bytes + len, NAME, sizeof(NAME) - 1);
		len += sizeof(NAME) - 1;
	}
	memcpy(bytes + len, "\x1c" "\0\0\0\0" "\0\x30\0\0", 9);
	len += 9 + large;
	memcpy(bytes + len, END, sizeof(END) - 1);
	len += sizeof(END) - 1;
	CHECK_INT(check(bytes, len, &size, NULL), 0);
	CHECK_INT(check(bytes, len - 1, &size, NULL), -1);
	free(bytes);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		test_row(i);
	test_large();
	return test_end();
}
