/* SPDX-License-Identifier: MIT */
/*
 * markdown_text.c - text for Markdown
 *
 * What reads Markdown may be any program, and the texts of a recording are not trusted: in a code
 * span only a backquote and, in tables, a bar mean something; in a sentence, much does.
 */
#include "page/markdown_text.h"

#include <string.h>
#include <strings.h>

#include "jfrec/tool/text.h"
#include "page/markup.h"

#define MARKUP "\\*_{}[]<>|~&$"

/* How many backquotes come after each other at most. */
static size_t longest_run(const char *text)
{
	size_t longest = 0;

	while (*text) {
		size_t n = strspn(text, "`");

		if (n > longest)
			longest = n;
		text += n ? n : 1;
	}
	return longest;
}

static void put_fence(struct buffer *to, size_t backquotes)
{
	while (backquotes--)
		buffer_u8(to, '`');
}

void markdown_code(struct buffer *to, const char *text, bool in_table)
{
	size_t fence = longest_run(text) + 1;

	if (!text[strspn(text, " ")])
		return;
	put_fence(to, fence);
	if (fence > 1)
		buffer_u8(to, ' ');
	for (; *text; text++) {
		if (*text == '|' && in_table)
			buffer_u8(to, '\\');
		buffer_u8(to, (uint8_t)*text);
	}
	if (fence > 1)
		buffer_u8(to, ' ');
	put_fence(to, fence);
}

/* Bytes at the start of what programs make links or mentions of, without being asked. */
static size_t linked(const char *s)
{
	if (*s == '@' || *s == '#')
		return 1;
	return strncmp(s, "://", 3) == 0 ? 3 : strncasecmp(s, "www.", 4) == 0 ? 4 : 0;
}

void markdown_sentence(struct buffer *to, const char *text, bool has_code)
{
	while (*text) {
		size_t n = linked(text);

		if (n) {
			buffer_u8(to, '`');
			buffer_put(to, text, n);
			buffer_u8(to, '`');
			text += n;
			continue;
		}
		if (strchr(MARKUP, *text) || (*text == '`' && !has_code))
			buffer_u8(to, '\\');
		buffer_u8(to, (uint8_t)*text++);
	}
}

/* For others ----------------------------------------------------------------------------------- */

/* What is no text, and what turns or controls a terminal, becomes U+FFFD before. */
static char *made(const char *text, bool is_code, bool has_code)
{
	struct buffer clean = { 0 }, to = { 0 };

	markup_clean(&clean, text);
	buffer_u8(&clean, 0);
	if (!clean.failed && is_code)
		markdown_code(&to, (const char *)clean.data, false);
	else if (!clean.failed)
		markdown_sentence(&to, (const char *)clean.data, has_code);
	buffer_u8(&to, 0);
	if (clean.failed || to.failed)
		buffer_fini(&to);
	buffer_fini(&clean);
	return (char *)to.data;
}

char *jfrec_markdown_sentence(const char *text, bool has_code)
{
	return made(text, false, has_code);
}

char *jfrec_markdown_code(const char *text)
{
	return made(text, true, false);
}
