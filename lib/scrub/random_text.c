/* SPDX-License-Identifier: MIT */
/*
 * random_text.c - find letters and digits that no person chose
 */
#include "scrub/random_text.h"

#include <string.h>
#include <strings.h>

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

int char_kind(char c)
{
	return is_lower(c) ? 1 : is_upper(c) ? 2 : is_digit(c) ? 3 : 0;
}

struct kinds kinds_of(const char *word, size_t len)
{
	struct kinds k = { 0 };

	for (size_t i = 0; i < len; i++) {
		int kind = char_kind(word[i]), before = i ? char_kind(word[i - 1]) : kind;

		k.lower += kind == 1;
		k.upper += kind == 2;
		k.digits += kind == 3;
		k.others += kind == 0;
		k.inner_upper += kind == 2 && before == 1;
		k.turns += kind && before && kind != before;
		k.digit_turns += kind && before && kind != before && (kind == 3 || before == 3);
	}
	return k;
}

#define RANDOM_MIN	 24
#define SHORT_RANDOM_MIN 20
#define ONE_CASE_MIN	 32

static bool is_code(char c)
{
	return char_kind(c) || c == '+' || c == '/' || c == '_' || c == '-';
}

/*
 * Words change from one kind to another seldom, and at random it is at two places of three.  Where
 * there are few digits, or few characters, it must be more.
 */
static bool is_mixed(const struct kinds *k, size_t len)
{
	if (k->lower < 3 || k->upper < 3)
		return false;
	if (len < RANDOM_MIN)
		return len >= SHORT_RANDOM_MIN && k->digits >= 3 && k->turns * 100 >= len * 56;
	if (k->digits < 3)
		return k->digits && k->upper * 5 >= len && k->turns * 100 >= len * 50;
	return k->turns * 100 >= len * 44;
}

/* Letters of one case and digits, but not hexadecimal ones only: base 32, base 36. */
static bool is_one_case(const char *word, size_t len, const struct kinds *k)
{
	bool beyond_hex = false;

	for (size_t i = 0; i < len && !beyond_hex; i++)
		beyond_hex = (word[i] | 0x20) > 'f';
	return len >= ONE_CASE_MIN && !k->others && (!k->lower || !k->upper) && beyond_hex &&
	       k->digits >= 4 && k->digit_turns >= 6;
}

/* "7d1f2a3b4c5d6e7f-FRA": hexadecimal digits, and words. */
static bool is_hex_in_words(const char *word, size_t len)
{
	size_t parts = 0;

	for (size_t at = 0, end; at < len; at = end + 1) {
		struct kinds k;
		bool hex = true;

		for (end = at; end < len && char_kind(word[end]); end++)
			hex &= is_digit(word[end]) || (word[end] | 0x20) <= 'f';
		k = kinds_of(word + at, end - at);
		parts += end > at;
		if (!hex && (k.digits || (k.lower && k.upper > 1)))
			return false;
		if (hex && k.lower && k.upper)
			return false;
	}
	return parts > 1;
}

static bool is_random(const char *word, size_t len)
{
	struct kinds k = kinds_of(word, len);

	return (is_mixed(&k, len) || is_one_case(word, len, &k)) && !is_hex_in_words(word, len);
}

/* In "/reset/x7K..." and "worker-x7K..." only a part is random. */
static bool find_random_part(const char *text, struct text_span *piece)
{
	size_t end = piece->to, at = piece->from;

	while (at < end) {
		while (at < end && !char_kind(text[at]))
			at++;
		piece->from = at;
		while (at < end && char_kind(text[at]))
			at++;
		piece->to = at;
		if (is_random(text + piece->from, at - piece->from))
			return true;
	}
	return false;
}

static bool begins(const char *text, size_t len, const char *with)
{
	return len >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

/* "SHA256:", "sha384-", "boundary=", "ETag: \"": what is random after them is not secret. */
static bool is_behind_label(const char *text, size_t at)
{
	static const char *const labels[] = { "sha1", "sha256", "sha384", "sha512", "sha-256", "boundary",
					      "etag", "integrity", "fingerprint", "if-none-match",
					      "websocket-accept", "websocket-key", "content-md5",
					      "digest" };
	size_t end = at;

	while (end && at - end < 4 && strchr(":=- \"", text[end - 1]))
		end--;
	for (size_t i = 0; end < at && i < sizeof(labels) / sizeof(*labels); i++) {
		size_t n = strlen(labels[i]);

		if (end >= n && strncasecmp(text + end - n, labels[i], n) == 0)
			return true;
	}
	return false;
}

/* Digests in words of their own, and keys that everybody may know, as SSH writes them. */
static bool is_public(const char *text, const struct text_span *piece)
{
	static const char *const begin[] = { "sha256-", "sha384-", "sha512-", "sha1-",
					     "AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh", "AAAAGnNr" };

	for (size_t i = 0; i < sizeof(begin) / sizeof(*begin); i++) {
		if (begins(text + piece->from, piece->to - piece->from, begin[i]))
			return true;
	}
	return is_behind_label(text, piece->from);
}

/* After "-----BEGIN CERTIFICATE-----" and the like; 0 if there is none at `at`. */
static size_t skip_public_block(const char *text, size_t len, size_t at)
{
	static const char *const names[] = { "CERTIFICATE", "PUBLIC KEY", "RSA PUBLIC KEY", "X509 CRL",
					     "NEW CERTIFICATE REQUEST", "PGP PUBLIC KEY",
					     "PGP SIGNATURE", "SSH SIGNATURE", "PKCS7", "CMS" };
	static const char begin[] = "-----BEGIN ", end[] = "-----END ";

	if (!begins(text + at, len - at, begin))
		return 0;
	at += sizeof(begin) - 1;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (begins(text + at, len - at, names[i])) {
			const char *stop = memmem(text + at, len - at, end, sizeof(end) - 1);

			return stop ? (size_t)(stop - text) + sizeof(end) - 1 : len;
		}
	}
	return 0;
}

bool find_random(const char *text, size_t len, size_t from, struct text_span *piece)
{
	size_t at = from;

	while (at < len) {
		struct text_span word;
		size_t behind;

		while (at < len && !is_code(text[at]))
			at++;
		behind = at < len && text[at] == '-' ? skip_public_block(text, len, at) : 0;
		if (behind) {
			at = behind;
			continue;
		}
		word.from = at;
		while (at < len && is_code(text[at]))
			at++;
		word.to = at;
		*piece = word;
		if ((is_random(text + word.from, at - word.from) ||
		     find_random_part(text, piece)) &&
		    !is_public(text, &word))
			return true;
	}
	return false;
}
