/* SPDX-License-Identifier: MIT */
/*
 * shown.h - which characters of a recording a page must not have as they are
 */
#ifndef JFREC_PAGE_SHOWN_H
#define JFREC_PAGE_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The code point of a character of UTF-8 that is whole. */
static inline uint32_t code_point(const unsigned char *s, size_t len)
{
	uint32_t c = len == 1 ? s[0] : s[0] & (0xffu >> (len + 1));

	for (size_t i = 1; i < len; i++)
		c = c << 6 | (s[i] & 0x3f);
	return c;
}

/*
 * Control characters, those that turn the direction of writing or end lines, and those that are
 * invisible: with them two names look the same, or one holds what its reader does not know of.
 */
static inline bool is_unseen(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x034f || c == 0x061c ||
	       c == 0x115f || c == 0x1160 || c == 0x17b4 || c == 0x17b5 ||
	       (c >= 0x180b && c <= 0x180f) || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0x3164 ||
	       c == 0xfeff || c == 0xffa0 ||
	       (c >= 0xfff0 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe0fff);
}

#endif
