/* SPDX-License-Identifier: MIT */
/*
 * encoded.c - find secrets that are encoded in other texts
 */
#include "scrub/encoded.h"

#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "format/string.h"
#include "scrub/secret_words.h"

/* Of longer texts so much. */
#define MAX_TEXT (48u << 10)

/* Shorter ones are found where there is nothing: four letters of base64 are three bytes. */
#define MIN_LETTERS 8

static void add(struct text_set *h, struct buffer *b)
{
	if (b->failed)
		h->failed = true;
	else if (b->len >= MIN_LETTERS)
		text_set_add(h, b->data, b->len);
	buffer_clear(b);
}

/* Base64 --------------------------------------------------------------------------------------- */

/* The letters that have no bits but those of the text, with `before` bytes before it. */
static void add_base64(struct text_set *h, const uint8_t *text, size_t len, unsigned before,
		       bool for_urls, struct buffer *b)
{
	size_t first = (before * 8 + 5) / 6, end = (before + len) * 8 / 6;

	for (size_t i = first; i < end; i++) {
		size_t bit = i * 6 - before * 8;
		unsigned two = (unsigned)text[bit / 8] << 8;

		if (bit / 8 + 1 < len)
			two |= text[bit / 8 + 1];
		buffer_u8(b, (uint8_t)base64_letter(two >> (10 - bit % 8) & 63, for_urls));
	}
	add(h, b);
}

static void add_hex(struct text_set *h, const uint8_t *text, size_t len, const char *digits,
		    struct buffer *b)
{
	for (size_t i = 0; i < len; i++) {
		buffer_u8(b, (uint8_t)digits[text[i] >> 4]);
		buffer_u8(b, (uint8_t)digits[text[i] & 15]);
	}
	add(h, b);
}

/* URLs ----------------------------------------------------------------------------------------- */

static bool is_letter_or_digit(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* What is not in `plain` becomes %41, and a blank a plus in forms. */
static void add_percent(struct text_set *h, const uint8_t *text, size_t len, const char *plain,
			const char *digits, struct buffer *b)
{
	for (size_t i = 0; i < len; i++) {
		uint8_t c = text[i];

		if (is_letter_or_digit(c) || (c && strchr(plain, c))) {
			buffer_u8(b, c);
		} else if (c == ' ' && strchr(plain, '+')) {
			buffer_u8(b, '+');
		} else {
			buffer_u8(b, '%');
			buffer_u8(b, (uint8_t)digits[c >> 4]);
			buffer_u8(b, (uint8_t)digits[c & 15]);
		}
	}
	add(h, b);
}

/* JSON, XML ------------------------------------------------------------------------------------ */

enum json { JSON_SHORT, JSON_SLASHES, JSON_ASCII, JSON_ALL };

static void put_escape(struct buffer *b, uint32_t unit)
{
	char escape[12];

	snprintf(escape, sizeof(escape), "\\u%04x", unit & 0xffff);
	buffer_put(b, escape, 6);
}

static void put_json(struct buffer *b, int32_t c, enum json how)
{
	static const char controls[] = "\b\t\n\f\r", letters[] = "btnfr";
	const char *control = c && c < ' ' ? strchr(controls, c) : NULL;
	char utf8[UTF8_MAX];

	if (how == JSON_ALL || (c >= 0x7f && how == JSON_ASCII) || (c < ' ' && !control)) {
		if (c > 0xffff)
			put_escape(b, 0xd800 + ((uint32_t)(c - 0x10000) >> 10));
		put_escape(b, c > 0xffff ? 0xdc00 + ((uint32_t)c & 0x3ff) : (uint32_t)c);
		return;
	}
	if (control || c == '"' || c == '\\' || (c == '/' && how == JSON_SLASHES))
		buffer_u8(b, '\\');
	if (control)
		buffer_u8(b, (uint8_t)letters[control - controls]);
	else
		buffer_put(b, utf8, (size_t)(put_utf8(utf8, (uint32_t)c) - utf8));
}

static void add_json(struct text_set *h, struct string s, enum json how, struct buffer *b)
{
	int32_t c;

	while ((c = string_next(&s)) >= 0)
		put_json(b, c, how);
	add(h, b);
}

static void add_xml(struct text_set *h, const uint8_t *text, size_t len, const char *apostrophe,
		    struct buffer *b)
{
	for (size_t i = 0; i < len; i++) {
		const char *name = text[i] == '&'    ? "&amp;"
				   : text[i] == '<'  ? "&lt;"
				   : text[i] == '>'  ? "&gt;"
				   : text[i] == '"'  ? "&quot;"
				   : text[i] == '\'' ? apostrophe
						     : NULL;

		if (name)
			buffer_put(b, name, strlen(name));
		else
			buffer_u8(b, text[i]);
	}
	add(h, b);
}

static void add_utf16(struct text_set *h, struct string s, bool big, struct buffer *b)
{
	int32_t c;

	while ((c = string_next(&s)) >= 0) {
		uint32_t units[2] = { (uint32_t)c, 0 };
		unsigned n = 1;

		if (c > 0xffff) {
			units[0] = 0xd800 + ((uint32_t)(c - 0x10000) >> 10);
			units[1] = 0xdc00 + ((uint32_t)c & 0x3ff);
			n = 2;
		}
		for (unsigned i = 0; i < n; i++) {
			buffer_u8(b, (uint8_t)(big ? units[i] >> 8 : units[i]));
			buffer_u8(b, (uint8_t)(big ? units[i] : units[i] >> 8));
		}
	}
	add(h, b);
}

/* Characters that some encoding writes otherwise. */
static bool is_plain(const uint8_t *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!is_letter_or_digit(text[i]))
			return false;
	}
	return true;
}

