/* SPDX-License-Identifier: MIT */
/*
 * common_word.c - tell words as people and programs write them
 */
#include "scrub/common_word.h"

#include <string.h>
#include <strings.h>

/* Letters in a row that are no word of any language, and digits that are no ordinary number. */
#define LONG_WORD   16
#define LONG_NUMBER 8

/* So many words in a row, of so many bytes, are a phrase that somebody chose. */
#define PHRASE_WORDS 4
#define PHRASE_MIN   20

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || is_upper(c) || (c & 0x80);
}

static size_t count_letters(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && is_letter(text[n]))
		n++;
	return n;
}

static size_t count_digits(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && is_digit(text[n]))
		n++;
	return n;
}

/* "sha256", "utf8", "oauth2": names of techniques, which have numbers. */
static bool is_technique(const char *word, size_t len)
{
	static const char *const names[] = {
		"sha",	  "md",	   "aes",  "hs",   "rs",   "es",  "ps",	  "base",  "utf",  "http",
		"oauth",  "pkcs",  "x",	   "tls",  "ssl",  "p",	  "ed",	  "argon", "pbkdf", "ipv",
		"jdk",	  "java",  "jre",  "v",	   "cp",   "iso", "latin", "rsa",  "ec",   "hmac",
		"crc",	  "xxh",   "log",  "h",	   "db",   "s",	  "k",	  "i",	   "win",  "amd",
		"arm",	  "aarch", "u",	   "r",	   "rc",   "m",	  "g",	  "ascii", "sslv", "tlsv",
		"secp",	  "ike",   "node", "host", "port", "web", "mp",   "id",	   "no",   "step",
		"mb",	  "bit",  "gcm",  "cbc",  "ecb", "ctr",  "level",  "line",  "test", "user", "key",  "part", "page", "worker", "thread", "pool",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strlen(names[i]) == len && strncasecmp(names[i], word, len) == 0)
			return true;
	}
	return false;
}

/* In lower case, in capitals, or with one in front. */
static bool has_one_case(const char *word, size_t len)
{
	bool first = is_upper(word[0]), rest = len > 1 && is_upper(word[1]);

	if (rest && !first)
		return false;
	for (size_t i = 1; i < len; i++) {
		if (!(word[i] & 0x80) && is_upper(word[i]) != rest)
			return false;
	}
	return true;
}

/* Letters, digits, letters ...: "utf8mb4". */
static bool is_common_part(const char *part, size_t len)
{
	size_t letters = count_letters(part, len), digits = count_digits(part, len);

	if (digits)
		return digits == len ? len < LONG_NUMBER : digits < 4 && len - digits <= 3;
	if (letters >= LONG_WORD || !has_one_case(part, letters))
		return false;
	if (letters == len)
		return true;
	digits = count_digits(part + letters, len - letters);
	return is_technique(part, letters) && digits <= 5 &&
	       (letters + digits == len ||
		is_common_part(part + letters + digits, len - letters - digits));
}

static bool has_mark(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] && strchr("!#$%^*?~+=&|", text[i]))
			return true;
	}
	return false;
}

bool is_common(const char *text, size_t len)
{
	size_t words = 0;

	if (has_mark(text, len))
		return false;
	for (size_t at = 0, end; at < len; at = end + 1) {
		for (end = at; end < len && (is_letter(text[end]) || is_digit(text[end]));)
			end++;
		words += end > at;
		if (end > at && !is_common_part(text + at, end - at))
			return false;
	}
	return words < PHRASE_WORDS || len < PHRASE_MIN;
}

/* "zebra-fence-11", as people make passwords; but "SHA-256". */
bool has_words_and_number(const char *text, size_t len)
{
	size_t words = 0, numbers = 0;

	for (size_t at = 0, n; at < len; at += n) {
		n = count_letters(text + at, len - at);
		if (n && is_technique(text + at, n))
			return false;
		words += n >= 3;
		if (!n) {
			n = count_digits(text + at, len - at);
			numbers += n > 0;
		}
		n += n == 0;
	}
	return words && numbers && len >= 12;
}
