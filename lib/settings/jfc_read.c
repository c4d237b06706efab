/* SPDX-License-Identifier: MIT */
/*
 * jfc_read.c - read settings from .jfc files
 *
 * They may come from anyone, so nothing is fetched or expanded: a document type, the
 * only place that can declare entities or name other files, ends the reading.
 *
 * Text is gathered as the JDK does it: what stands before the end of an element belongs to
 * the first element that ends there.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "settings/formats.h"
#include "settings/grammar.h"
#include "settings/libxml2.h"

/* The grammar has six at most; see jfc_write.c. */
#define MAX_ATTRIBUTES 12

struct reader {
	const struct libxml2 *xml;
	xmlParserCtxtPtr parser;
	const char *bytes, *counted; /* the file; up to where line and column are known */
	size_t len;
	unsigned line, column;
	struct arena *arena;
	struct element *root, *at; /* at: the one that has not ended */
	struct buffer text;
	unsigned depth, count;
	bool failed; /* *err is set */
	struct jfrec_error *err;
};

static void stop(struct reader *r)
{
	r->failed = true;
	r->xml->stop(r->parser);
}

/*
 * Make line and column those of the tag at hand.  The parser is at its end and tells
 * only that; but the last `<` before it is where it begins.
 */
static void find_tag(struct reader *r)
{
	long end = r->xml->consumed(r->parser);
	const char *tag = NULL;

	if (end > 0)
		tag = memrchr(r->bytes, '<', (size_t)end < r->len ? (size_t)end : r->len);
	for (; tag && r->counted < tag; r->counted++) {
		if (*r->counted == '\n') {
			r->line++;
			r->column = 1;
		} else {
			r->column += (*r->counted & 0xc0) != 0x80;
		}
	}
}

static void fail(struct reader *r, enum jfrec_code code, const char *text)
{
	if (r->failed)
		return;
	find_tag(r);
	jfrec_fail(r->err, code, JFREC_NO_OFFSET, "line %u, column %u: %s", r->line, r->column,
		   text);
	stop(r);
}

static void fail_memory(struct reader *r)
{
	if (!r->failed)
		jfrec_fail_memory(r->err);
	stop(r);
}

/* What the parser tells ------------------------------------------------------------------------ */

static void on_document_type(void *ctx, const xmlChar *name, const xmlChar *public_id,
			     const xmlChar *system_id)
{
	(void)name;
	(void)public_id;
	(void)system_id;
	fail(ctx, JFREC_EFORMAT, "a document type (<!DOCTYPE) is not allowed here");
}

static void take_attributes(struct reader *r, struct element *e, const xmlChar **attributes)
{
	unsigned count = 0;

	for (; attributes && *attributes && !r->failed; attributes += 2) {
		if (++count > MAX_ATTRIBUTES)
			fail(r, JFREC_EINVAL, "an element with more than 12 attributes");
		else if (element_set(r->arena, e, (const char *)attributes[0],
				     (const char *)attributes[1]) < 0)
			fail_memory(r);
	}
}

static void on_start(void *ctx, const xmlChar *name, const xmlChar **attributes)
{
	struct reader *r = ctx;
	struct element *e;

	if (r->failed)
		return;
	if (++r->depth > SETTINGS_MAX_DEPTH) {
		fail(r, JFREC_EINVAL, "this is nested too deeply");
		return;
	}
	if (++r->count > SETTINGS_MAX_ELEMENTS) {
		fail(r, JFREC_EINVAL, "the file has too many elements");
		return;
	}
	e = element_add(r->arena, r->at, (const char *)name);
	if (!e) {
		fail_memory(r);
		return;
	}
	find_tag(r);
	e->line = r->line;
	e->column = r->column;
	if (!r->root)
		r->root = e;
	r->at = e;
	take_attributes(r, e, attributes);
}

static void on_end(void *ctx, const xmlChar *name)
{
	struct reader *r = ctx;

	(void)name;
	if (r->failed)
		return;
	if (element_set_text(r->arena, r->at, (const char *)r->text.data, r->text.len) < 0) {
		fail_memory(r);
		return;
	}
	buffer_clear(&r->text);
	r->at = r->at->parent;
	r->depth--;
}

static void on_text(void *ctx, const xmlChar *text, int len)
{
	struct reader *r = ctx;

	buffer_put(&r->text, text, (size_t)len);
	if (r->text.failed)
		fail_memory(r);
}

