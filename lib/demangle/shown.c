/* SPDX-License-Identifier: MIT */
/*
 * shown.c - put together what a mangled name stands for
 */
#include "demangle/shown.h"

void shown_code_point(struct shown *s, uint32_t c)
{
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	char bytes[4];

	for (size_t i = len; i-- > 1; c >>= 6)
		bytes[i] = (char)(0x80 | (c & 0x3f));
	bytes[0] = (char)(lead[len] | c);
	shown_put(s, bytes, len);
}

void shown_number(struct shown *s, unsigned long long n)
{
	char digits[20], *at = digits + sizeof(digits);

	do {
		*--at = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	shown_put(s, at, (size_t)(digits + sizeof(digits) - at));
}
