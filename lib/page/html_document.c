/* SPDX-License-Identifier: MIT */
/*
 * html_document.c - a page of HTML that needs only a browser
 */
#include "page/html_document.h"

#include <string.h>

#include "base/base64.h"
#include "base/sha256.h"
#include "output/compress.h"
#include "page/markup.h"

static void put_base64(struct out *out, const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i += 3) {
		size_t n = len - i < 3 ? len - i : 3;
		uint32_t v = (uint32_t)bytes[i] << 16 | (n > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
			     (n > 2 ? bytes[i + 2] : 0);

		out_char(out, base64_letter(v >> 18, false));
		out_char(out, base64_letter(v >> 12 & 63, false));
		out_char(out, n > 1 ? base64_letter(v >> 6 & 63, false) : '=');
		out_char(out, n > 2 ? base64_letter(v & 63, false) : '=');
	}
}

static void put_texts(struct out *out, const char *const *texts)
{
	for (; *texts; texts++)
		markup_put(out, *texts);
}

/* What a browser compares with the text of an element before it takes it. */
static void put_hash(struct out *out, const char *const *texts)
{
	uint8_t hash[SHA256_SIZE];
	struct sha256 s;

	sha256_init(&s);
	for (; *texts; texts++)
		sha256_update(&s, *texts, strlen(*texts));
	sha256_final(&s, hash);
	markup_put(out, "'sha256-");
	put_base64(out, hash, sizeof(hash));
	markup_put(out, "'");
}

void html_document_begin(const struct html_document *d, struct out *out)
{
	markup_put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
			"base-uri 'none'; form-action 'none'; img-src data:; style-src ");
	put_hash(out, d->styles);
	markup_put(out, "; script-src ");
	put_hash(out, d->scripts);
	markup_put(out, "\">\n<meta name=\"viewport\" content=\"width=device-width, "
			"initial-scale=1\">\n<title>");
	markup_put_text(out, d->title);
	markup_put(out, "</title>\n<style>");
	put_texts(out, d->styles);
	markup_put(out, "</style>\n</head>\n<body>\n<header>\n<h1>");
	markup_put_text(out, d->title);
	markup_put(out, "</h1>\n");
	if (d->note) {
		markup_put(out, "<p class=\"warn\">");
		markup_put_text(out, d->note);
		markup_put(out, "</p>\n");
	}
}

void html_document_end_header(struct out *out)
{
	markup_put(out, "<p class=\"warn\" id=\"failed\" role=\"alert\" hidden></p>\n</header>\n");
}

void html_document_end(const struct html_document *d, struct out *out)
{
	markup_put(out, "<script>");
	put_texts(out, d->scripts);
	markup_put(out, "</script>\n</body>\n</html>\n");
}

/* jfrec_write_fn: keep what the compressor writes. */
static int keep(void *ctx, const void *data, size_t len)
{
	struct buffer *b = ctx;

	buffer_put(b, data, len);
	return 0;
}

int html_document_put_data(const char *id, const struct buffer *data, struct out *out)
{
	struct buffer packed = { 0 };
	struct compressor *c = compressor_deflate(keep, &packed);
	int ret = -1;

	if (c && c->write(c, data->data, data->len) == 0 && c->end(c) == 0 && !packed.failed) {
		markup_put(out, "<script type=\"application/octet-stream\" id=\"");
		markup_put(out, id);
		markup_put(out, "\">");
		put_base64(out, packed.data, packed.len);
		markup_put(out, "</script>\n");
		ret = 0;
	}
	if (c)
		c->free(c);
	buffer_fini(&packed);
	return ret;
}