/* What libxml2 says in terms of its own, or differently from version to version. */
static const struct {
	int code;
	const char *text;
} sentences[] = {
	{ XML_ERR_ATTRIBUTE_NOT_STARTED, "the value of an attribute must be in quotes" },
	{ XML_ERR_ATTRIBUTE_REDEFINED, "an attribute occurs twice" },
	{ XML_ERR_ENTITYREF_SEMICOL_MISSING, "a & that begins no reference; write &amp;" },
	{ XML_ERR_UNDECLARED_ENTITY, "an entity that is not one of XML's own" },
	{ XML_WAR_UNDECLARED_ENTITY, "an entity that is not one of XML's own" },
	{ XML_ERR_COMMENT_NOT_FINISHED, "a comment that does not end" },
	{ XML_ERR_INVALID_CHAR, "not an XML character" },
};

/* Its own sentences end with a line feed. */
static void describe(const struct reader *r, const xmlError *e, char *text, size_t size)
{
	const char *message = e->message ? e->message : "this is not XML";

	for (size_t i = 0; i < sizeof(sentences) / sizeof(*sentences); i++) {
		if (e->code == sentences[i].code) {
			snprintf(text, size, "%s", sentences[i].text);
			return;
		}
	}
	if (r->at && e->code == XML_ERR_TAG_NAME_MISMATCH)
		snprintf(text, size, "another element ends before <%.100s> of line %u does",
			 r->at->name, r->at->line);
	else if (r->at && e->code == XML_ERR_DOCUMENT_END)
		snprintf(text, size, "it ends before <%.100s> of line %u does", r->at->name,
			 r->at->line);
	else if (r->root && e->code == XML_ERR_DOCUMENT_END)
		snprintf(text, size, "there is more text after the end");
	else
		snprintf(text, size, "%.*s", (int)strcspn(message, "\n"), message);
}

/* The first error counts: others often follow from it. */
static void on_error(void *ctx, const char *format, ...)
{
	struct reader *r = ctx;
	const xmlError *e = r->xml->last_error(r->parser);
	char text[200];

	(void)format;
	if (r->failed || !e)
		return;
	if (e->code == XML_ERR_NO_MEMORY) {
		fail_memory(r);
		return;
	}
	describe(r, e, text, sizeof(text));
	jfrec_fail(r->err, JFREC_EFORMAT, JFREC_NO_OFFSET, "line %d, column %d: %s",
		   e->line ? e->line : 1, e->int2 ? e->int2 : 1, text);
	stop(r);
}

static void on_warning(void *ctx, const char *format, ...)
{
	(void)ctx;
	(void)format;
}

static xmlEntityPtr no_entity(void *ctx, const xmlChar *name)
{
	(void)ctx;
	(void)name;
	return NULL;
}

/* ---------------------------------------------------------------------------------------------- */

static int parse(struct reader *r)
{
	int ret;

	/* There are no entities but XML's own, which are wanted as what they stand for. */
	r->xml->use_options(r->parser, XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_IGNORE_ENC);
	ret = r->xml->parse(r->parser, r->bytes, (int)r->len, 1);
	if (r->failed)
		return -1;
	if (ret != 0 || !r->root || r->at)
		return jfrec_fail(r->err, JFREC_EFORMAT, JFREC_NO_OFFSET, "line 1: this is not "
									  "XML");
	if (r->root->kind != ELEMENT_CONFIGURATION) {
		element_fail(r->root, r->err, "Expected root element to be named 'configuration'");
		if (r->err)
			r->err->code = JFREC_EFORMAT;
		return -1;
	}
	return grammar_check(r->root, r->err);
}

struct element *jfc_read(struct arena *a, const char *bytes, size_t len, struct jfrec_error *err)
{
	xmlSAXHandler sax = {
		.internalSubset = on_document_type,
		.getEntity = no_entity,
		.startElement = on_start,
		.endElement = on_end,
		.characters = on_text,
		.cdataBlock = on_text,
		.ignorableWhitespace = on_text,
		.warning = on_warning,
		.error = on_error,
		.fatalError = on_error,
	};
	struct reader r = {
		.xml = libxml2_load(err),
		.bytes = bytes,
		.counted = bytes,
		.len = len,
		.line = 1,
		.column = 1,
		.arena = a,
		.err = err,
	};
	int ret = -1;

	if (!r.xml)
		return NULL;
	r.parser = r.xml->open(&sax, &r, NULL, 0, NULL);
	if (r.parser)
		ret = parse(&r);
	else
		jfrec_fail_memory(err);
	r.xml->close(r.parser);
	buffer_fini(&r.text);
	return ret < 0 ? NULL : r.root;
}
