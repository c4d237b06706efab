/* SPDX-License-Identifier: MIT */
/*
 * html_document.h - a page of HTML that needs only a browser
 *
 *	html_document_begin() -> head, style, body, title
 *	-> the caller's elements
 *	-> html_document_end()
 *
 * The policy in the head names style and script by their hashes, so that nothing else that might
 * come into the page is ever run.
 */
#ifndef JFREC_PAGE_HTML_DOCUMENT_H
#define JFREC_PAGE_HTML_DOCUMENT_H

#include "base/buffer.h"
#include "base/out.h"

/* What a page is made of: texts that follow each other, NULL after the last. */
struct html_document {
	const char *title;
	const char *note; /* a warning under the title; or NULL */
	const char *const *styles, *const *scripts;
};

/* All up to the caller's elements; the header is left open for more. */
void html_document_begin(const struct html_document *d, struct out *out);
/* The end of the header, with the place where the scripts say that they failed. */
void html_document_end_header(struct out *out);
/* The scripts, and the end. */
void html_document_end(const struct html_document *d, struct out *out);

/* Bytes as the text of a script element that is data: deflated, in base64. 0, or -1: no memory. */
int html_document_put_data(const char *id, const struct buffer *data, struct out *out);

#endif
