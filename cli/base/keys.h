/* SPDX-License-Identifier: MIT */
/*
 * keys.h - what a terminal sends for a key
 */
#ifndef JFREC_CLI_BASE_KEYS_H
#define JFREC_CLI_BASE_KEYS_H

#include <stddef.h>

/* A key is its character of ASCII, or one of these. */
enum key {
	KEY_ENTER = '\n',
	KEY_ESCAPE = 27,
	KEY_BACKSPACE = 127,
	KEY_OTHER = 256, /* any that is not here */
	KEY_UP,
	KEY_DOWN,
	KEY_RIGHT,
	KEY_LEFT,
	KEY_HOME,
	KEY_END,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
};

/*
 * The first key in what was read; returns how many bytes it takes, 1 at least and len at most. An
 * escape that nothing follows is the key of that name: a terminal sends all of a sequence at once.
 */
size_t key_decode(const char *bytes, size_t len, int *key);

#endif
