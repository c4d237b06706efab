/* SPDX-License-Identifier: MIT */
/*
 * html.c - markup and texts of the page
 */
#include "report/html.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report/shown_texts.h"

/* The length of what fits. */
__attribute__((format(printf, 3, 0)))
static size_t format_text(char *text, size_t size, const char *format, va_list args)
{
	int len = vsnprintf(text, size, format, args);

	if (len < 0)
		return 0;
	return (size_t)len < size ? (size_t)len : size - 1;
}

void html_putf(struct html *h, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	out_put(h->out, text, format_text(text, sizeof(text), format, args));
	va_end(args);
}

void html_data(struct html *h, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	buffer_put(&h->data, text, format_text(text, sizeof(text), format, args));
	va_end(args);
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

void html_put_heading(struct html *h, const char *title, size_t jvm)
{
	markup_put_text(h->out, title);
	if (report_jvms(h->report) < 2)
		return;
	html_put(h, " <span class=\"whose\">");
	html_put_text(h, report_jvm_label(h->report, jvm));
	html_put(h, "</span>");
}

void html_put_sentence(struct html *h, const char *text)
{
	char part[1024];

	for (bool is_code = false; *text; is_code = !is_code) {
		const char *end = strchrnul(text, '`');

		snprintf(part, sizeof(part), "%.*s", (int)(end - text), text);
		html_put(h, is_code ? "<code>" : "");
		markup_put_text(h->out, part);
		html_put(h, is_code ? "</code>" : "");
		text = *end ? end + 1 : end;
	}
}

/* Texts of the recording ----------------------------------------------------------------------- */

/* Bytes of a text. */
#define MOST_SHOWN 600

void html_put_text_at(struct html *h, const struct text_spot *spot, const char *text, size_t len)
{
	bool is_cut;
	const char *shown = report_shown(h->report, spot, text, len, MOST_SHOWN, &h->cell, &is_cut);

	if (shown)
		markup_put_text(h->out, shown);
	if (is_cut)
		html_put(h, "\xe2\x80\xa6");
}

void html_put_text(struct html *h, const char *text)
{
	html_put_text_at(h, &(struct text_spot){ 0 }, text, strlen(text));
}

void html_put_said(struct html *h, const char *text)
{
	bool is_cut;
	const char *shown = report_shown(h->report, &(struct text_spot){ 0 }, text, strlen(text),
					 MOST_SHOWN, &h->cell, &is_cut);

	if (shown)
		html_put_sentence(h, shown);
	if (is_cut)
		html_put(h, "\xe2\x80\xa6");
}
