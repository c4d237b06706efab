/* SPDX-License-Identifier: MIT */
/*
 * jfc_write.c - write settings as .jfc, byte for byte as `jfr configure`
 *
 * With one exception: characters beyond U+FFFF, which the JDK writes as two
 * halves that no XML reader takes.
 */
#include <stdio.h>
#include <string.h>

#include "settings/formats.h"

static void put(struct buffer *b, const char *text)
{
	buffer_put(b, text, strlen(text));
}

static void put_indent(struct buffer *b, unsigned depth)
{
	while (depth--)
		put(b, "  ");
}

/* Text ----------------------------------------------------------------------------------------- */

/* The number of the character that these bytes of UTF-8 are, and how many. */
static uint32_t decode(const char *text, size_t *len)
{
	const unsigned char *s = (const unsigned char *)text;
	uint32_t c = s[0] < 0xe0 ? s[0] & 0x1f : s[0] < 0xf0 ? s[0] & 0x0f : s[0] & 0x07;

	for (*len = 1; (s[*len] & 0xc0) == 0x80; ++*len)
		c = c << 6 | (s[*len] & 0x3f);
	return c;
}

static const char *entity(char c)
{
	switch (c) {
	case '"':
		return "&quot;";
	case '&':
		return "&amp;";
	case '\'':
		return "&apos;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	default:
		return NULL;
	}
}

static void put_escaped(struct buffer *b, const char *text)
{
	char reference[16];
	size_t len;

	for (; *text; text += len) {
		const char *name = entity(*text);

		len = 1;
		if (name) {
			put(b, name);
		} else if ((unsigned char)*text < 0x80) {
			buffer_u8(b, (uint8_t)*text);
		} else {
			snprintf(reference, sizeof(reference), "&#%u;", decode(text, &len));
			put(b, reference);
		}
	}
}

/* Attributes ----------------------------------------------------------------------------------- */

/*
 * The JDK keeps attributes in a java.util.HashMap, whose order is that of the
 * hash codes' lower bits: four of them, up to 12 entries.  Names are ASCII, as far
 * as anybody has seen.
 */
#define BUCKETS 16

static uint32_t java_hash(const char *name)
{
	uint32_t h = 0;

	for (; *name; name++)
		h = 31 * h + (unsigned char)*name;
	return h ^ h >> 16;
}

static void put_attributes(struct buffer *b, const struct element *e)
{
	for (uint32_t i = 0; i < BUCKETS && e->attributes; i++) {
		for (const struct attribute *a = e->attributes; a; a = a->next) {
			if ((java_hash(a->name) & (BUCKETS - 1)) != i)
				continue;
			put(b, " ");
			put(b, a->name);
			put(b, "=\"");
			put_escaped(b, a->value);
			put(b, "\"");
		}
	}
}

/* Elements ------------------------------------------------------------------------------------- */

/* What stands between empty lines. */
static bool is_block(const struct element *e)
{
	if (e->stray)
		return true;
	switch (e->kind) {
	case ELEMENT_SETTING:
	case ELEMENT_OPTION:
	case ELEMENT_AND:
	case ELEMENT_OR:
	case ELEMENT_NOT:
	case ELEMENT_TEST:
		return false;
	default:
		return true;
	}
}

/* The advice that the JDK puts before the root and of controls. */
static void put_comment(struct buffer *b, const struct element *e, unsigned depth)
{
	static const char *const about_file[] = {
		"Recommended way to edit .jfc files is to use the configure command of",
		"the 'jfr' tool, i.e. jfr configure, or JDK Mission Control",
		"see Window -> Flight Recorder Template Manager",
		NULL,
	};
	static const char *const about_control[] = {
		"Contents of the control element is not read by the JVM, it's used",
		"by JDK Mission Control and the 'jfr'-tool to change settings that",
		"carry the control attribute.",
		NULL,
	};
	const char *const *lines = e->kind == ELEMENT_CONFIGURATION ? about_file : about_control;

	if (e->stray || (e->kind != ELEMENT_CONFIGURATION && e->kind != ELEMENT_CONTROL))
		return;
	put_indent(b, depth);
	put(b, "<!--\n");
	for (; *lines; lines++) {
		put_indent(b, depth);
		put(b, *lines);
		put(b, "\n");
	}
	put(b, "\n");
	put_indent(b, depth);
	put(b, "-->\n");
}

static void put_element(struct buffer *b, const struct element *e, unsigned depth);

static void put_children(struct buffer *b, const struct element *e, unsigned depth)
{
	put(b, is_block(e->first) ? "\n\n" : "\n");
	for (const struct element *c = e->first; c; c = c->next) {
		put_element(b, c, depth);
		if (is_block(c))
			put(b, "\n");
	}
}

static void put_element(struct buffer *b, const struct element *e, unsigned depth)
{
	put_comment(b, e, depth);
	put_indent(b, depth);
	put(b, "<");
	put(b, e->name);
	put_attributes(b, e);
	if (!e->first && !*e->text) {
		put(b, "/>\n");
		return;
	}
	put(b, ">");
	put_escaped(b, e->text);
	if (e->first) {
		put_children(b, e, depth + 1);
		put_indent(b, depth);
	}
	put(b, "</");
	put(b, e->name);
	put(b, ">\n");
}

void jfc_write(struct buffer *b, const struct element *root)
{
	put(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	put_element(b, root, 0);
}
