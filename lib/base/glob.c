/* SPDX-License-Identifier: MIT */
/*
 * glob.c - match the JDK's wildcards: `*` any run, `?` one character, no escape
 *
 * Between two stars is a piece.  The first one must lie at the text's beginning and the last one
 * at its end; each of the others is taken where it is found first, and never again.
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

/* A part of the glob without stars. */
struct piece {
	const char *at, *end;
};

/* Where the piece ends if it lies here; NULL if it does not. */
static const char *lies_at(const struct piece *p, const char *text, const char *end)
{
	for (const char *g = p->at; g < p->end; g++) {
		if (text == end || (*g != '?' && *g != *text))
			return NULL;
		text = *g == '?' ? step(text, end) : text + 1;
	}
	return text;
}

/* A piece without `?` takes linear time; the others their length for each place at worst. */
static const char *find(const struct piece *p, const char *text, const char *end)
{
	size_t len = (size_t)(p->end - p->at);
	const char *found;

	if (!memchr(p->at, '?', len)) {
		found = memmem(text, (size_t)(end - text), p->at, len);
		return found ? found + len : NULL;
	}
	for (; text < end; text = step(text, end)) {
		found = lies_at(p, text, end);
		if (found)
			return found;
	}
	return NULL;
}

/* Does the text end in the piece?  Each `?` is a whole character, so that is tried from the end. */
static bool ends_in(const struct piece *p, const char *text, const char *end)
{
	for (const char *g = p->end; g > p->at; g--) {
		if (text == end || (g[-1] != '?' && g[-1] != end[-1]))
			return false;
		end--;
		while (g[-1] == '?' && end > text && (*end & 0xc0) == 0x80)
			end--;
	}
	return true;
}

static struct piece piece_at(const char *glob, const char *end)
{
	const char *star = memchr(glob, '*', (size_t)(end - glob));

	return (struct piece){ glob, star ? star : end };
}

bool glob_match_text(const char *glob, size_t glob_len, const char *text, size_t text_len)
{
	const char *end = glob + glob_len, *text_end = text + text_len;
	struct piece p = piece_at(glob, end);

	text = lies_at(&p, text, text_end);
	if (p.end == end)
		return text == text_end;
	while (text) {
		p = piece_at(p.end + 1, end);
		if (p.end == end)
			return ends_in(&p, text, text_end);
		text = find(&p, text, text_end);
	}
	return false;
}

bool glob_match(const char *glob, size_t glob_len, const char *text)
{
	return glob_match_text(glob, glob_len, text, strlen(text));
}
