/* SPDX-License-Identifier: MIT */
/*
 * rust_old.c - symbols of Rust as compilers made them until 2025
 *
 *	_ZN (length bytes)... 17h and 16 hexadecimal digits E [. and what follows]
 *
 * So C++ encodes a::b::c. What C++ cannot have in a name is escaped: $LT$ is <, .. is ::
 */
#include <stdint.h>

#include "demangle/rust.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* -1: it is none. */
static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "17h", 16 digits, "E" */
#define HASH 20

/*
 * The end of a symbol whose last part is a hash, without what other tools added; 0: there is none.
 */
static size_t end_of_old(const char *symbol, size_t len)
{
	const char *dot = memmem(symbol, len, "E.", 2);
	unsigned seen = 0;

	if (dot)
		len = (size_t)(dot - symbol) + 1;
	if (len <= 3 + HASH || memcmp(symbol, "_ZN", 3) != 0 || symbol[len - 1] != 'E' ||
	    memcmp(symbol + len - HASH, "17h", 3) != 0)
		return 0;
	for (const char *at = symbol + len - HASH + 3; at < symbol + len - 1; at++) {
		if (!is_digit(*at) && (*at < 'a' || *at > 'f'))
			return 0;
		seen |= 1u << hex_digit(*at);
	}
	/* A hash is not that even. */
	return __builtin_popcount(seen) >= 5 ? len - HASH : 0;
}

/* $u and a code point in hexadecimal, $ */
static size_t code_point(const char *at, size_t len, uint32_t *c)
{
	size_t n = 2;

	*c = 0;
	if (len < 4 || at[1] != 'u')
		return 0;
	for (; n < len && n < 8 && hex_digit(at[n]) >= 0; n++)
		*c = *c << 4 | (uint32_t)hex_digit(at[n]);
	if (n == 2 || n == len || at[n] != '$' || !shown_allows(*c))
		return 0;
	return n + 1;
}

/* $LT$ and the like, $u7b$; how long it is, or 0. */
static size_t escape(const char *at, size_t len, uint32_t *c)
{
	static const struct {
		const char *text;
		char c;
	} escapes[] = { { "$SP$", '@' }, { "$BP$", '*' }, { "$RF$", '&' }, { "$LT$", '<' },
			{ "$GT$", '>' }, { "$LP$", '(' }, { "$RP$", ')' }, { "$C$", ',' } };
	size_t n;

	for (size_t i = 0; i < sizeof(escapes) / sizeof(*escapes); i++) {
		n = strlen(escapes[i].text);
		if (len >= n && memcmp(at, escapes[i].text, n) == 0) {
			*c = escapes[i].c;
			return n;
		}
	}
	return code_point(at, len, c);
}

static void put_old(struct shown *out, const char *at, size_t len)
{
	size_t n;
	uint32_t c;

	/* Before what a name cannot begin with. */
	if (len > 1 && at[0] == '_' && at[1] == '$') {
		at++;
		len--;
	}
	for (; len; at += n, len -= n) {
		n = 1;
		if (*at == '$') {
			n = escape(at, len, &c);
			if (!n) {
				shown_put(out, at, len);
				return;
			}
			shown_code_point(out, c == ';' ? ':' : c); /* as in rust.c */
		} else if (*at == '.' && len > 1 && at[1] == '.') {
			n = 2;
			shown_text(out, "::");
		} else {
			shown_char(out, *at);
		}
	}
}

bool rust_old_name(struct shown *out, const char *symbol, size_t len)
{
	size_t end = end_of_old(symbol, len), n;

	for (size_t at = 3; at < end; at += n) {
		n = 0;
		while (at < end && is_digit(symbol[at]) && n < 100000)
			n = n * 10 + (size_t)(symbol[at++] - '0');
		if (!n || n > end - at) {
			out->len = 0;
			out->is_full = false;
			return false;
		}
		if (out->len)
			shown_text(out, "::");
		put_old(out, symbol + at, n);
	}
	return out->len > 0;
}
