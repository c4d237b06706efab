/* SPDX-License-Identifier: MIT */
/*
 * string.c - decode the string encodings of recordings
 */
#include "format/string.h"

#define REPLACEMENT 0xfffd

struct string string_read(struct cursor *c)
{
	struct string s = { .encoding = STRING_NULL, .bytes = c->pos };
	uint8_t encoding = cursor_u8(c);
	uint64_t n;

	switch (encoding) {
	case STRING_KEY:
		s.key = cursor_varint(c);
		break;
	case STRING_UTF8:
	case STRING_LATIN1:
		s.len = cursor_varint(c);
		s.bytes = cursor_take(c, s.len);
		break;
	case STRING_CHARS:
		n = cursor_varint(c);
		s.bytes = c->pos;
		cursor_skip_varints(c, n);
		s.len = (uint64_t)(c->pos - s.bytes);
		break;
	case STRING_NULL:
	case STRING_EMPTY:
		break;
	default:
		cursor_spoil(c);
	}
	if (!c->bad)
		s.encoding = encoding;
	return s;
}

static bool is_continuation(uint8_t byte)
{
	return (byte & 0xc0) == 0x80;
}

/* Which second bytes may follow this first byte of a sequence. */
static bool second_fits(uint8_t first, uint8_t second)
{
	switch (first) {
	case 0xe0:
		return second >= 0xa0 && second <= 0xbf;
	case 0xf0:
		return second >= 0x90 && second <= 0xbf;
	case 0xf4:
		return second >= 0x80 && second <= 0x8f;
	default:
		return is_continuation(second);
	}
}

static unsigned sequence_length(uint8_t first)
{
	if (first >= 0xc2 && first <= 0xdf)
		return 2;
	if (first >= 0xe0 && first <= 0xef)
		return 3;
	if (first >= 0xf0 && first <= 0xf4)
		return 4;
	return 0;
}

/*
 * A malformed sequence gives one U+FFFD for as many bytes as could have begun
 * a good one, as Java's decoder does.  A surrogate written as three bytes is
 * well-formed for it, and then one U+FFFD.
 */
static int32_t next_utf8(struct string *s)
{
	uint8_t first = *s->bytes;
	unsigned want = sequence_length(first), have = 1;
	uint32_t code_point = first & (0x7fu >> want);

	while (have < want && have < s->len) {
		uint8_t byte = s->bytes[have];

		if (have == 1 ? !second_fits(first, byte) : !is_continuation(byte))
			break;
		code_point = code_point << 6 | (byte & 0x3f);
		have++;
	}
	s->bytes += have;
	s->len -= have;
	if (want == 0 || have < want || (code_point & 0xfffff800) == 0xd800)
		return REPLACEMENT;
	return (int32_t)code_point;
}

static uint16_t next_unit(struct string *s)
{
	struct cursor c = cursor_over(s->bytes, s->len);
	uint16_t unit = (uint16_t)cursor_varint(&c);

	s->bytes = c.pos;
	s->len = cursor_left(&c);
	return unit;
}

static int32_t next_chars(struct string *s)
{
	uint16_t high = next_unit(s), low;
	struct string rest = *s;

	if ((high & 0xfc00) != 0xd800 || rest.len == 0)
		return high;
	low = next_unit(&rest);
	if ((low & 0xfc00) != 0xdc00)
		return high;
	*s = rest;
	return 0x10000 + ((high & 0x3ff) << 10 | (low & 0x3ff));
}

int32_t string_next(struct string *s)
{
	uint8_t byte;

	if (s->len == 0)
		return -1;
	byte = *s->bytes;
	if (byte < 0x80 || s->encoding == STRING_LATIN1) {
		s->bytes++;
		s->len--;
		/* A high surrogate is never one byte, so this is right for all encodings. */
		return byte;
	}
	return s->encoding == STRING_UTF8 ? next_utf8(s) : next_chars(s);
}

char *put_utf8(char *at, uint32_t c)
{
	if (c < 0x80) {
		*at++ = (char)c;
	} else if (c < 0x800) {
		*at++ = (char)(0xc0 | c >> 6);
		*at++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*at++ = (char)(0xe0 | c >> 12);
		*at++ = (char)(0x80 | (c >> 6 & 0x3f));
		*at++ = (char)(0x80 | (c & 0x3f));
	} else {
		*at++ = (char)(0xf0 | c >> 18);
		*at++ = (char)(0x80 | (c >> 12 & 0x3f));
		*at++ = (char)(0x80 | (c >> 6 & 0x3f));
		*at++ = (char)(0x80 | (c & 0x3f));
	}
	return at;
}

static uint32_t without_surrogates(int32_t c)
{
	return (c & 0xfffff800) == 0xd800 ? '?' : (uint32_t)c;
}

char *string_copy(struct arena *a, struct string s, size_t *len)
{
	char scratch[UTF8_MAX], *copy, *at;
	struct string measured = s;
	size_t size = 0;
	int32_t c;

	if (bytes_are_ascii(s.bytes, s.len)) {
		if (len)
			*len = s.len;
		return arena_strndup(a, (const char *)s.bytes, s.len);
	}
	while ((c = string_next(&measured)) >= 0)
		size += (size_t)(put_utf8(scratch, without_surrogates(c)) - scratch);
	copy = at = arena_alloc(a, size + 1);
	if (!copy)
		return NULL;
	while ((c = string_next(&s)) >= 0)
		at = put_utf8(at, without_surrogates(c));
	*at = '\0';
	if (len)
		*len = size;
	return copy;
}

const char *string_text(struct arena *a, struct string s, size_t *len)
{
	if (!bytes_are_ascii(s.bytes, s.len))
		return string_copy(a, s, len);
	*len = s.len;
	return s.len ? (const char *)s.bytes : "";
}
