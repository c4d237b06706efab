/* SPDX-License-Identifier: MIT */
/*
 * json_out.c - write JSON piece by piece
 */
#include "page/json_out.h"

#include <stdio.h>

#include "base/number.h"
#include "base/utf8.h"
#include "page/shown.h"

static bool needs_escape(uint32_t c)
{
	return c == '"' || c == '\\' || is_unseen(c);
}

static void put_escape(struct out *out, uint32_t c)
{
	char text[16];

	if (c == '"' || c == '\\')
		snprintf(text, sizeof(text), "\\%c", (char)c);
	else if (c > 0xffff) /* a pair of surrogates */
		snprintf(text, sizeof(text), "\\u%04x\\u%04x",
			 (unsigned)(0xd800 + ((c - 0x10000) >> 10)),
			 (unsigned)(0xdc00 + ((c - 0x10000) & 0x3ff)));
	else
		snprintf(text, sizeof(text), "\\u%04x", (unsigned)c);
	out_put(out, text, strlen(text));
}

void json_put_text(struct out *out, const char *text, size_t len)
{
	const char *end = text + len;

	out_char(out, '"');
	while (text < end) {
		size_t n = utf8_length(text);
		uint32_t c = 0xfffd;

		if (n && n <= (size_t)(end - text))
			c = code_point((const unsigned char *)text, n);
		else
			n = 0;
		if (!n || needs_escape(c))
			put_escape(out, c);
		else
			out_put(out, text, n);
		text += n ? n : 1;
	}
	out_char(out, '"');
}

void json_put_string(struct out *out, const char *text)
{
	json_put_text(out, text, strlen(text));
}

void json_put_integer(struct out *out, int64_t v)
{
	out_end(out, put_i64(out_room(out), v));
}

void json_put_ms(struct out *out, int64_t ns)
{
	uint64_t magnitude = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	uint32_t rest = (uint32_t)(magnitude % 1000000);
	char *at = out_room(out);

	if (ns < 0)
		*at++ = '-';
	at = put_u64(at, magnitude / 1000000);
	if (rest) {
		*at++ = '.';
		at = put_digits(at, rest, 6);
		while (at[-1] == '0')
			at--;
	}
	out_end(out, at);
}
