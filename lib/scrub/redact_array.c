/* SPDX-License-Identifier: MIT */
/*
 * redact_array.c - remove secrets from arrays of bytes and other numbers
 *
 * Bytes are looked at as UTF-8 (and so ASCII), as ISO 8859-1 where they are not UTF-8,
 * or as UTF-16 of either order; larger numbers as UTF-16 units.  What is changed is
 * written in the form in which it was.
 */
#include <string.h>

#include "scrub/redact.h"

/* Of an array that is shorter, nobody wants to know that it was no text. */
#define MIN_UNREAD 4

enum form { FORM_BYTES, FORM_LATIN1, FORM_UTF16_LE, FORM_UTF16_BE };

/* Bytes ---------------------------------------------------------------------------------------- */

static bool is_control(uint8_t c)
{
	return (c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != 0x1b) || c == 0x7f;
}

static bool is_utf8(const uint8_t *bytes, size_t len)
{
	struct string s = { .encoding = STRING_UTF8, .bytes = bytes, .len = len };
	int32_t c;

	while ((c = string_next(&s)) >= 0) {
		if (c == 0xfffd)
			return false;
	}
	return true;
}

static bool has_controls(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (is_control(bytes[i]))
			return true;
	}
	return false;
}

/* Half of the units or more are ASCII, and none is 0. */
static bool is_utf16(const uint8_t *bytes, size_t len, unsigned high)
{
	size_t ascii = 0;

	if (len < 4 || len % 2)
		return false;
	for (size_t i = 0; i < len; i += 2) {
		if (!bytes[i] && !bytes[i + 1])
			return false;
		ascii += !bytes[i + high] && !is_control(bytes[i + 1 - high]);
	}
	return ascii >= len / 4;
}

static enum form form_of(const uint8_t *bytes, size_t len, bool *is_text)
{
	bool controls = has_controls(bytes, len);

	*is_text = true;
	if (is_utf16(bytes, len, 1))
		return FORM_UTF16_LE;
	if (is_utf16(bytes, len, 0))
		return FORM_UTF16_BE;
	if (is_utf8(bytes, len)) {
		*is_text = !controls;
		return FORM_BYTES;
	}
	*is_text = !controls;
	return controls ? FORM_BYTES : FORM_LATIN1;
}

/* UTF-16 units as the chars of a recording's strings, from which there are ways to UTF-8. */
static void put_chars(struct buffer *to, const uint8_t *bytes, size_t len, unsigned high)
{
	for (size_t i = 0; i < len; i += 2)
		buffer_varint(to, (uint32_t)bytes[i + high] << 8 | bytes[i + 1 - high]);
}

static const char *text_of(struct redactor *r, enum form form, const uint8_t *bytes, size_t n,
			   size_t *len)
{
	struct string s = { .encoding = STRING_LATIN1, .bytes = bytes, .len = n };

	if (form == FORM_BYTES) {
		*len = n;
		return (const char *)bytes;
	}
	if (form != FORM_LATIN1) {
		buffer_clear(&r->units);
		put_chars(&r->units, bytes, n, form == FORM_UTF16_LE);
		s = (struct string){ .encoding = STRING_CHARS,
				     .bytes = r->units.data,
				     .len = r->units.len };
	}
	return string_text(&r->scratch, s, len);
}

static void put_unit(struct buffer *to, enum form form, uint32_t unit)
{
	if (form == FORM_LATIN1) {
		buffer_u8(to, unit <= 0xff ? (uint8_t)unit : '?');
		return;
	}
	buffer_u8(to, (uint8_t)(form == FORM_UTF16_BE ? unit >> 8 : unit));
	buffer_u8(to, (uint8_t)(form == FORM_UTF16_BE ? unit : unit >> 8));
}

static void put_code_point(struct buffer *to, enum form form, uint32_t c)
{
	if (c <= 0xffff || form == FORM_LATIN1) {
		put_unit(to, form, c);
		return;
	}
	put_unit(to, form, 0xd800 + ((c - 0x10000) >> 10));
	put_unit(to, form, 0xdc00 + (c & 0x3ff));
}

static void put_bytes(struct redactor *r, struct buffer *to, enum form form,
		      const struct buffer *text)
{
	struct string s = { .encoding = STRING_UTF8, .bytes = text->data, .len = text->len };
	struct buffer *bytes = &r->units;
	int32_t c;

	to->failed |= text->failed;
	if (form == FORM_BYTES) {
		buffer_varint(to, text->len);
		buffer_put(to, text->data, text->len);
		return;
	}
	buffer_clear(bytes);
	while ((c = string_next(&s)) >= 0)
		put_code_point(bytes, form, (uint32_t)c);
	buffer_varint(to, bytes->len);
	buffer_put(to, bytes->data, bytes->len);
	to->failed |= bytes->failed;
}

bool redact_bytes(struct redactor *r, rule_set rules, const struct spot *spot,
		  const uint8_t *bytes, size_t n, struct buffer *to)
{
	const struct buffer *now;
	const char *text;
	enum form form;
	bool is_text;
	size_t len;

	form = form_of(bytes, n, &is_text);
	r->redacted.arrays_unread += !r->collecting && !is_text && n >= MIN_UNREAD;
	text = text_of(r, form, bytes, n, &len);
	if (!text || r->units.failed) {
		to->failed |= n > 0;
		return false;
	}
	now = redact_text(r, rules, spot, text, len);
	if (now)
		put_bytes(r, to, form, now);
	return now;
}

/* Numbers -------------------------------------------------------------------------------------- */

/* Are they all UTF-16 units, and letters among them? */
static bool are_units(struct cursor c, uint64_t n)
{
	bool letters = false;

	for (; n && !c.bad; n--) {
		uint64_t unit = cursor_varint(&c);

		if (unit > 0xffff || (unit < 0x80 && is_control((uint8_t)unit)))
			return false;
		letters |= unit >= 'A' && unit <= 'z';
	}
	return letters && !c.bad;
}

bool redact_numbers(struct redactor *r, rule_set rules, const struct spot *spot, struct cursor c,
		    uint64_t n, struct buffer *to)
{
	struct string s = { .encoding = STRING_CHARS, .bytes = c.pos };
	const struct buffer *now;
	const char *text;
	size_t len;

	if (!are_units(c, n))
		return false;
	cursor_skip_varints(&c, n);
	s.len = (uint64_t)(c.pos - s.bytes);
	text = string_text(&r->scratch, s, &len);
	if (!text) {
		to->failed = true;
		return false;
	}
	now = redact_text(r, rules, spot, text, len);
	if (now)
		redact_put_units(to, now);
	return now;
}
