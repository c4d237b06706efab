/* SPDX-License-Identifier: MIT */
/*
 * encoded.h - find secrets that are encoded in other texts
 */
#ifndef JFREC_SCRUB_ENCODED_H
#define JFREC_SCRUB_ENCODED_H

#include "base/buffer.h"
#include "scrub/text_set.h"

/*
 * Add to the set what becomes of a text in base64, at each place among other bytes,
 * in hexadecimal digits, URLs, JSON, XML and UTF-16.  Of a very long text its
 * beginning.
 */
void encoded_add(struct text_set *h, const uint8_t *text, size_t len);

/*
 * The text that another one stands for, if that has signs of an encoding in it: %41,
 * \u0041, &amp; or base64 of user:password, of which it is the password.  In *to;
 * false if there is none.
 */
bool encoded_decode(const char *text, size_t len, struct buffer *to);

/*
 * The text without escapes of what needs none: "pass\u0077ord", "&#112;assword", "%70assword",
 * "password\u003dx".  Append it to *to; false if the text has no such escapes.
 */
bool encoded_unescape(const char *text, size_t len, struct buffer *to);

#endif
