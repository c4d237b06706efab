/* SPDX-License-Identifier: MIT */
/*
 * xml.c - print --xml, as JDK 25
 *
 * What follows a start tag's attributes depends on the value: null closes
 * the tag.  So a template's literal ends before the ">", and the value
 * begins with it; the text of a constant reaches to the end of its element.
 *
 * JDK 25 writes control characters as they are, and characters beyond the BMP
 * as two surrogates: no XML parser takes either.  We write U+FFFD for the
 * former, as JDK 28, and one reference for the latter.
 */
#include "base/number.h"
#include "print/escape.h"
#include "print/times.h"

static const char nil[] = " xsi:nil=\"true\"/>\n";

#define REPLACEMENT "\xef\xbf\xbd"

/* Bytes of a string that need a second look. */
static inline uint64_t marks(uint64_t eight)
{
	return (eight | below(eight, 0x20) | equal(eight, '"') | equal(eight, '&') |
		equal(eight, '\'') | equal(eight, '<') | equal(eight, '>')) &
	       HIGHEST_BITS;
}

/* The longest is "&#1114111;". */
#define ESCAPE_MAX 12

static char *append(char *at, const char *s)
{
	return stpcpy(at, s);
}

static char *put_escaped(char *at, int32_t c)
{
	switch (c) {
	case '"':
		return append(at, "&quot;");
	case '&':
		return append(at, "&amp;");
	case '\'':
		return append(at, "&apos;");
	case '<':
		return append(at, "&lt;");
	case '>':
		return append(at, "&gt;");
	case '\t':
	case '\n':
	case '\r':
		*at++ = (char)c;
		return at;
	}
	if (c < 0x20 || (c & 0xfffff800) == 0xd800)
		return append(at, REPLACEMENT);
	if (c < 0x80) {
		*at++ = (char)c;
		return at;
	}
	at = append(at, "&#");
	at = put_u64(at, (uint64_t)c);
	*at++ = ';';
	return at;
}

static void put_string(struct render *r, const struct op *op, const uint64_t *slots)
{
	struct string s;

	if (slot_string(r, slots[op->slot], &s)) {
		out_char(&r->out, '>');
		put_escaped_string(r, s, marks, put_escaped);
		OUT_STR(&r->out, "</value>\n");
	} else if (s.encoding == STRING_KEY && op->site) {
		render_constant(r, op->site, s.key);
	} else {
		OUT_STR(&r->out, nil);
	}
}

static void put_char(struct render *r, const struct op *op, const uint64_t *slots)
{
	out_end(&r->out, put_escaped(out_room(&r->out), (int32_t)slots[op->slot]));
}

static void put_double(struct render *r, const struct op *op, const uint64_t *slots)
{
	out_end(&r->out, put_java_double(out_room(&r->out), slot_double(slots[op->slot])));
}

static void put_float(struct render *r, const struct op *op, const uint64_t *slots)
{
	out_end(&r->out, put_java_float(out_room(&r->out), slot_float(slots[op->slot])));
}

static void put_timespan(struct render *r, const struct op *op, const uint64_t *slots)
{
	out_end(&r->out, put_iso_timespan_slot(r, out_room(&r->out), op, slots[op->slot]));
}

static void put_timestamp(struct render *r, const struct op *op, const uint64_t *slots)
{
	out_end(&r->out, put_iso_timestamp_slot(r, out_room(&r->out), op, slots[op->slot]));
}

static void put_attribute(struct render *r, const char *start, uint64_t value)
{
	out_put(&r->out, start, strlen(start));
	out_end(&r->out, put_u64(out_room(&r->out), value));
	out_char(&r->out, '"');
}

/* The literal in front has the array's start tag up to its name. */
static void put_array(struct render *r, const struct op *op, const uint64_t *slots)
{
	struct elements e;

	elements_begin(r, op, slots, &e);
	put_attribute(r, " size=\"", e.count);
	OUT_STR(&r->out, ">\n");
	while (!is_beyond_depth(r, op, e.index) && elements_next(op, &e)) {
		out_put(&r->out, op->before, op->before_len);
		put_attribute(r, " index=\"", e.index - 1);
		render_ops(r, op->element_ops, e.slots);
	}
	elements_end(r, op, &e);
}

/* Building ------------------------------------------------------------------------------------- */

static const struct leaves leaves = {
	.character = put_char,
	.float32 = put_float,
	.float64 = put_double,
	.string = put_string,
	.timespan = put_timespan,
	.timestamp = put_timestamp,
};

