/* SPDX-License-Identifier: MIT */
/*
 * string.h - decode the string encodings of recordings
 *
 *    0  null
 *    1  empty
 *    2  varint key into the pool of java.lang.String
 *    3  varint bytes, UTF-8 as lenient as Java's decoder
 *    4  varint count, then a varint for each UTF-16 unit
 *    5  varint bytes, ISO 8859-1
 */
#ifndef JFREC_FORMAT_STRING_H
#define JFREC_FORMAT_STRING_H

#include "base/arena.h"
#include "base/cursor.h"

enum string_encoding {
	STRING_NULL = 0,
	STRING_EMPTY = 1,
	STRING_KEY = 2,
	STRING_UTF8 = 3,
	STRING_CHARS = 4,
	STRING_LATIN1 = 5,
};

/* A string where it lies in the recording. */
struct string {
	enum string_encoding encoding;
	const uint8_t *bytes;
	uint64_t len; /* bytes at `bytes` */
	uint64_t key; /* for STRING_KEY */
};

/* Then they are UTF-8 in every encoding of strings. */
static inline bool bytes_are_ascii(const uint8_t *s, uint64_t len)
{
	uint64_t bits = 0, eight;

	for (; len >= sizeof(eight); s += sizeof(eight), len -= sizeof(eight)) {
		memcpy(&eight, s, sizeof(eight));
		bits |= eight;
	}
	while (len)
		bits |= s[--len];
	return !(bits & UINT64_C(0x8080808080808080));
}

/* Step over a string; spoils the cursor if it does not fit or has no known encoding. */
static inline __attribute__((always_inline)) void string_skip(struct cursor *c)
{
	switch (cursor_u8(c)) {
	case STRING_NULL:
	case STRING_EMPTY:
		break;
	case STRING_KEY:
		cursor_varint(c);
		break;
	case STRING_UTF8:
	case STRING_LATIN1:
		cursor_take(c, cursor_varint(c));
		break;
	case STRING_CHARS:
		cursor_skip_varints(c, cursor_varint(c));
		break;
	default:
		cursor_spoil(c);
	}
}

/* Read a string without copying it.  STRING_NULL once the cursor is bad. */
struct string string_read(struct cursor *c);

/* The string at a position; faster if it is a key, or has one byte for each letter, as most. */
static inline __attribute__((always_inline)) struct string string_lying_at(const uint8_t *pos,
								     const uint8_t *end)
{
	struct cursor c = { .pos = pos, .end = end };
	uint8_t encoding = cursor_u8(&c);
	struct string s = { .encoding = encoding };

	if (encoding == STRING_UTF8 || encoding == STRING_LATIN1) {
		s.len = cursor_varint(&c);
		s.bytes = cursor_take(&c, s.len);
	} else if (encoding == STRING_KEY) {
		s.key = cursor_varint(&c);
	} else if (encoding > STRING_EMPTY) {
		c = (struct cursor){ .pos = pos, .end = end };
		s = string_read(&c);
	}
	if (c.bad)
		s.encoding = STRING_NULL;
	return s;
}

/*
 * The next code point, or -1 at the end.  Unpaired surrogates come as they
 * are; malformed UTF-8 comes as U+FFFD wherever Java's decoder makes one.
 */
int32_t string_next(struct string *s);

/* Write a code point as UTF-8 (a surrogate as its three bytes); returns the end. */
char *put_utf8(char *at, uint32_t code_point);

#define UTF8_MAX 4

/*
 * A copy as UTF-8 that ends in NUL, unpaired surrogates as '?' as Java does.  Only for
 * strings that lie where they are, not STRING_KEY.  Null and empty strings
 * give "".  NULL when memory is gone.
 */
char *string_copy(struct arena *a, struct string s, size_t *len);

/* The same without the NUL: where it lies, if its bytes there are its UTF-8, or else a copy. */
const char *string_text(struct arena *a, struct string s, size_t *len);

#endif
