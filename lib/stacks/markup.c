/* SPDX-License-Identifier: MIT */
/*
 * markup.c - text for HTML and SVG
 */
#include "stacks/markup.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "stacks/frames.h"

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

void markup_put(struct out *out, const char *text)
{
	out_put(out, text, strlen(text));
}

static uint32_t code_point(const unsigned char *s, size_t len)
{
	uint32_t c = len == 1 ? s[0] : s[0] & (0xffu >> (len + 1));

	for (size_t i = 1; i < len; i++)
		c = c << 6 | (s[i] & 0x3f);
	return c;
}

/* Control characters, those that turn the direction of writing, and what is no character. */
static bool is_harmful(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff ||
	       (c & 0xfffe) == 0xfffe;
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

/* Hue, saturation and lightness: kinds can be told apart without colour, too. As in page/script.js. */
static const struct {
	int hue, saturation, lightness;
} colours[FRAME_KINDS] = {
	[FRAME_INTERPRETED] = { 45, 30, 78 }, [FRAME_JIT] = { 37, 78, 74 },
	[FRAME_INLINED] = { 56, 62, 74 },     [FRAME_NATIVE] = { 203, 58, 76 },
	[FRAME_CPP] = { 14, 72, 78 },	      [FRAME_KERNEL] = { 322, 42, 82 },
	[FRAME_C1] = { 50, 50, 80 },	      [FRAME_CLASS] = { 158, 36, 76 },
	[FRAME_THREAD] = { 222, 20, 86 },     [FRAME_NOTE] = { 0, 0, 88 },
};

/* FNV-1a of the package: what is before the last two names. */
static uint32_t package_hash(const char *name)
{
	const char *method = strrchr(name, '.');
	const char *class = method ? memrchr(name, '.', (size_t)(method - name)) : NULL;
	const char *end = class && class > name ? class : name + strlen(name);
	uint32_t h = 2166136261u;

	for (; name < end; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return h;
}

/* Red, green or blue of a colour, 0 to 255: `at` is 0, 8 or 4. */
static unsigned part_of(int at, int hue, int saturation, int lightness)
{
	double k = fmod(at + hue / 30.0, 12), low = k - 3 < 9 - k ? k - 3 : 9 - k;
	double l = lightness / 100.0, a = saturation / 100.0 * (l < 0.5 ? l : 1 - l);

	low = low > 1 ? 1 : low < -1 ? -1 : low;
	return (unsigned)lround(255 * (l - a * low));
}

void markup_put_colour(struct out *out, unsigned kind, const char *name)
{
	uint32_t shade = package_hash(name);
	int hue, saturation, lightness;
	char text[64];

	if (kind >= FRAME_KINDS)
		kind = FRAME_NOTE;
	hue = (colours[kind].hue + (int)(shade % 19) - 9 + 360) % 360;
	saturation = colours[kind].saturation;
	lightness = colours[kind].lightness + (int)((shade >> 8) % 11) - 5;
	snprintf(text, sizeof(text), "#%02x%02x%02x", part_of(0, hue, saturation, lightness),
		 part_of(8, hue, saturation, lightness), part_of(4, hue, saturation, lightness));
	markup_put(out, text);
}
