/* SPDX-License-Identifier: MIT */
/*
 * test_string.c - the encodings of a string
 *
 * What becomes of malformed UTF-8 is what `new String(bytes, UTF_8)` makes of
 * it, with "?" for U+FFFD of the reader and of a surrogate.
 */
#include "format/string.h"

#include "test.h"

#include <stdlib.h>

#define R "\xef\xbf\xbd"

static const struct {
	const char *name, *bytes;
	size_t len;
	const char *text; /* NULL: it is refused */
} rows[] = {
#define ROW(name, bytes, text) { name, bytes, sizeof(bytes) - 1, text }
	ROW("null", "\0", ""),
	ROW("empty", "\1", ""),
	ROW("utf8_ascii", "\3\5hello", "hello"),
	ROW("utf8_of_no_bytes", "\3\0", ""),
	ROW("utf8_two_bytes", "\3\2\xc3\xa9", "\xc3\xa9"),
	ROW("utf8_three_bytes", "\3\3\xe4\xb8\xad", "\xe4\xb8\xad"),
	ROW("utf8_four_bytes", "\3\4\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"),
	ROW("utf8_last_code_point", "\3\4\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"),
	ROW("utf8_beyond_the_last", "\3\4\xf4\x90\x80\x80", R R R R),
	ROW("utf8_lone_continuation", "\3\3" "a\x80" "b", "a" R "b"),
	ROW("utf8_overlong_nul", "\3\2\xc0\x80", R R),
	ROW("utf8_overlong_of_three", "\3\3\xe0\x80\x80", R R R),
	ROW("utf8_overlong_of_four", "\3\4\xf0\x80\x80\x80", R R R R),
	ROW("utf8_surrogate", "\3\3\xed\xa0\xbd", R),
	ROW("utf8_surrogate_pair", "\3\6\xed\xa0\xbd\xed\xb8\x80", R R),
	ROW("utf8_cut_of_two", "\3\1\xc3", R),
	ROW("utf8_cut_of_three", "\3\2\xe4\xb8", R),
	ROW("utf8_cut_of_four", "\3\3\xf0\x9f\x98", R),
	ROW("utf8_cut_by_ascii", "\3\3\xe4\xb8" "a", R "a"),
	ROW("utf8_cut_by_another", "\3\4\xe4\xb8\xc3\xa9", R "\xc3\xa9"),
	ROW("utf8_f5_is_no_first_byte", "\3\2\xf5\x80", R R),
	ROW("utf8_ff", "\3\1\xff", R),
	ROW("utf8_longer_than_the_bytes", "\3\6hello", NULL),
	ROW("utf8_length_near_overflow", "\3\xff\xff\xff\xff\xff\xff\xff\xff\xff" "a", NULL),
	ROW("latin1_ascii", "\5\5hello", "hello"),
	ROW("latin1_high", "\5\2\xe9\x80", "\xc3\xa9\xc2\x80"),
	ROW("latin1_longer_than_the_bytes", "\5\2h", NULL),
	ROW("chars_ascii", "\4\5hello", "hello"),
	ROW("chars_more_than_eight", "\4\x0b" "hello world", "hello world"),
	ROW("chars_two_byte_varint", "\4\1\xe9\x01", "\xc3\xa9"),
	ROW("chars_three_byte_varint", "\4\1\xad\x9c\x01", "\xe4\xb8\xad"),
	ROW("chars_mixed", "\4\x0a" "abcdefgh\xad\x9c\x01" "i", "abcdefgh\xe4\xb8\xad" "i"),
	ROW("chars_surrogate_pair", "\4\2\xbd\xb0\x03\x80\xbc\x03", "\xf0\x9f\x98\x80"),
	ROW("chars_lone_high", "\4\2\xbd\xb0\x03" "a", "?a"),
	ROW("chars_high_at_the_end", "\4\1\xbd\xb0\x03", "?"),
	ROW("chars_lone_low", "\4\2\x80\xbc\x03" "a", "?a"),
	ROW("chars_low_before_high", "\4\2\x80\xbc\x03\xbd\xb0\x03", "??"),
	ROW("chars_two_high_and_a_low", "\4\3\xbd\xb0\x03\xbd\xb0\x03\x80\xbc\x03", "?\xf0\x9f\x98\x80"),
	ROW("chars_padded_varint", "\4\1\xe1\x80\x80\x00", "a"),
	ROW("chars_beyond_16_bits_are_cut", "\4\1\xe1\x80\x04", "a"),
	ROW("chars_fewer_than_promised", "\4\6hello", NULL),
	ROW("chars_count_near_overflow", "\4\xff\xff\xff\xff\xff\xff\xff\xff\xff" "abcdefghij", NULL),
	ROW("chars_cut_inside_a_unit", "\4\2" "a\xbd", NULL),
	ROW("encoding_6", "\6\1a", NULL),
	ROW("encoding_255", "\xff\1a", NULL),
	ROW("no_encoding", "", NULL),
};

static void check(size_t i)
{
	/* Of its own, so that a byte too far is seen. */
	uint8_t *bytes = malloc(rows[i].len + !rows[i].len);
	struct cursor c = cursor_over(bytes, rows[i].len), skipping = c;
	struct arena arena = { 0 };
	struct string s;
	const char *copy;
	size_t len;

	memcpy(bytes, rows[i].bytes, rows[i].len);
	s = string_read(&c);
	string_skip(&skipping);
	CHECK_INT(c.bad, !rows[i].text);
	CHECK_INT(skipping.bad, c.bad);
	CHECK(skipping.pos == c.pos);
	if (!c.bad) {
		CHECK(c.pos == c.end);
		copy = string_copy(&arena, s, &len);
		CHECK_TEXT(copy, len, rows[i].text);
		CHECK_INT(copy[len], 0);
	} else {
		CHECK_INT(s.encoding, STRING_NULL);
	}
	arena_fini(&arena);
	free(bytes);
}

static void test_key(void)
{
	struct cursor c = cursor_over("\2\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10);
	struct string s = string_read(&c);

	test_begin("key_of_64_bits");
	CHECK_INT(s.encoding, STRING_KEY);
	CHECK(s.key == UINT64_MAX);
	CHECK(!c.bad && c.pos == c.end);
}

static void test_nul(void)
{
	struct cursor c = cursor_over("\5\3a\0b", 5);
	struct arena arena = { 0 };
	size_t len;
	const char *copy = string_copy(&arena, string_read(&c), &len);

	test_begin("nul_is_a_character");
	CHECK_INT((int64_t)len, 3);
	CHECK(memcmp(copy, "a\0b", 4) == 0);
	arena_fini(&arena);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		test_begin(rows[i].name);
		check(i);
	}
	test_key();
	test_nul();
	return test_end();
}
