/* SPDX-License-Identifier: MIT */
/*
 * json.c - print --json, byte for byte as JDK 25
 *
 * A space follows every comma that ends a line, an array's elements
 * share their brackets' lines, and all constants are written out in full.
 */
#include "print/json_text.h"
#include "print/times.h"

/* Bytes of a string that need a second look. */
static inline uint64_t marks(uint64_t eight)
{
	return json_marks(eight) | (equal(eight, '/') & HIGHEST_BITS);
}

/* The longest: a code point beyond the BMP as two escapes. */
#define ESCAPE_MAX 12

static char *put_escaped(char *at, int32_t c)
{
	char letter = c == '/' ? '/' : json_letter(c);

	if (letter) {
		*at++ = '\\';
		*at++ = letter;
	} else if (c < 0x20 || (c >= 0x80 && c < 0x10000)) {
		at = put_json_unit(at, (unsigned)c);
	} else if (c < 0x80) {
		*at++ = (char)c;
	} else {
		at = put_json_unit(at, 0xd800 + ((unsigned)(c - 0x10000) >> 10));
		at = put_json_unit(at, 0xdc00 + ((unsigned)c & 0x3ff));
	}
	return at;
}

static void put_quoted(struct render *r, struct string s)
{
	out_char(&r->out, '"');
	put_escaped_string(r, s, marks, put_escaped);
	out_char(&r->out, '"');
}

static void put_string(struct render *r, const struct op *op, const uint64_t *slots)
{
	struct string s;

	if (slot_string(r, slots[op->slot], &s))
		put_quoted(r, s);
	else if (s.encoding == STRING_KEY && op->site)
		render_constant(r, op->site, s.key);
	else
		OUT_STR(&r->out, "null");
}

static void put_char(struct render *r, const struct op *op, const uint64_t *slots)
{
	char *at = out_room(&r->out);

	*at++ = '"';
	at = put_escaped(at, (int32_t)slots[op->slot]);
	*at++ = '"';
	out_end(&r->out, at);
}

static void put_timespan(struct render *r, const struct op *op, const uint64_t *slots)
{
	char *at = out_room(&r->out);

	*at++ = '"';
	at = put_iso_timespan_slot(r, at, op, slots[op->slot]);
	*at++ = '"';
	out_end(&r->out, at);
}

static void put_timestamp(struct render *r, const struct op *op, const uint64_t *slots)
{
	char *at = out_room(&r->out);

	*at++ = '"';
	at = put_iso_timestamp_slot(r, at, op, slots[op->slot]);
	*at++ = '"';
	out_end(&r->out, at);
}

static void put_array(struct render *r, const struct op *op, const uint64_t *slots)
{
	struct elements e;

	OUT_STR(&r->out, "[");
	elements_begin(r, op, slots, &e);
	while (!is_beyond_depth(r, op, e.index) && elements_next(op, &e)) {
		if (e.index > 1)
			OUT_STR(&r->out, ", ");
		render_ops(r, op->element_ops, e.slots);
	}
	elements_end(r, op, &e);
	OUT_STR(&r->out, "]");
}

/* Building ------------------------------------------------------------------------------------- */

static const struct leaves leaves = {
	.character = put_char,
	.float32 = put_json_float,
	.float64 = put_json_double,
	.string = put_string,
	.timespan = put_timespan,
	.timestamp = put_timestamp,
};

static void build_value(struct builder *b, const struct jfrec_field *f, unsigned slot,
			unsigned indent);

static void build_fields(struct builder *b, const struct jfrec_type *t, unsigned slot,
			 unsigned indent)
{
	const struct plan *plan = plan_of(t);

	build_text(b, "{\n");
	for (unsigned i = 0; i < t->field_count; i++) {
		build_indent(b, indent + 2);
		build_text(b, "\"");
		build_escaped(b, t->fields[i].name, put_escaped);
		build_text(b, "\": ");
		build_value(b, &t->fields[i], slot + plan->first_step[i], indent + 2);
		build_text(b, i + 1 < t->field_count ? ", \n" : "\n");
	}
	build_indent(b, indent);
	build_text(b, "}");
}

/* A value of the type that is not a key: the slots are its own. */
static void build_inline(struct builder *b, const struct jfrec_type *t, const struct jfrec_field *f,
			 unsigned slot, unsigned indent)
{
	if (t->wire != WIRE_NONE)
		build_leaf(b, &leaves, t, f, slot);
	else if (is_wrapper(t))
		build_value(b, &t->fields[0], slot, indent);
	else
		build_fields(b, t, slot, indent);
}

static void build_single(struct builder *b, const struct jfrec_field *f, unsigned slot,
			 unsigned indent)
{
	if (f->constant)
		build_put(b, put_constant, slot)->site =
			build_site(b, f->type, is_wrapper(f->type) ? 0 : indent,
				   render_constant_ops);
	else
		build_inline(b, f->type, f, slot, indent);
}

static void build_element(struct builder *b, const struct jfrec_field *f, unsigned indent)
{
	build_single(b, f, 0, indent);
}

static void build_value(struct builder *b, const struct jfrec_field *f, unsigned slot,
			unsigned indent)
{
	if (f->array)
		build_array(b, put_array, f, slot, indent, build_element);
	else
		build_single(b, f, slot, indent);
}

static void json_constant(struct builder *b, const struct site *s)
{
	build_inline(b, s->type, NULL, 0, s->indent);
}

static void json_event(struct builder *b, const struct jfrec_type *t)
{
	build_text(b, "{\n      \"type\": \"");
	build_escaped(b, t->name, put_escaped);
	build_text(b, "\", \n      \"values\": ");
	build_fields(b, t, 0, 6);
	build_text(b, "\n    }");
}

static void json_begin(struct render *r)
{
	OUT_STR(&r->out, "{\n  \"recording\": {\n    \"events\": [");
}

static void json_end(struct render *r)
{
	OUT_STR(&r->out, "]\n  }\n}");
}

const struct format json_format = {
	.null = "null",
	.separator = ", ",
	.begin = json_begin,
	.end = json_end,
	.event = json_event,
	.constant = json_constant,
};
