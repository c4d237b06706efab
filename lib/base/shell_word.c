/* SPDX-License-Identifier: MIT */
/*
 * shell_word.c - a name as one word of a command that is pasted into a shell
 */
#include "base/shell_word.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* Of these no shell makes anything else. */
#define PLAIN "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-:@+,%"

static bool is_between(const unsigned char *s, const char *least, const char *most)
{
	return memcmp(s, least, strlen(least)) >= 0 && memcmp(s, most, strlen(most)) <= 0;
}

/* What terminals obey, or show elsewhere: control characters, and changes of direction. */
static bool is_obeyed(const unsigned char *s, size_t len)
{
	if (len == 1)
		return s[0] < 0x20 || s[0] == 0x7f;
	if (len == 2)
		return is_between(s, "\xc2\x80", "\xc2\x9f") ||
		       is_between(s, "\xd8\x9c", "\xd8\x9c");
	return len == 3 && (is_between(s, "\xe2\x80\x8e", "\xe2\x80\x8f") ||
			    is_between(s, "\xe2\x80\xa8", "\xe2\x80\xae") ||
			    is_between(s, "\xe2\x81\xa6", "\xe2\x81\xa9"));
}

/* Bytes of a character that can be shown; 0: its first byte cannot. */
static size_t shown_length(const char *s)
{
	size_t len = utf8_length(s);

	return len && !is_obeyed((const unsigned char *)s, len) ? len : 0;
}

static bool is_shown(const char *name)
{
	size_t len;

	while (*name && (len = shown_length(name)))
		name += len;
	return !*name;
}

/* Three digits, so that a digit may follow. */
static char *put_escaped(char *to, const char *name)
{
	size_t len;

	to = stpcpy(to, "$'");
	for (; *name; name += len ? len : 1) {
		len = shown_length(name);
		if (!len) {
			to += sprintf(to, "\\%03o", (unsigned char)*name);
			continue;
		}
		if (*name == '\'' || *name == '\\')
			*to++ = '\\';
		to = mempcpy(to, name, len);
	}
	return to;
}

static char *put_quoted(char *to, const char *name)
{
	*to++ = '\'';
	for (; *name; name++) {
		if (*name == '\'')
			to = stpcpy(to, "'\\'");
		*to++ = *name;
	}
	return to;
}

char *shell_word(const char *name)
{
	static const char here[] = "./";
	/* What begins so would be an option; "-" alone is standard input. */
	bool is_option = name[0] == '-' && name[1];
	char *word = malloc(4 * strlen(name) + sizeof(here) + sizeof("$''")), *to = word;

	if (!word)
		return NULL;
	if (is_option)
		to = stpcpy(to, here);
	if (*name && name[strspn(name, PLAIN)] == '\0') {
		strcpy(to, name);
		return word;
	}
	to = is_shown(name) ? put_quoted(to, name) : put_escaped(to, name);
	strcpy(to, "'");
	return word;
}
