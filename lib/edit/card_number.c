/* SPDX-License-Identifier: MIT */
/*
 * card_number.c - find the numbers of payment cards
 *
 * 14 to 16 digits that begin as one of the large networks' do, whose last one is the check digit
 * (Luhn's), alone or in groups parted by blanks or hyphens.
 */
#include "edit/secret_words.h"

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
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
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
