/* SPDX-License-Identifier: MIT */
/*
 * lines.c - the lines of a text, without what a log put before them
 *
 * Containers, systemd and loggers write a time, a host or a stream before each line. What that
 * is shows the line with which a dump begins:
 *
 *	2026-11-28T01:43:00.123456Z stdout F Full thread dump OpenJDK 64-Bit Server VM (...):
 *	2026-11-28T01:43:00.12Z stdout F "main" #1 prio=5 os_prio=0 cpu=74.12ms ...
 *
 * Digits are not the same in each line, nor is their number.
 */
#include "threads/lines.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

char *lines_next(struct lines *l)
{
	char *line = l->next, *end;

	if (line >= l->end)
		return NULL;
	end = memchr(line, '\n', (size_t)(l->end - line));
	l->next = end ? end + 1 : l->end;
	end = end ? end : l->end;
	for (char *nul = line; (nul = memchr(nul, '\0', (size_t)(end - nul))) != NULL;)
		*nul = ' ';
	l->last_end = end < l->end ? end : NULL;
	l->last_cr = end > line && end[-1] == '\r';
	*end = '\0';
	if (l->last_cr)
		end[-1] = '\0';
	return line;
}

void lines_back(struct lines *l, char *line)
{
	if (l->last_end)
		*l->last_end = '\n';
	if (l->last_cr)
		(l->last_end ? l->last_end : l->end)[-1] = '\r';
	l->next = line;
}

bool lines_join(struct lines *l, char *line)
{
	char *end = line + strlen(line), *more = lines_next(l);

	if (!more)
		return false;
	/* One byte, or two where the line ended in \r\n. */
	memset(end, '\n', (size_t)(more - end));
	return true;
}

void lines_use_prefix(struct lines *l, const char *prefix, size_t len)
{
	l->prefix_len = len < sizeof(l->prefix) ? len : 0;
	memcpy(l->prefix, prefix, l->prefix_len);
}

static size_t count_digits(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && isdigit((unsigned char)text[n]))
		n++;
	return n;
}

char *lines_content(const struct lines *l, char *line)
{
	size_t in = 0, at = 0;

	while (in < l->prefix_len) {
		size_t digits = count_digits(l->prefix + in, l->prefix_len - in);

		if (digits && !isdigit((unsigned char)line[at]))
			return line;
		if (digits) {
			in += digits;
			at += count_digits(line + at, SIZE_MAX);
		} else if (line[at] == l->prefix[in]) {
			in++;
			at++;
		} else {
			/* An empty line may have lost the blanks at its end. */
			return !line[at] && l->prefix[in] == ' ' ? line + at : line;
		}
	}
	return line + at;
}
