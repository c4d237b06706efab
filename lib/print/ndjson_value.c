/* SPDX-License-Identifier: MIT */
/*
 * ndjson_value.c - format values for --ndjson: jfrec-ndjson(5)
 *
 * Other than the JDK's JSON they are short: threads, classes and methods are
 * what a reader of the line needs of them.
 */
#include "base/number.h"
#include "print/java.h"
#include "print/json_text.h"
#include "print/ndjson.h"
#include "print/times.h"

#define REPLACEMENT 0xfffd

/* Strings -------------------------------------------------------------------------------------- */

/* "\u001f" is the longest. */
#define ESCAPE_MAX 6

static char *put_escaped(char *at, int32_t c)
{
	char letter = json_letter(c);

	if (letter) {
		*at++ = '\\';
		*at++ = letter;
		return at;
	}
	if (c < 0x20)
		return put_json_unit(at, (unsigned)c);
	return put_utf8(at, (c & 0xfffff800) == 0xd800 ? REPLACEMENT : (uint32_t)c);
}

static inline __attribute__((always_inline)) void put_text(struct render *r, struct string s)
{
	put_escaped_string(r, s, json_marks, put_escaped);
}

void ndjson_put_name(struct render *r, const char *s, size_t len)
{
	put_text(r, (struct string){ STRING_UTF8, (const uint8_t *)s, len, 0 });
}

static void put_null(struct render *r)
{
	OUT_STR(&r->out, "null");
}

static void put_string(struct render *r, const struct op *op, const uint64_t *slots)
{
	struct string s;

	if (slot_string(r, slots[op->slot], &s)) {
		out_char(&r->out, '"');
		put_text(r, s);
		out_char(&r->out, '"');
	} else if (s.encoding == STRING_KEY && op->site) {
		render_constant(r, op->site, s.key);
	} else {
		put_null(r);
	}
}

static void put_char(struct render *r, const struct op *op, const uint64_t *slots)
{
	char *at = out_room(&r->out);

	*at++ = '"';
	at = put_escaped(at, (int32_t)slots[op->slot]);
	*at++ = '"';
	out_end(&r->out, at);
}

/* Times ---------------------------------------------------------------------------------------- */

static void put_timespan(struct render *r, const struct op *op, const uint64_t *slots)
{
	char *at = out_room(&r->out), *end = put_ns_timespan_slot(r, at, op, slots[op->slot]);

	if (end == at)
		put_null(r);
	else
		out_end(&r->out, end);
}

static void put_timestamp(struct render *r, const struct op *op, const uint64_t *slots)
{
	char *at = out_room(&r->out);
	char *end = put_full_timestamp_slot(r, at + 1, op, slots[op->slot]);

	if (end == at + 1) {
		put_null(r);
		return;
	}
	*at = '"';
	*end++ = '"';
	out_end(&r->out, end);
}

/* Arrays and Java's own ------------------------------------------------------------------------ */

static void put_array(struct render *r, const struct op *op, const uint64_t *slots)
{
	struct elements e;

	out_char(&r->out, '[');
	elements_begin(r, op, slots, &e);
	while (!is_beyond_depth(r, op, e.index) && elements_next(op, &e)) {
		if (e.index > 1)
			out_char(&r->out, ',');
		render_ops(r, op->element_ops, e.slots);
	}
	elements_end(r, op, &e);
	out_char(&r->out, ']');
}

static void put_class_name(struct render *r, const struct op *op, const uint64_t *slots)
{
	const char *name = java_class_name(r, op->site->type, slots + op->slot);

	if (!name) {
		put_null(r);
		return;
	}
	out_char(&r->out, '"');
	java_put_class_name(r, name);
	out_char(&r->out, '"');
}

static void put_loader_name(struct render *r, const struct op *op, const uint64_t *slots)
{
	const char *name = java_loader_name(r, op->site->type, slots + op->slot);

	if (!name) {
		put_null(r);
		return;
	}
	out_char(&r->out, '"');
	ndjson_put_name(r, name, strlen(name));
	out_char(&r->out, '"');
}

/* What java.c writes as a line of text. */
static void put_line(struct render *r, const struct op *op, const uint64_t *slots)
{
	op->site->render(r, op->site, slots + op->slot, 0);
}

/* Building: values ----------------------------------------------------------------------------- */

