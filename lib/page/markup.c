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

void markup_put_text(struct out *out, const char *text)
{
	while (*text) {
		const char *shown, *escape = escape_of(*text);
		size_t len;

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
		const char *shown;
		size_t len;

		text = next_shown(text, &shown, &len);
		buffer_put(to, shown, len);
	}
}
