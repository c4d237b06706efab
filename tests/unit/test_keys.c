/* SPDX-License-Identifier: MIT */
/* test_keys.c - what a terminal sends for a key */
#include "base/keys.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *bytes;
	int key;
	size_t used;
} rows[] = {
	{ "letter", "q", 'q', 1 },
	{ "letter_before_others", "cq", 'c', 1 },
	{ "enter", "\r", KEY_ENTER, 1 },
	{ "line_feed", "\n", KEY_ENTER, 1 },
	{ "backspace", "\x7f", KEY_BACKSPACE, 1 },
	{ "control_h", "\b", KEY_BACKSPACE, 1 },
	{ "escape_alone", "\x1b", KEY_ESCAPE, 1 },
	{ "up", "\x1b[A", KEY_UP, 3 },
	{ "up_of_applications", "\x1bOA", KEY_UP, 3 },
	{ "up_then_down", "\x1b[A\x1b[B", KEY_UP, 3 },
	{ "page_up", "\x1b[5~", KEY_PAGE_UP, 4 },
	{ "page_down", "\x1b[6~x", KEY_PAGE_DOWN, 4 },
	{ "home_of_the_linux_console", "\x1b[1~", KEY_HOME, 4 },
	{ "with_shift", "\x1b[5;2~", KEY_OTHER, 6 },
	{ "delete", "\x1b[3~", KEY_OTHER, 4 },
	{ "number_without_end", "\x1b[99999999999999999999~", KEY_OTHER, 23 },
	{ "mouse", "\x1b[<0;1;1M", KEY_OTHER, 9 },
	{ "cut_short", "\x1b[5", KEY_OTHER, 3 },
	{ "bracket_alone", "\x1b[", KEY_OTHER, 2 },
	{ "with_alt", "\x1bx", KEY_OTHER, 2 },
	{ "beyond_ascii", "\xc3\xa4", KEY_OTHER, 1 },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size_t len = strlen(rows[i].bytes), used;
		char *bytes = malloc(len); /* so that sanitizers see a byte too far */
		int key;

		test_begin(rows[i].name);
		memcpy(bytes, rows[i].bytes, len);
		used = key_decode(bytes, len, &key);
		CHECK(key == rows[i].key);
		CHECK(used == rows[i].used);
		free(bytes);
	}
	return test_end();
}
