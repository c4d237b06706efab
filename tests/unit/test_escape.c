/* SPDX-License-Identifier: MIT */
/* test_escape.c - where strings are cut at what a format escapes */
#include "print/json_text.h"

#include "test.h"

#define LONGEST 40

static bool is_marked(uint8_t c)
{
	return c < 0x20 || c >= 0x80 || c == '"' || c == '\\';
}

/* A string of letters of any length, with the byte at any place: what is copied of it? */
static unsigned wrongly_cut(uint8_t byte)
{
	uint8_t s[LONGEST];
	char copy[LONGEST];
	unsigned wrong = 0;

	for (size_t len = 1; len <= LONGEST; len++) {
		for (size_t at = 0; at < len; at++) {
			size_t n, right = is_marked(byte) ? at : len;

			memset(s, 'a', len);
			s[at] = byte;
			n = copy_unmarked(copy, s, len, json_marks);
			wrong += n != right || memcmp(copy, s, n) != 0;
		}
	}
	return wrong;
}

int main(void)
{
	test_begin("every_byte_at_every_place");
	for (unsigned byte = 0; byte < 256; byte++)
		CHECK_INT(wrongly_cut((uint8_t)byte), 0);
	test_begin("after_another_that_is_marked");
	for (unsigned byte = 0; byte < 256; byte++) {
		uint8_t s[8] = { 'a', (uint8_t)byte, '"', 0x80, 0, '\\', 0xff, 'b' };
		char copy[8];

		CHECK_INT((int)copy_unmarked(copy, s, 8, json_marks), is_marked((uint8_t)byte) ? 1 : 2);
	}
	return test_end();
}
