/* SPDX-License-Identifier: MIT */
/*
 * json_out.h - write JSON piece by piece
 */
#ifndef JFREC_PAGE_JSON_OUT_H
#define JFREC_PAGE_JSON_OUT_H

#include "base/out.h"

/*
 * A text in quotes. Bytes that are not UTF-8 are replaced; what a terminal could act on is escaped.
 */
void json_put_text(struct out *out, const char *text, size_t len);

/* The same of a text that ends in NUL. */
void json_put_string(struct out *out, const char *text);

void json_put_integer(struct out *out, int64_t v);

/* Nanoseconds as milliseconds, to the last digit: 1500000 is 1.5. */
void json_put_ms(struct out *out, int64_t ns);

/* Text that is JSON already. */
static inline void json_put(struct out *out, const char *text)
{
	out_put(out, text, strlen(text));
}

/* A comma before all but the first item. */
static inline void json_put_comma(struct out *out, bool *has_any)
{
	if (*has_any)
		out_char(out, ',');
	*has_any = true;
}

#endif
