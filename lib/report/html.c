/* SPDX-License-Identifier: MIT */
/*
 * html.c - markup and texts of the page
 */
#include "report/html.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void html_putf(struct html *h, const char *format, ...)
{
	char text[1024];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (len > 0)
		out_put(h->out, text,
			(size_t)len < sizeof(text) ? (size_t)len : sizeof(text) - 1);
}

void html_begin_section(struct html *h, const char *id, const char *title)
{
	html_putf(h, "<section class=\"part\" aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n", id, id,
		  title);
}

void html_end_section(struct html *h)
{
	html_put(h, "</section>\n");
}

/* Texts of the recording ----------------------------------------------------------------------- */

/* Texts are looked at so far, and shown so far. */
#define MOST_LOOKED 65536
#define MOST_SHOWN 600

/* The place after so many bytes, or before the character there. */
static size_t cut_at(const char *text, size_t len, size_t most)
{
	if (len <= most)
		return len;
	while (most && ((unsigned char)text[most] & 0xc0) == 0x80)
		most--;
	return most;
}

void html_put_text_at(struct html *h, const struct text_spot *spot, const char *text, size_t len)
{
	const char *shown;
	size_t end;

	buffer_clear(&h->cell);
	buffer_put(&h->cell, text, cut_at(text, len, MOST_LOOKED));
	buffer_u8(&h->cell, 0);
	if (h->cell.failed)
		return;
	shown = secrets_redact(&h->report->secrets, spot, (const char *)h->cell.data);
	len = strlen(shown);
	end = cut_at(shown, len, MOST_SHOWN);
	if (end == len) {
		markup_put_text(h->out, shown);
		return;
	}
	/* What was redacted may lie in the cell or in the report's room. */
	if (shown == (const char *)h->cell.data) {
		h->cell.data[end] = '\0';
		markup_put_text(h->out, shown);
	} else {
		buffer_clear(&h->cell);
		buffer_put(&h->cell, shown, end);
		buffer_u8(&h->cell, 0);
		if (!h->cell.failed)
			markup_put_text(h->out, (const char *)h->cell.data);
	}
	html_put(h, "\xe2\x80\xa6");
}

void html_put_text(struct html *h, const char *text)
{
	html_put_text_at(h, &(struct text_spot){ 0 }, text, strlen(text));
}
