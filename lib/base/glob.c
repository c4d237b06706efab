/* SPDX-License-Identifier: MIT */
/*
 * glob.c - the JDK's wildcards: `*` any run, `?` one character, no escape
 */
#include "base/glob.h"

#include <string.h>

/* The next character of UTF-8 text: `?` is one character, not one byte. */
static const char *step(const char *s, const char *end)
{
	s++;
	while (s < end && (*s & 0xc0) == 0x80)
		s++;
	return s;
}

bool glob_match_text(const char *glob, size_t glob_len, const char *text, size_t text_len)
{
	const char *end = glob + glob_len, *text_end = text + text_len;
	const char *star = NULL, *retry = NULL;

	while (text < text_end) {
		if (glob < end && *glob == '*') {
			star = ++glob;
			retry = text;
		} else if (glob < end && *glob == '?') {
			glob++;
			text = step(text, text_end);
		} else if (glob < end && *glob == *text) {
			glob++;
			text++;
		} else if (star) {
			/* Only the last star need be tried again: let it take one more. */
			glob = star;
			text = retry = step(retry, text_end);
		} else {
			return false;
		}
	}
	while (glob < end && *glob == '*')
		glob++;
	return glob == end;
}

bool glob_match(const char *glob, size_t glob_len, const char *text)
{
	return glob_match_text(glob, glob_len, text, strlen(text));
}
