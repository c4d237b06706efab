/* SPDX-License-Identifier: MIT */
/*
 * keys.c - what a terminal sends for a key
 *
 *	ESC [ A   ESC O A	an arrow; O where the terminal is in its mode for applications
 *	ESC [ 5 ~		a key with a number; "5;2~" with shift, which is another key
 *
 * (ECMA-48 5.4: parameters are bytes 0x30 to 0x3f, a byte from 0x40 to 0x7e ends the sequence.)
 */
#include "base/keys.h"

#include <stdlib.h>

static const struct {
	char final;
	unsigned number; /* with '~' */
	enum key key;
} sequences[] = {
	{ 'A', 0, KEY_UP },	{ 'B', 0, KEY_DOWN },	 { 'C', 0, KEY_RIGHT },
	{ 'D', 0, KEY_LEFT },	{ 'H', 0, KEY_HOME },	 { 'F', 0, KEY_END },
	{ '~', 1, KEY_HOME },	{ '~', 7, KEY_HOME },	 { '~', 4, KEY_END },
	{ '~', 8, KEY_END },	{ '~', 5, KEY_PAGE_UP }, { '~', 6, KEY_PAGE_DOWN },
};

static int key_of(char final, unsigned number)
{
	for (size_t i = 0; i < sizeof(sequences) / sizeof(*sequences); i++) {
		if (sequences[i].final == final &&
		    (final != '~' || sequences[i].number == number))
			return (int)sequences[i].key;
	}
	return KEY_OTHER;
}

/* What follows an escape and a bracket, up to its end. */
static size_t decode_sequence(const char *bytes, size_t len, int *key)
{
	unsigned number = 0;
	size_t at = 2;

	for (; at < len && bytes[at] >= 0x20 && bytes[at] < 0x40; at++) {
		if (bytes[at] >= '0' && bytes[at] <= '9' && number < 100)
			number = 10 * number + (unsigned)(bytes[at] - '0');
		else if (bytes[at] == ';')
			number += 1000; /* what is pressed beside it makes another key of it */
	}
	if (at < len)
		*key = key_of(bytes[at], number);
	return at < len ? at + 1 : at;
}

size_t key_decode(const char *bytes, size_t len, int *key)
{
	unsigned char first = (unsigned char)bytes[0];

	*key = KEY_OTHER;
	if (first == KEY_ESCAPE && len > 1 && bytes[1] == '[')
		return decode_sequence(bytes, len, key);
	if (first == KEY_ESCAPE && len > 2 && bytes[1] == 'O') {
		*key = key_of(bytes[2], 0);
		return 3;
	}
	if (first == KEY_ESCAPE && len > 1)
		return 2; /* with Alt */
	if (first == '\r')
		*key = KEY_ENTER;
	else if (first == '\b')
		*key = KEY_BACKSPACE;
	else if (first < 0x80)
		*key = first;
	return 1;
}
