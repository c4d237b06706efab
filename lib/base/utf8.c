/* SPDX-License-Identifier: MIT */
/*
 * utf8.c - validate UTF-8
 */
#include "base/utf8.h"

/* The second byte's bounds keep out long forms, surrogates, and what is beyond U+10FFFF. */
static int has_second(unsigned char first, unsigned char second)
{
	unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
	unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;

	return second >= low && second <= high;
}

size_t utf8_length(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t len = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4 || !has_second(s[0], s[1]))
		return 0;
	for (size_t i = 2; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	}
	return len;
}
