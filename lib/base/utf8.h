/* SPDX-License-Identifier: MIT */
/*
 * utf8.h - validate UTF-8
 */
#ifndef JFREC_BASE_UTF8_H
#define JFREC_BASE_UTF8_H

#include <stddef.h>

/*
 * Length of the character that a string has here, 1 to 4; 0 if its bytes are none:
 * cut short, a surrogate, longer than need be, or beyond U+10FFFF.
 */
size_t utf8_length(const char *s);

#endif