static void add_escaped(struct text_set *h, const uint8_t *text, size_t len, struct buffer *b)
{
	static const char upper[] = "0123456789ABCDEF", lower[] = "0123456789abcdef";
	static const char *const plain[] = { "-_.~", "-_.*+", "-_.!~*'()", "-_.~/" };
	struct string s = { .encoding = STRING_UTF8, .bytes = text, .len = len };

	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
		add_percent(h, text, len, plain[i], upper, b);
		add_percent(h, text, len, plain[i], lower, b);
	}
	add_json(h, s, JSON_SHORT, b);
	add_json(h, s, JSON_SLASHES, b);
	add_json(h, s, JSON_ASCII, b);
	add_xml(h, text, len, "&apos;", b);
	add_xml(h, text, len, "&#39;", b);
}

void encoded_add(struct text_set *h, const uint8_t *text, size_t len)
{
	static const char upper[] = "0123456789ABCDEF", lower[] = "0123456789abcdef";
	struct string s = { .encoding = STRING_UTF8, .bytes = text };
	struct buffer b = { 0 };

	s.len = len = len < MAX_TEXT ? len : MAX_TEXT;
	for (unsigned before = 0; before < 3; before++) {
		add_base64(h, text, len, before, false, &b);
		add_base64(h, text, len, before, true, &b);
	}
	add_hex(h, text, len, lower, &b);
	add_hex(h, text, len, upper, &b);
	add_json(h, s, JSON_ALL, &b);
	add_utf16(h, s, false, &b);
	add_utf16(h, s, true, &b);
	if (!is_plain(text, len))
		add_escaped(h, text, len, &b);
	buffer_fini(&b);
}

/* Decoding ------------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
				      : -1;
}

/* n hexadecimal digits, or -1. */
static int32_t hex_number(const char *text, size_t len, unsigned n)
{
	int32_t number = 0;

	if (len < n)
		return -1;
	for (unsigned i = 0; i < n; i++) {
		int digit = hex_digit(text[i]);

		if (digit < 0)
			return -1;
		number = number << 4 | digit;
	}
	return number;
}

/* How many bytes at `text` stand for *c; 0: they stand for themselves. */
static size_t escape_at(const char *text, size_t len, int32_t *c)
{
	static const struct {
		const char *escape;
		char c;
	} names[] = {
		{ "&amp;", '&' }, { "&lt;", '<' },  { "&gt;", '>' },  { "&quot;", '"' },
		{ "&#39;", '\'' }, { "&apos;", '\'' }, { "\\\"", '"' }, { "\\\\", '\\' },
		{ "\\/", '/' },	  { "\\n", '\n' },  { "\\t", '\t' },
	};

	if (text[0] == '\\' && len >= 6 && text[1] == 'u') {
		*c = hex_number(text + 2, len - 2, 4);
		return *c >= 0 ? 6 : 0;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t n = strlen(names[i].escape);

		if (n <= len && memcmp(text, names[i].escape, n) == 0) {
			*c = names[i].c;
			return n;
		}
	}
	return 0;
}

