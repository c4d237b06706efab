/* SPDX-License-Identifier: MIT */
/*
 * json_text.h - helpers for both JSON formats
 */
#ifndef JFREC_PRINT_JSON_TEXT_H
#define JFREC_PRINT_JSON_TEXT_H

#include "print/escape.h"

/* Bytes of a string that need a second look. */
static inline uint64_t json_marks(uint64_t eight)
{
	return (eight | below(eight, 0x20) | equal(eight, '"') | equal(eight, '\\')) & HIGHEST_BITS;
}

/* The letter that a backslash makes this character of, or 0. */
static inline char json_letter(int32_t c)
{
	switch (c) {
	case '\b':
		return 'b';
	case '\n':
		return 'n';
	case '\t':
		return 't';
	case '\f':
		return 'f';
	case '\r':
		return 'r';
	case '"':
	case '\\':
		return (char)c;
	default:
		return 0;
	}
}

/* "\u000b"; returns the end. */
char *put_json_unit(char *at, unsigned unit);

/* JSON has no name for what is not finite. */
put_fn put_json_double, put_json_float;

#endif
