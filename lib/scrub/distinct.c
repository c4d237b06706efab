/* SPDX-License-Identifier: MIT */
/*
 * distinct.c - tell which texts are worth searching for elsewhere
 */
#include "scrub/distinct.h"

#include <string.h>

#include "scrub/common_word.h"
#include "scrub/placeholder.h"
#include "scrub/random_text.h"
#include "scrub/secret_words.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}

/* Where there is something in the file system, or in the network. */
static bool is_place(const char *text, size_t len)
{
	static const char *const begins[] = { "/", "./", "../", "~/", "file:", "classpath:", "http://",
					      "https://", "\\\\" };
	bool found = len > 3 && is_letter(text[0]) && text[1] == ':' && strchr("\\/", text[2]);

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins) && !found; i++)
		found = len >= strlen(begins[i]) && memcmp(text, begins[i], strlen(begins[i])) == 0;
	return found;
}

bool is_distinct(const char *text, size_t len)
{
	struct text_span piece;

	if (is_placeholder(text, len))
		return false;
	if (is_place(text, len))
		return find_random(text, len, 0, &piece);
	return !is_common(text, len) || has_words_and_number(text, len);
}

/* The digits and letters of checksums, container ids and UUIDs; and what parts them. */
static bool is_hexadecimal(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = text[i] | 0x20;

		if (!is_digit(text[i]) && !(c >= 'a' && c <= 'f') && text[i] != '-' &&
		    text[i] != ':')
			return false;
	}
	return true;
}

/* "com.example.Foo2Impl", "10.1.2.3", "1.2.3-rc1", "a/b", "x=y", "host:80": made of parts. */
static bool has_parts(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (strchr("./\\:;,= \t\r\n<>(){}[]\"'&|", text[i]))
			return true;
	}
	return false;
}

/* "PT4H30M15S", "4h30m15s". */
static bool is_duration(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!is_digit(text[i]) && !strchr("PTWDHMSwdhmsnu.", text[i]))
			return false;
	}
	return true;
}

/* "2024-01-15T10:00:00Z": mostly digits, and few letters. */
static bool has_letters(const char *text, size_t len)
{
	size_t n = 0, digits = 0;

	for (size_t i = 0; i < len; i++) {
		n += is_letter(text[i]);
		digits += is_digit(text[i]);
	}
	return n >= 4 && digits && (n >= 6 || n >= digits);
}

/* "W1nter!x": letters and digits with a sign that names do not have. */
static bool has_sign(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] && strchr("!#$%^~", text[i]))
			return len >= 8;
	}
	return false;
}

bool looks_random(const char *text, size_t len)
{
	struct text_span piece;

	if (find_random(text, len, 0, &piece))
		return piece.from == 0 && piece.to == len;
	if (is_hexadecimal(text, len) || is_duration(text, len) || has_parts(text, len) ||
	    is_common(text, len) || !has_letters(text, len))
		return false;
	return plausible_mix(text, len) || has_sign(text, len);
}
