/* SPDX-License-Identifier: MIT */
/*
 * assignment.c - tell whether what stands beside the name of a secret is one
 */
#include "scrub/assignment.h"

#include <string.h>
#include <strings.h>

#include "scrub/common_word.h"
#include "scrub/distinct.h"
#include "scrub/placeholder.h"
#include "scrub/rules.h"
#include "scrub/secret_name.h"
#include "scrub/secret_words.h"

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* What is between quotes, in: secret "x". */
static bool find_quoted(const char *text, size_t len, struct text_span *piece)
{
	size_t at = 0;

	while (at < len && text[at] && !strchr("\"'`", text[at]))
		at++;
	piece->from = at + 1;
	piece->to = len;
	while (piece->to > piece->from && text[piece->to - 1] && strchr("\"'`", text[piece->to - 1]))
		piece->to--;
	return piece->from < piece->to;
}

bool plausible_quoted(const char *text, size_t len)
{
	struct text_span piece;
	const char *value;
	size_t n;

	if (!find_quoted(text, len, &piece))
		return false;
	value = text + piece.from;
	n = piece.to - piece.from;
	/* In "no 'password' in 'x'" the quotes that are between are of others. */
	if (strchr(" :,=)}]", value[0]) || value[n - 1] == ' ' || !plausible_literal(value, n))
		return false;
	return strncasecmp(text, "pass", 4) == 0 || is_distinct(value, n);
}

/* "unknown pass: optimizer" is no more than a word after another. */
bool plausible_short_assignment(const char *pair, size_t len)
{
	size_t at, n;
	bool is_bare;

	while (len && !is_word(pair[0]))
		pair++, len--;
	for (at = 0; at < len && pair[at] != '=' && pair[at] != ':';)
		at++;
	is_bare = at == 4 && strncasecmp(pair, "pass", 4) == 0 && pair[at] == ':';
	while (at < len && pair[at] && strchr("=:> \t\"'\\", pair[at]))
		at++;
	n = len - at;
	return plausible_short(pair + at, n) && !(is_bare && is_common(pair + at, n));
}

/*
 * "PasswordEncoder.java:120" is a place in a program, "secret:prod/db" is a part of a name, as of
 * a service, "secretName=db" and "passwordLength: 8" say something about a secret, and
 * "password=****" says nothing.
 */
bool plausible_assignment(const char *pair, size_t len)
{
	size_t at = 0, name;
	bool is_joined;

	while (at < len && pair[at] != '=' && pair[at] != ':')
		at++;
	name = at;
	is_joined = at + 1 < len && pair[at] == ':' && !strchr(" \t=", pair[at + 1]);
	if (text_is_about_secrets(pair, at))
		return false;
	while (at < len && pair[at] && strchr("=:> \t\"'\\", pair[at]))
		at++;
	if (is_template(pair + at, len - at))
		return false;
	while (at < len && pair[at] && strchr("[({\"'", pair[at]))
		at++;
	if (at == len)
		return true;
	/* A password may be a word; a key seldom is, and in a sentence none. */
	if (pair[name] == ':' && !text_is_password_name(pair, name) &&
	    is_common(pair + at, len - at))
		return false;
	if (is_joined && memchr(pair + at, '/', len - at) && is_common(pair + at, len - at))
		return false;
	return plausible_literal(pair + at, len - at) && plausible_pair(pair, len);
}

/* "X-Auth-Token: x", but not "X-Cache-Key: x". */
bool plausible_header(const char *header, size_t len)
{
	static const char *const others[] = { "cache", "idempot", "surrogate", "routing", "partition",
					      "key-id", "keyid", "sort", "session-key", "message-key" };
	const char *colon = memchr(header, ':', len);
	char name[64];
	size_t n;

	if (!colon)
		colon = memchr(header, '=', len);
	if (!colon || (size_t)(colon - header) >= sizeof(name))
		return false;
	n = (size_t)(colon - header);
	for (size_t i = 0; i < n; i++)
		name[i] = (char)(header[i] | 0x20);
	name[n] = '\0';
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (strstr(name, others[i]))
			return false;
	}
	return plausible_assignment(colon, len - n);
}