void ndjson_build_name(struct builder *b, const char *name)
{
	build_escaped(b, name, put_escaped);
}

void ndjson_build_key(struct builder *b, const char *name)
{
	build_text(b, "\"");
	ndjson_build_name(b, name);
	build_text(b, "\":");
}

static bool is_raw(const struct builder *b, const struct jfrec_field *f)
{
	return layout_of(b)->raw_ticks && (f->timespan == TIME_TICKS || f->timestamp == TIME_TICKS);
}

static const struct leaves leaves = {
	.character = put_char,
	.float32 = put_json_float,
	.float64 = put_json_double,
	.string = put_string,
	.timespan = put_timespan,
	.timestamp = put_timestamp,
};

/* Ticks as they were recorded. */
static const struct leaves raw_leaves = {
	.timespan = put_integer,
	.timestamp = put_integer,
};

/* A value of a type, by a function that asks the op's site for it. */
static void build_known(struct builder *b, const struct jfrec_type *t, unsigned slot, put_fn *put,
			site_fn *render)
{
	build_put(b, put, slot)->site = build_site(b, t, FORM_VALUE, render);
}

static void build_quoted_line(struct builder *b, const struct jfrec_type *t, unsigned slot,
			      site_fn *render)
{
	build_text(b, "\"");
	build_known(b, t, slot, put_line, render);
	build_text(b, "\"");
}

/* A member whose key is ours; `before` ends in it.  A producer may leave any of them out. */
static void build_member(struct builder *b, const struct jfrec_type *t, unsigned slot,
			 const char *before, const char *name, build_field_fn *build)
{
	struct way way;

	build_text(b, before);
	if (way_find(&way, t, name))
		build_path(b, way_path(&way), slot, build);
	else
		build_text(b, "null");
}

static bool has_member(const struct jfrec_type *t, const char *name)
{
	struct way way;

	return way_find(&way, t, name);
}

static void build_thread(struct builder *b, const struct jfrec_type *t, unsigned slot)
{
	build_member(b, t, slot, "{\"javaName\":", "javaName", ndjson_build_value);
	build_member(b, t, slot, ",\"javaThreadId\":", "javaThreadId", ndjson_build_value);
	build_member(b, t, slot, ",\"osName\":", "osName", ndjson_build_value);
	build_member(b, t, slot, ",\"osThreadId\":", "osThreadId", ndjson_build_value);
	if (has_member(t, "virtual"))
		build_member(b, t, slot, ",\"virtual\":", "virtual", ndjson_build_value);
	if (has_member(t, "group.name"))
		build_member(b, t, slot, ",\"group\":", "group.name", ndjson_build_value);
	build_text(b, "}");
}

static void build_class(struct builder *b, const struct jfrec_type *t, unsigned slot)
{
	build_text(b, "{\"name\":");
	build_known(b, t, slot, put_class_name, render_constant_ops);
	build_member(b, t, slot, ",\"loader\":", "classLoader", ndjson_build_cell);
	build_text(b, "}");
}

static void build_class_loader(struct builder *b, const struct jfrec_type *t, unsigned slot)
{
	build_member(b, t, slot, "{\"type\":", "type", ndjson_build_cell);
	build_member(b, t, slot, ",\"name\":", "name", ndjson_build_value);
	build_text(b, "}");
}

static void build_frame(struct builder *b, const struct jfrec_type *t, unsigned slot)
{
	build_member(b, t, slot, "{\"method\":", "method", ndjson_build_value);
	build_member(b, t, slot, ",\"line\":", "lineNumber", ndjson_build_value);
	build_member(b, t, slot, ",\"bci\":", "bytecodeIndex", ndjson_build_value);
	build_member(b, t, slot, ",\"type\":", "type", ndjson_build_value);
	build_text(b, "}");
}

static void build_stack_members(struct builder *b, const struct jfrec_type *t, unsigned slot)
{
	build_member(b, t, slot, "\"truncated\":", "truncated", ndjson_build_value);
	build_member(b, t, slot, ",\"frames\":", "frames", ndjson_build_value);
}

static void build_stack(struct builder *b, const struct jfrec_type *t, unsigned slot)
{
	if (layout_of(b)->stacks == JFREC_STACKS_STRING) {
		build_quoted_line(b, t, slot, java_stack_methods);
		return;
	}
	build_text(b, "{");
	build_stack_members(b, t, slot);
	build_text(b, "}");
}