/* Is a value of the type shown as text, or as a struct with fields? */
static bool is_text(const struct jfrec_type *t)
{
	return t->wire != WIRE_NONE || is_wrapper(t) || t->field_count == 0;
}

static const char *element_name(const struct jfrec_type *t)
{
	return is_text(t) ? "value" : "struct";
}

/* What may be null, a string, closes its element itself. */
static void build_text_value(struct builder *b, const struct jfrec_type *t,
			     const struct jfrec_field *f, unsigned slot)
{
	if (t->wire != WIRE_STRING)
		build_text(b, ">");
	build_leaf(b, &leaves, t, f, slot);
	if (t->wire != WIRE_STRING)
		build_text(b, "</value>\n");
}

static void build_element_end(struct builder *b, const char *name, unsigned indent)
{
	build_indent(b, indent);
	build_text(b, "</");
	build_text(b, name);
	build_text(b, ">\n");
}

static void build_field(struct builder *b, const struct jfrec_field *f, unsigned slot,
			unsigned indent);

static void build_fields(struct builder *b, const struct jfrec_type *t, unsigned slot,
			 unsigned indent)
{
	const struct plan *plan = plan_of(t);

	for (unsigned i = 0; i < t->field_count; i++)
		build_field(b, &t->fields[i], slot + plan->first_step[i], indent);
}

static void build_single(struct builder *b, const struct jfrec_field *f, unsigned slot,
			 unsigned indent);

/* The rest of an element whose start tag is open, of slots that are the value's own. */
static void build_inline(struct builder *b, const struct jfrec_type *t, const struct jfrec_field *f,
			 unsigned slot, unsigned indent)
{
	if (t->wire != WIRE_NONE) {
		build_text_value(b, t, f, slot);
	} else if (is_wrapper(t)) {
		build_single(b, &t->fields[0], slot, indent);
	} else if (t->field_count == 0) {
		build_text(b, nil);
	} else {
		build_text(b, ">\n");
		build_fields(b, t, slot, indent + 2);
		build_element_end(b, "struct", indent);
	}
}

static void build_single(struct builder *b, const struct jfrec_field *f, unsigned slot,
			 unsigned indent)
{
	if (f->constant)
		build_put(b, put_constant, slot)->site =
			build_site(b, f->type, is_text(f->type) ? 0 : indent, render_constant_ops);
	else
		build_inline(b, f->type, f, slot, indent);
}

static void build_element(struct builder *b, const struct jfrec_field *f, unsigned indent)
{
	build_single(b, f, 0, indent);
}

static char *element_start(struct builder *b, const struct jfrec_type *t, unsigned indent,
			   uint32_t *len)
{
	const char *name = element_name(t);
	char *start = arena_alloc(&b->shapes->arena, indent + strlen(name) + 2);

	*len = 0;
	if (!start) {
		b->shapes->out_of_memory = true;
		return NULL;
	}
	memset(start, ' ', indent);
	start[indent] = '<';
	strcpy(start + indent + 1, name);
	*len = (uint32_t)strlen(start);
	return start;
}

static void build_field(struct builder *b, const struct jfrec_field *f, unsigned slot,
			unsigned indent)
{
	struct op *op;

	build_indent(b, indent);
	build_text(b, "<");
	build_text(b, f->array ? "array" : element_name(f->type));
	build_text(b, " name=\"");
	build_escaped(b, f->name, put_escaped);
	build_text(b, "\"");
	if (!f->array) {
		build_single(b, f, slot, indent);
		return;
	}
	op = build_array(b, put_array, f, slot, indent + 2, build_element);
	op->before = element_start(b, f->type, indent + 2, &op->before_len);
	build_element_end(b, "array", indent);
}

static void xml_constant(struct builder *b, const struct site *s)
{
	build_inline(b, s->type, NULL, 0, s->indent);
}

static void xml_event(struct builder *b, const struct jfrec_type *t)
{
	build_text(b, "    <event type=\"");
	build_escaped(b, t->name, put_escaped);
	build_text(b, "\">\n");
	build_fields(b, t, 0, 6);
	build_text(b, "    </event>\n\n");
}

static void xml_begin(struct render *r)
{
	OUT_STR(&r->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			 "<recording xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n"
			 "  <events>\n");
}

static void xml_end(struct render *r)
{
	OUT_STR(&r->out, "  </events>\n</recording>\n");
}

const struct format xml_format = {
	.null = nil,
	.separator = "",
	.begin = xml_begin,
	.end = xml_end,
	.event = xml_event,
	.constant = xml_constant,
};
