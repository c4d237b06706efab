/* SPDX-License-Identifier: MIT */
/*
 * harmless.c - escape untrusted text so that a terminal cannot act on it
 *
 * Terminals obey control characters, those of 8 bits as well (some even as bare bytes 0x80 to
 * 0x9f), and show text in another order after characters that change the direction of writing, so
 * that a name can pass for another.
 */
#include "base/harmless.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

static size_t put_replacement(char *to)
{
	memcpy(to, replacement, sizeof(replacement) - 1);
	return sizeof(replacement) - 1;
}

/* How many bytes a character has that begins so; 0: none does. */
static size_t length_of(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first >= 0xc2 && first < 0xe0)
		return 2;
	if (first >= 0xe0 && first < 0xf0)
		return 3;
	return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/* Can the bytes begin a character?  The second one says whether it is short, whole and in range. */
static bool may_begin(const unsigned char *s, size_t count)
{
	if (length_of(s[0]) < count)
		return false;
	for (size_t i = 1; i < count; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return false;
	}
	if (count < 2)
		return true;
	return !((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0) ||
		 (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90));
}

static uint32_t code_point(const unsigned char *s, size_t count)
{
	uint32_t c = count == 1 ? s[0] : s[0] & (0xffu >> (count + 1));

	for (size_t i = 1; i < count; i++)
		c = c << 6 | (s[i] & 0x3f);
	return c;
}

static bool is_obeyed(uint32_t c)
{
	return (c >= 0x80 && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* A whole character. */
static size_t put_character(const unsigned char *s, size_t count, bool keep_lines, char *to)
{
	uint32_t c = code_point(s, count);

	if (c < 0x20 || c == 0x7f) {
		if (keep_lines && (c == '\n' || c == '\t')) {
			*to = (char)c;
			return 1;
		}
		to[0] = '^';
		to[1] = (char)(c ^ 0x40);
		return 2;
	}
	if (is_obeyed(c))
		return put_replacement(to);
	memcpy(to, s, count);
	return count;
}

size_t harmless_text(struct harmless *h, const char *data, size_t len, bool keep_lines, char *to)
{
	char *at = to;

	for (size_t i = 0; i < len; i++) {
		h->held[h->count++] = (unsigned char)data[i];
		/* What does not go on is none; the byte itself may begin another. */
		if (!may_begin(h->held, h->count)) {
			at += put_replacement(at);
			h->held[0] = (unsigned char)data[i];
			h->count = h->count > 1;
			if (h->count && !may_begin(h->held, 1)) {
				at += put_replacement(at);
				h->count = 0;
			}
		}
		if (h->count && h->count == length_of(h->held[0])) {
			at += put_character(h->held, h->count, keep_lines, at);
			h->count = 0;
		}
	}
	return (size_t)(at - to);
}

size_t harmless_end(struct harmless *h, char *to)
{
	bool is_held = h->count;

	h->count = 0;
	return is_held ? put_replacement(to) : 0;
}

char *harmless_copy(const char *bytes, size_t len)
{
	struct harmless h = { 0 };
	char *to = malloc(HARMLESS_GROWTH * (len + 3) + 1);
	size_t n;

	if (!to)
		return NULL;
	n = harmless_text(&h, bytes, len, true, to);
	n += harmless_end(&h, to + n);
	to[n] = '\0';
	return to;
}
