/* SPDX-License-Identifier: MIT */
/*
 * redact_words.c - find passwords in lists of texts that are command lines
 */
#include <string.h>

#include "scrub/redact.h"
#include "scrub/secret_name.h"
#include "scrub/secret_words.h"

static bool is_small_number(struct word w)
{
	size_t digits = 0;

	while (digits < w.len && w.text[digits] >= '0' && w.text[digits] <= '9')
		digits++;
	return digits == w.len && digits < 6;
}

/* "--password", "-storepass": the next word is its value. */
static bool is_secret_option(struct word option, struct word value)
{
	size_t dashes = 0;
	const char *name;

	while (dashes < option.len && option.text[dashes] == '-')
		dashes++;
	if (!dashes || dashes > 2 || value.text[0] == '-')
		return false;
	name = option.text + dashes;
	return text_is_secret_name(name, option.len - dashes) &&
	       (!is_small_number(value) || text_is_secret_number(name, option.len - dashes));
}

/* "mysql", "-u", "root", "-pWord"; what is a line in itself is looked at as a text. */
static bool is_of_tool(const struct buffer *line, struct word w, size_t *prefix)
{
	size_t from = line->len - w.len;
	struct text_span piece;

	if (memchr(w.text, ' ', w.len) ||
	    !find_tool_password((const char *)line->data, line->len, from, &piece))
		return false;
	*prefix = piece.from - from;
	return true;
}

bool redact_is_password(const struct redactor *r, struct word before, struct word w, size_t *prefix)
{
	return w.len && !r->line.failed &&
	       (is_secret_option(before, w) || is_of_tool(&r->line, w, prefix));
}
