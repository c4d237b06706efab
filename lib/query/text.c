/* SPDX-License-Identifier: MIT */
/*
 * text.c - UTF-8 text that is measured and ordered as Java does
 */
#include "query/text.h"

#include <string.h>

#include "format/string.h"

/* What is here was made by string_copy(), so it is well-formed but for files that others wrote. */
int32_t text_next(const char **at, const char *end)
{
	const uint8_t *s = (const uint8_t *)*at;
	size_t left = (size_t)(end - *at);
	unsigned n = left == 0 ? 0 : s[0] < 0xc0 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	int32_t c;

	if (n == 0)
		return -1;
	if (n == 1 || n > left) {
		*at += 1;
		return s[0];
	}
	c = s[0] & (0x7f >> n);
	for (unsigned i = 1; i < n; i++)
		c = c << 6 | (s[i] & 0x3f);
	*at += n;
	return c;
}

#define HIGHEST_BITS UINT64_C(0x8080808080808080)

static bool is_ascii(const char *s, uint32_t len)
{
	uint64_t word = 0, all = 0;

	for (; len >= sizeof(word); len -= sizeof(word), s += sizeof(word)) {
		memcpy(&word, s, sizeof(word));
		all |= word;
	}
	word = 0;
	memcpy(&word, s, len);
	return !((all | word) & HIGHEST_BITS);
}

struct text text_of(const char *s, size_t len)
{
	struct text t = { .s = s ? s : "", .len = (uint32_t)(len < TEXT_MAX ? len : TEXT_MAX) };
	const char *at = t.s, *end = t.s + t.len;

	if (is_ascii(t.s, t.len)) {
		t.units = t.len;
		return t;
	}
	while (at < end)
		t.units += text_next(&at, end) >= 0x10000 ? 2 : 1;
	return t;
}

/* Surrogates, and so all beyond U+FFFF, come before U+E000. */
static int32_t utf16_rank(int32_t c)
{
	return c >= 0x10000 ? 0xd800 : c >= 0xe000 ? c + 0x2000 : c;
}

int text_compare(const struct text *a, const struct text *b)
{
	uint32_t n = a->len < b->len ? a->len : b->len, same = 0;
	const char *p, *q;
	int32_t x, y;

	while (same < n && a->s[same] == b->s[same])
		same++;
	if (same == n)
		return (a->len > b->len) - (a->len < b->len);
	while (same && ((uint8_t)a->s[same] & 0xc0) == 0x80)
		same--;
	p = a->s + same;
	q = b->s + same;
	x = text_next(&p, a->s + a->len);
	y = text_next(&q, b->s + b->len);
	if (utf16_rank(x) != utf16_rank(y))
		return utf16_rank(x) < utf16_rank(y) ? -1 : 1;
	return (x > y) - (x < y);
}

int32_t text_java_hash(const char *s, size_t len)
{
	const char *end = s + len;
	uint32_t h = 0;

	while (s < end) {
		int32_t c = (uint8_t)*s < 0x80 ? *s++ : text_next(&s, end);

		if (c >= 0x10000) {
			h = 31 * h + (0xd7c0u + ((uint32_t)c >> 10));
			c = 0xdc00 + (c & 0x3ff);
		}
		h = 31 * h + (uint32_t)c;
	}
	return (int32_t)h;
}

char *text_put_units(char *at, const struct text *t, uint32_t from, uint32_t to)
{
	const char *s = t->s, *end = s + t->len;
	uint32_t unit = 0;

	if (text_is_ascii(t)) {
		memcpy(at, s + from, to - from);
		return at + (to - from);
	}
	while (unit < to) {
		int32_t c = text_next(&s, end);
		uint32_t n = c >= 0x10000 ? 2 : 1;

		if (c < 0)
			break;
		if (unit >= from && unit + n <= to)
			at = put_utf8(at, (uint32_t)c);
		else if (unit + n > from && n == 2)
			*at++ = '?';
		unit += n;
	}
	return at;
}