static bool decode_escapes(const char *text, size_t len, struct buffer *to)
{
	bool found = false;

	for (size_t i = 0, n; i < len; i += n) {
		char utf8[UTF8_MAX];
		int32_t c;

		n = escape_at(text + i, len - i, &c);
		if (n)
			buffer_put(to, utf8, (size_t)(put_utf8(utf8, (uint32_t)c) - utf8));
		else
			buffer_u8(to, (uint8_t)text[i]);
		found |= n > 0;
		n += n == 0;
	}
	return found;
}

static bool decode_percent(const char *text, size_t len, struct buffer *to)
{
	bool found = false;

	for (size_t i = 0; i < len; i++) {
		int32_t c = text[i] == '%' ? hex_number(text + i + 1, len - i - 1, 2) : -1;

		buffer_u8(to, (uint8_t)(c >= 0 ? c : text[i]));
		i += c >= 0 ? 2 : 0;
		found |= c >= 0;
	}
	return found;
}

static bool decode_basic(const char *text, size_t len, struct buffer *to)
{
	uint8_t plain[256], *colon;
	size_t n;

	if (len > 336 || !plausible_basic(text, len))
		return false;
	n = base64_decode(text, len, plain);
	colon = memchr(plain, ':', n);
	buffer_put(to, colon + 1, (size_t)(plain + n - colon - 1));
	return true;
}

bool encoded_decode(const char *text, size_t len, struct buffer *to)
{
	buffer_clear(to);
	if (memchr(text, '%', len) && decode_percent(text, len, to))
		return true;
	buffer_clear(to);
	if ((memchr(text, '\\', len) || memchr(text, '&', len)) && decode_escapes(text, len, to))
		return true;
	buffer_clear(to);
	return decode_basic(text, len, to);
}

/* Needless escapes ----------------------------------------------------------------------------- */

/* What no format has to escape; and "=", ":" and "&", which parts names from values. */
static bool is_needless(int32_t c)
{
	return c >= 0xa0 ? !(c >= 0xd800 && c <= 0xdfff)
			 : c > 0 && (is_letter_or_digit((uint8_t)c) || strchr("_-.=:&@/", (char)c));
}

/* "119;" after "&#", or "x77;". */
static size_t entity_at(const char *text, size_t len, int32_t *c)
{
	bool hex = len && (text[0] | 0x20) == 'x';
	size_t i = hex, digits = 0;

	for (*c = 0; i < len && digits < 5; i++, digits++) {
		int digit = hex_digit(text[i]);

		if (digit < 0 || (!hex && digit > 9))
			break;
		*c = *c * (hex ? 16 : 10) + digit;
	}
	return digits && i < len && text[i] == ';' && *c <= 0xffff ? i + 1 : 0;
}

/* How many bytes at `text` are a needless escape of *c; or 0. */
static size_t needless_at(const char *text, size_t len, int32_t *c)
{
	size_t n = 0;

	*c = -1;
	if (text[0] == '\\' && len > 2 && text[1] == 'u') {
		*c = hex_number(text + 2, len - 2, 4);
		n = 6;
	} else if (text[0] == '\\' && len > 2 && text[1] == 'x') {
		*c = hex_number(text + 2, len - 2, 2);
		n = 4;
	} else if (text[0] == '%') {
		*c = hex_number(text + 1, len - 1, 2);
		if (*c >= 0x80 || !is_letter_or_digit((uint8_t)*c))
			*c = -1;
		n = 3;
	} else if (text[0] == '&' && len > 2 && text[1] == '#') {
		n = entity_at(text + 2, len - 2, c);
		n += n ? 2 : 0;
	}
	return n && *c >= 0 && is_needless(*c) ? n : 0;
}

bool encoded_unescape(const char *text, size_t len, struct buffer *to)
{
	bool found = false;

	if (!memchr(text, '\\', len) && !memchr(text, '%', len) && !memchr(text, '&', len))
		return false;
	for (size_t i = 0, n; i < len; i += n) {
		char utf8[UTF8_MAX];
		int32_t c;

		n = needless_at(text + i, len - i, &c);
		if (n)
			buffer_put(to, utf8, (size_t)(put_utf8(utf8, (uint32_t)c) - utf8));
		else
			buffer_u8(to, (uint8_t)text[i]);
		found |= n > 0;
		n += n == 0;
	}
	return found;
}
