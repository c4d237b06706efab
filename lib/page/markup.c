/* SPDX-License-Identifier: MIT */
/*
 * markup.c - text for HTML and SVG
 */
#include "page/markup.h"

#include <string.h>

#include "base/utf8.h"
#include "page/shown.h"

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

void markup_put(struct out *out, const char *text)
{
	out_put(out, text, strlen(text));
}

/* And what is not a character. */
static bool is_harmful(uint32_t c)
{
	return is_unseen(c) || (c & 0xfffe) == 0xfffe;
}

/* The next character, or its replacement; *len: of what is to be shown. Returns what follows. */
static const char *next_shown(const char *at, const char **shown, size_t *len)
{
	size_t n = utf8_length(at);

	*shown = at;
	*len = n;
	if (!n || is_harmful(code_point((const unsigned char *)at, n))) {
		*shown = replacement;
		*len = sizeof(replacement) - 1;
	}
	return at + (n ? n : 1);
}

/* How many characters from here on are letters, digits and the like, of one byte: most are. */
static size_t plain_length(const char *text)
{
	size_t n = 0;

	while (text[n] >= 0x20 && text[n] < 0x7f)
		n++;
	return n;
}

static const char *escape_of(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* How many of plain characters have no escape. */
static size_t unescaped_length(const char *text, size_t plain)
{
	size_t n = 0;

	while (n < plain && !escape_of(text[n]))
		n++;
	return n;
}

void markup_put_text(struct out *out, const char *text)
{
	while (*text) {
		size_t len = unescaped_length(text, plain_length(text));
		const char *shown, *escape;

		out_put(out, text, len);
		text += len;
		if (!*text)
			break;
		escape = escape_of(*text);
		text = next_shown(text, &shown, &len);
		if (escape)
			markup_put(out, escape);
		else
			out_put(out, shown, len);
	}
}

void markup_clean(struct buffer *to, const char *text)
{
	while (*text) {
		size_t len = plain_length(text);
		const char *shown;

		buffer_put(to, text, len);
		text += len;
		if (!*text)
			break;
		text = next_shown(text, &shown, &len);
		buffer_put(to, shown, len);
	}
}
