/* SPDX-License-Identifier: MIT */
/*
 * secret_forms.c - find secrets that are known only by their form
 *
 * Numbers of payment cards: 14 to 16 digits that begin as one of the large networks' do, whose
 * last one is the check digit (Luhn's), alone or in groups separated by blanks or hyphens.
 *
 * Lines of a .pgpass file: host:port:database:user:password.
 */
#include "scrub/secret_words.h"

#include <string.h>

#define MOST_DIGITS 16

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool has_check_digit(const char *digits, size_t n)
{
	unsigned sum = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned d = (unsigned)(digits[n - 1 - i] - '0') << (i & 1);

		sum += d > 9 ? d - 9 : d;
	}
	return sum % 10 == 0;
}

static bool is_of_network(const char *digits, size_t n)
{
	unsigned two = (unsigned)(digits[0] - '0') * 10 + (unsigned)(digits[1] - '0');
	unsigned four = two * 100 + (unsigned)(digits[2] - '0') * 10 + (unsigned)(digits[3] - '0');

	if (n == 15)
		return two == 34 || two == 37;
	if (n == 14)
		return two == 36 || two == 38 || (four >= 3000 && four <= 3059);
	return n == 16 && (two / 10 == 4 || (two >= 51 && two <= 55) || two == 65 || two == 62 ||
			   four == 6011 || (four >= 2221 && four <= 2720) ||
			   (four >= 3528 && four <= 3589));
}

/* Of the digits in groups at `from`; returns where they end. */
static size_t read_digits(const char *text, size_t len, size_t from, char digits[MOST_DIGITS],
			  size_t *count)
{
	size_t at = from, n = 0, in_group = 0;

	for (; at < len; at++) {
		if (is_digit(text[at])) {
			if (n < MOST_DIGITS)
				digits[n] = text[at];
			n++;
			in_group++;
		} else if ((text[at] == ' ' || text[at] == '-') && in_group >= 4 && at + 1 < len &&
			   is_digit(text[at + 1])) {
			in_group = 0;
		} else {
			break;
		}
	}
	*count = n;
	return at;
}

static bool is_part_of_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       c == '.';
}

bool find_card_number(const char *text, size_t len, size_t from, struct text_span *piece)
{
	char digits[MOST_DIGITS];
	size_t at = from, n, end;

	while (at < len) {
		if (!is_digit(text[at])) {
			at++;
			continue;
		}
		end = read_digits(text, len, at, digits, &n);
		if (n >= 14 && n <= MOST_DIGITS && (at == 0 || !is_part_of_word(text[at - 1])) &&
		    (end == len || !is_part_of_word(text[end]) || text[end] == '.') &&
		    is_of_network(digits, n) && has_check_digit(digits, n)) {
			*piece = (struct text_span){ at, end };
			return true;
		}
		at = end;
	}
	return false;
}

/* The fields of a .pgpass line before the password. */
#define PGPASS_FIELDS 4

static bool ends_word(char c)
{
	return (unsigned char)c <= ' ' || strchr("\"'<>,;()[]{}", c);
}

static bool is_port(const char *text, size_t from, size_t to)
{
	if (to - from == 1 && text[from] == '*')
		return true;
	for (size_t i = from; i < to; i++) {
		if (!is_digit(text[i]))
			return false;
	}
	return to - from >= 2 && to - from <= 5;
}

/* Is the word one of five fields, of which the second one is a port, and no other is empty? */
static bool is_pgpass(const char *text, size_t from, size_t to, struct text_span *password)
{
	size_t colons[PGPASS_FIELDS], n = 0;

	for (size_t i = from; i < to; i++) {
		if (text[i] != ':')
			continue;
		if (n == PGPASS_FIELDS || i == (n ? colons[n - 1] + 1 : from))
			return false;
		colons[n++] = i;
	}
	if (n < PGPASS_FIELDS || !is_port(text, colons[0] + 1, colons[1]))
		return false;
	*password = (struct text_span){ colons[3] + 1, to };
	return plausible_strong(text + colons[3] + 1, to - colons[3] - 1);
}

/* Most texts have fewer than four. */
static bool has_colons(const char *text, size_t len)
{
	const char *end = text + len;

	for (unsigned n = 0; n < PGPASS_FIELDS; n++) {
		text = memchr(text, ':', (size_t)(end - text));
		if (!text)
			return false;
		text++;
	}
	return true;
}

bool find_pgpass(const char *text, size_t len, size_t from, struct text_span *piece)
{
	size_t at = from;

	if (!has_colons(text + from, len - from))
		return false;
	while (at < len) {
		size_t begin;

		while (at < len && ends_word(text[at]))
			at++;
		begin = at;
		while (at < len && !ends_word(text[at]))
			at++;
		if (is_pgpass(text, begin, at, piece))
			return true;
	}
	return false;
}
