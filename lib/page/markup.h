/* SPDX-License-Identifier: MIT */
/*
 * markup.h - text for HTML and SVG
 */
#ifndef JFREC_PAGE_MARKUP_H
#define JFREC_PAGE_MARKUP_H

#include "base/buffer.h"
#include "base/out.h"

/* Markup of our own, as it is. */
void markup_put(struct out *out, const char *text);

/*
 * Text of a recording, which ends in NUL: it stays text, in an element and in an attribute. What
 * is not UTF-8, control characters and those that turn the direction of writing become U+FFFD.
 */
void markup_put_text(struct out *out, const char *text);

/* The same characters without markup's escapes, for what a script shows. */
void markup_clean(struct buffer *to, const char *text);

#endif
