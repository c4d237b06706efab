/* SPDX-License-Identifier: MIT */
/*
 * fail.c - fill the error of a caller, or report it where there is none
 */
#include "recorder/ground/fail.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MOST_OF_PATH 90u

int recorder_fail(struct jfrec_recorder_error *err, int sys, const char *format, ...)
{
	va_list args;

	if (!err)
		return -1;
	err->sys = sys;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	return -1;
}

const char *fail_tail(const char *path)
{
	size_t len = strlen(path);

	return len > MOST_OF_PATH ? path + len - MOST_OF_PATH : path;
}

static bool is_reporting;

/* How many bytes a character has that a terminal shows: 0 is none, or one that it obeys. */
static size_t shown_length(const unsigned char *c)
{
	size_t len = c[0] < 0x80   ? 1
		     : c[0] < 0xc2 ? 0
		     : c[0] < 0xe0 ? 2
		     : c[0] < 0xf0 ? 3
		     : c[0] < 0xf5 ? 4
				   : 0;

	if (c[0] < 0x20 || c[0] == 0x7f || (c[0] == 0xc2 && c[1] < 0xa0))
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((c[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

/* Of what it has from the variable, and of paths, anything may be in it. */
void fail_report(const struct jfrec_recorder_error *err)
{
	const unsigned char *from = (const unsigned char *)err->text;
	char text[sizeof(err->text)];
	size_t len = 0, n;

	if (!is_reporting)
		return;
	for (; *from; from += n ? n : 1) {
		n = shown_length(from);
		if (n)
			memcpy(text + len, from, n);
		else
			text[len] = '?';
		len += n ? n : 1;
	}
	fprintf(stderr, "jfrec-recorder: JFREC_RECORD: %.*s\n", (int)len, text);
}

void fail_report_from_now(void)
{
	is_reporting = true;
}
