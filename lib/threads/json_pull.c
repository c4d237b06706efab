/* SPDX-License-Identifier: MIT */
/*
 * json_pull.c - read JSON where it stands, value by value
 */
#include "threads/json_pull.h"

#include <stdlib.h>
#include <string.h>

/* Deeper than anything that is meant. */
#define MAX_DEPTH 64

static char here(struct json_pull *j)
{
	j->at += strspn(j->at, " \t\r\n");
	return j->failed ? '\0' : *j->at;
}

static void *fail(struct json_pull *j)
{
	j->failed = true;
	return NULL;
}

bool pull_enter(struct json_pull *j, char open)
{
	if (here(j) != open) {
		pull_skip(j);
		return false;
	}
	j->at++;
	return true;
}

/* Step over the comma, or the end. */
static bool has_more(struct json_pull *j, char close)
{
	if (here(j) == ',') {
		j->at++;
		here(j);
	}
	if (here(j) == close) {
		j->at++;
		return false;
	}
	return !j->failed && j->at < j->end;
}

char *pull_member(struct json_pull *j)
{
	char *name;

	if (!has_more(j, '}'))
		return NULL;
	name = pull_text(j);
	if (!name || here(j) != ':')
		return fail(j);
	j->at++;
	return name;
}

bool pull_item(struct json_pull *j)
{
	return has_more(j, ']');
}

/* Texts -----------------------------------------------------------------------------------------
 */

static int hex4(const char *text)
{
	int v = 0;

	for (int i = 0; i < 4; i++) {
		const char *digits = "0123456789abcdef0123456789ABCDEF", *at;

		at = text[i] ? strchr(digits, text[i]) : NULL;
		if (!at)
			return -1;
		v = v << 4 | (int)((at - digits) & 15);
	}
	return v;
}

static char *put_utf8(char *to, unsigned c)
{
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
		*to++ = (char)(0x80 | (c & 0x3f));
	}
	return to;
}

/* "\u00e9": never longer in UTF-8.  NUL, which would end the text, and half a pair are U+FFFD. */
static char *unescape_unicode(struct json_pull *j, char *to)
{
	int high = hex4(j->at), low;

	if (high < 0)
		return fail(j);
	j->at += 4;
	if (high >= 0xd800 && high < 0xdc00 && j->at[0] == '\\' && j->at[1] == 'u') {
		low = hex4(j->at + 2);
		if (low >= 0xdc00 && low < 0xe000) {
			j->at += 6;
			return put_utf8(to, 0x10000 + ((unsigned)(high - 0xd800) << 10) +
						    (unsigned)(low - 0xdc00));
		}
	}
	return put_utf8(to, !high || (high >= 0xd800 && high < 0xe000) ? 0xfffd : (unsigned)high);
}

static char *unescape(struct json_pull *j, char *to)
{
	static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	char c = *j->at++;
	const char *at = c ? strchr(names, c) : NULL;

	if (c == 'u')
		return unescape_unicode(j, to);
	if (!at)
		return fail(j);
	*to = values[at - names];
	return to + 1;
}

char *pull_text(struct json_pull *j)
{
	char *text, *to;

	if (here(j) != '"') {
		pull_skip(j);
		return NULL;
	}
	text = to = ++j->at;
	while (*j->at != '"') {
		size_t plain = strcspn(j->at, "\"\\");

		if (j->at[plain] == '\0')
			return fail(j);
		memmove(to, j->at, plain);
		to += plain;
		j->at += plain;
		if (*j->at != '\\')
			break;
		j->at++;
		to = unescape(j, to);
		if (!to)
			return NULL;
	}
	j->at++;
	*to = '\0';
	return text;
}

/* Others ----------------------------------------------------------------------------------------
 */

uint64_t pull_number(struct json_pull *j)
{
	const char *text;
	uint64_t v;

	if (here(j) == '"') {
		text = pull_text(j);
		return text ? strtoull(text, NULL, 10) : 0;
	}
	v = strtoull(j->at, NULL, 10);
	pull_skip(j);
	return v;
}

bool pull_true(struct json_pull *j)
{
	bool is_true = here(j) == 't';

	pull_skip(j);
	return is_true;
}

static void skip_nested(struct json_pull *j, unsigned depth)
{
	char open = here(j);

	if (depth == MAX_DEPTH) {
		fail(j);
	} else if (open == '"') {
		pull_text(j);
	} else if (open == '{') {
		j->at++;
		while (pull_member(j))
			skip_nested(j, depth + 1);
	} else if (open == '[') {
		j->at++;
		while (pull_item(j))
			skip_nested(j, depth + 1);
	} else {
		size_t len = strspn(j->at, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");

		j->failed |= len == 0;
		j->at += len;
	}
}

void pull_skip(struct json_pull *j)
{
	if (!j->failed)
		skip_nested(j, 0);
}