static bool is_left_out(const struct builder *b, const struct jfrec_field *f)
{
	return f->type->known == KNOWN_STACK_TRACE && !layout_has_stacks(layout_of(b));
}

void ndjson_build_struct(struct builder *b, const struct jfrec_type *t, unsigned slot)
{
	const struct plan *plan = plan_of(t);
	bool first = true;

	build_text(b, "{");
	for (unsigned i = 0; i < t->field_count; i++) {
		const struct jfrec_field *f = &t->fields[i];

		if (is_left_out(b, f))
			continue;
		if (!first)
			build_text(b, ",");
		first = false;
		ndjson_build_key(b, f->name);
		ndjson_build_value(b, f, slot + plan->first_step[i]);
	}
	build_text(b, "}");
}

void ndjson_build_inline(struct builder *b, const struct jfrec_type *t, const struct jfrec_field *f,
			 unsigned slot)
{
	if (t->wire != WIRE_NONE) {
		build_leaf(b, f && is_raw(b, f) ? &raw_leaves : &leaves, t, f, slot);
		return;
	}
	if (is_wrapper(t)) {
		ndjson_build_value(b, &t->fields[0], slot);
		return;
	}
	switch ((enum known_type)t->known) {
	case KNOWN_THREAD:
		build_thread(b, t, slot);
		break;
	case KNOWN_CLASS:
		build_class(b, t, slot);
		break;
	case KNOWN_CLASS_LOADER:
		build_class_loader(b, t, slot);
		break;
	case KNOWN_METHOD:
		build_quoted_line(b, t, slot, java_method);
		break;
	case KNOWN_FRAME:
		build_frame(b, t, slot);
		break;
	case KNOWN_STACK_TRACE:
		build_stack(b, t, slot);
		break;
	default:
		ndjson_build_struct(b, t, slot);
	}
}

static void build_single(struct builder *b, const struct jfrec_field *f, unsigned slot)
{
	if (ndjson_has_number(b, f))
		build_known(b, f->type, slot, ndjson_put_stack_number, render_constant_ops);
	else if (f->constant)
		build_known(b, f->type, slot, put_constant, render_constant_ops);
	else
		ndjson_build_inline(b, f->type, f, slot);
}

static void build_element(struct builder *b, const struct jfrec_field *f, unsigned indent)
{
	(void)indent;
	build_single(b, f, 0);
}

void ndjson_build_value(struct builder *b, const struct jfrec_field *f, unsigned slot)
{
	if (f->array)
		build_array(b, put_array, f, slot, 0, build_element);
	else
		build_single(b, f, slot);
}

/* Building: cells of flat lines ---------------------------------------------------------------- */

static void build_cell_inline(struct builder *b, const struct jfrec_type *t,
			      const struct jfrec_field *f, unsigned slot)
{
	switch ((enum known_type)t->known) {
	case KNOWN_CLASS:
		build_known(b, t, slot, put_class_name, render_constant_ops);
		break;
	case KNOWN_CLASS_LOADER:
		build_known(b, t, slot, put_loader_name, render_constant_ops);
		break;
	case KNOWN_FRAME:
		build_quoted_line(b, t, slot, java_frame);
		break;
	default:
		ndjson_build_inline(b, t, f, slot);
	}
}

static bool has_cell_form(const struct jfrec_type *t)
{
	return t->known == KNOWN_CLASS || t->known == KNOWN_CLASS_LOADER || t->known == KNOWN_FRAME;
}

void ndjson_build_cell(struct builder *b, const struct jfrec_field *f, unsigned slot)
{
	if (f->array || !has_cell_form(f->type))
		ndjson_build_value(b, f, slot);
	else if (f->constant)
		build_put(b, put_constant, slot)->site =
			build_site(b, f->type, FORM_CELL, render_constant_ops);
	else
		build_cell_inline(b, f->type, f, slot);
}

void ndjson_constant(struct builder *b, const struct site *s)
{
	if (s->path.count)
		build_path(b, s->path, 0, ndjson_build_cell);
	else if (s->indent == FORM_MEMBERS)
		build_stack_members(b, s->type, 0);
	else if (s->indent == FORM_CELL)
		build_cell_inline(b, s->type, NULL, 0);
	else
		ndjson_build_inline(b, s->type, NULL, 0);
}
