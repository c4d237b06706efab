/* SPDX-License-Identifier: MIT */
/* test_cursor.c - taking bytes and integers, and never more than there are */
#include "base/cursor.h"

#include "test.h"

#include <stdlib.h>

static const struct {
	const char *name, *bytes;
	size_t len;
	uint64_t value;
	size_t taken;
	bool bad;
} varints[] = {
	{ "varint_zero", "\0", 1, 0, 1, false },
	{ "varint_127", "\x7f", 1, 127, 1, false },
	{ "varint_128", "\x80\x01", 2, 128, 2, false },
	{ "varint_of_three_bytes", "\xff\xff\x03", 3, 0xffff, 3, false },
	{ "varint_int_minus_one", "\xff\xff\xff\xff\x0f", 5, 0xffffffff, 5, false },
	{ "varint_of_eight_bytes", "\xff\xff\xff\xff\xff\xff\xff\x7f", 8, (UINT64_C(1) << 56) - 1, 8, false },
	{ "varint_long_minus_one", "\xff\xff\xff\xff\xff\xff\xff\xff\xff", 9, UINT64_MAX, 9, false },
	{ "varint_smallest_long", "\x80\x80\x80\x80\x80\x80\x80\x80\x80", 9, UINT64_C(1) << 63, 9, false },
	{ "varint_ninth_byte_ends_it", "\x80\x80\x80\x80\x80\x80\x80\x80\xff\x01", 10,
	  UINT64_C(0xff) << 56, 9, false },
	{ "varint_padded_to_four_bytes", "\xa4\x81\x80\x00", 4, 164, 4, false },
	{ "varint_padded_to_nine_bytes", "\x85\x80\x80\x80\x80\x80\x80\x80\x00", 9, 5, 9, false },
	{ "varint_with_more_behind", "\x05\xff\xff", 3, 5, 1, false },
	{ "varint_of_no_bytes", "", 0, 0, 0, true },
	{ "varint_cut_after_one", "\x80", 1, 0, 1, true },
	{ "varint_cut_after_seven", "\xff\xff\xff\xff\xff\xff\xff", 7, 0, 7, true },
	{ "varint_cut_after_eight", "\xff\xff\xff\xff\xff\xff\xff\xff", 8, 0, 8, true },
};

/* The bytes end where the allocation ends, or many others follow: two paths, one result. */
static void check_varint(size_t i, size_t more)
{
	uint8_t *bytes = malloc(varints[i].len + more + 1);
	struct cursor c = cursor_over(bytes, varints[i].len + more);
	uint64_t got;

	memcpy(bytes, varints[i].bytes, varints[i].len);
	memset(bytes + varints[i].len, 0xee, more);
	got = cursor_varint(&c);
	CHECK(got == varints[i].value);
	CHECK_INT(c.pos - bytes, (int64_t)varints[i].taken);
	CHECK_INT(c.bad, varints[i].bad);
	free(bytes);
}

/* Varints of these many bytes; stepping over n must end where reading n does. */
static void check_skipping(const char *name, const char *lengths)
{
	uint8_t *bytes, *at;
	size_t count = strlen(lengths), len = 0;

	test_begin(name);
	for (size_t i = 0; i < count; i++)
		len += (size_t)(lengths[i] - '0');
	bytes = at = malloc(len + 16);
	for (size_t i = 0; i < count; i++) {
		unsigned n = (unsigned)(lengths[i] - '0');

		memset(at, 0x81, n);
		/* The ninth byte ends a varint, whatever is in it. */
		at[n - 1] = n == VARINT_MAX ? 0xff : 1;
		at += n;
	}
	memset(at, 0x80, 16);
	for (size_t n = 0; n <= count; n++) {
		struct cursor read = cursor_over(bytes, len), skipped = read;
		struct cursor more = cursor_over(bytes, len + 16);

		for (size_t i = 0; i < n; i++)
			cursor_varint(&read);
		cursor_skip_varints(&skipped, n);
		cursor_skip_varints(&more, n);
		CHECK(!skipped.bad && skipped.pos == read.pos);
		CHECK(!more.bad && more.pos == read.pos);
	}
	for (size_t n = count + 1; n < count + 20; n++) {
		struct cursor c = cursor_over(bytes, len);

		cursor_skip_varints(&c, n);
		CHECK(c.bad && cursor_left(&c) == 0);
	}
	free(bytes);
}

static void test_skipping(void)
{
	check_skipping("skip_none", "");
	check_skipping("skip_letters", "1111111111111111111111111");
	check_skipping("skip_seven_letters", "1111111");
	check_skipping("skip_words", "3412341234123412341234");
	check_skipping("skip_long_ones", "8989898989");
	check_skipping("skip_nine_bytes_across_eight", "1911911191111911111911111191111111911111111");
	check_skipping("skip_mixed", "71292181131111111141111111111115");
}

static void test_bad_stays_bad(void)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
	struct cursor c = cursor_over(bytes, 8);

	test_begin("bad_cursor_stays_bad");
	CHECK(!cursor_take(&c, 9));
	CHECK(c.bad);
	CHECK_INT((int64_t)cursor_left(&c), 0);
	CHECK_INT(cursor_u8(&c), 0);
	CHECK_INT(cursor_be32(&c), 0);
	CHECK_INT((int64_t)cursor_be64(&c), 0);
	CHECK_INT((int64_t)cursor_varint(&c), 0);
	CHECK(!cursor_take(&c, 0));
}

static void test_take(void)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
	struct cursor c = cursor_over(bytes, sizeof(bytes));

	test_begin("take_all_and_no_more");
	CHECK(cursor_take(&c, 0) == bytes);
	CHECK_INT(cursor_be32(&c), 0x01020304);
	CHECK_INT((int64_t)cursor_be64(&c), 0x05060708090a0b0c);
	CHECK(!c.bad);
	CHECK(!cursor_take(&c, 1));
	CHECK(c.bad);

	test_begin("length_near_overflow_is_refused");
	c = cursor_over(bytes, sizeof(bytes));
	CHECK(!cursor_take(&c, UINT64_MAX));
	CHECK(c.bad);
}

static void test_seek(void)
{
	uint8_t *bytes = malloc(4);
	struct cursor c = cursor_over(memcpy(bytes, "\1\2\3\4", 4), 4);

	test_begin("seek_to_the_end");
	cursor_seek(&c, bytes, 4);
	CHECK(!c.bad && c.pos == bytes + 4);
	test_begin("seek_back");
	cursor_seek(&c, bytes, 1);
	CHECK_INT(cursor_u8(&c), 2);
	test_begin("seek_beyond_the_end");
	cursor_seek(&c, bytes, 5);
	CHECK(c.bad);
	free(bytes);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(varints) / sizeof(*varints); i++) {
		test_begin(varints[i].name);
		check_varint(i, 0);
		if (!varints[i].bad)
			check_varint(i, 16);
	}
	test_skipping();
	test_bad_stays_bad();
	test_take();
	test_seek();
	return test_end();
}
