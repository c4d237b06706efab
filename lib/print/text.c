/* SPDX-License-Identifier: MIT */
/*
 * text.c - print and print --exact, byte for byte as JDK 25
 *
 * The event's thread and stack trace come last, a duration of 0 is left out,
 * and the units of numbers are shown.  Strings are written as they are.
 */
#include <math.h>

#include "base/number.h"
#include "base/units.h"
#include "format/content.h"
#include "print/contexts.h"
#include "print/escape.h"
#include "print/java.h"
#include "print/render.h"
#include "print/times.h"

/* A new way to store values, or type with a form of its own, must be thought of here. */
#pragma GCC diagnostic error "-Wswitch-enum"

static const char not_available[] = "N/A";

static void put_na(struct render *r)
{
	OUT_STR(&r->out, "N/A");
}

/* Strings -------------------------------------------------------------------------------------- */

/* Unpaired surrogates have no UTF-8; Java writes a question mark. */
static char *put_code_point(char *at, int32_t c)
{
	if ((c & 0xfffff800) != 0xd800)
		return put_utf8(at, (uint32_t)c);
	*at = '?';
	return at + 1;
}

static void put_quoted(struct render *r, struct string s)
{
	out_char(&r->out, '"');
	put_escaped_string(r, s, marks_high, put_code_point);
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
		put_na(r);
}

static void put_char(struct render *r, const struct op *op, const uint64_t *slots)
{
	out_end(&r->out, put_code_point(out_room(&r->out), (int32_t)slots[op->slot]));
}

/* Numbers -------------------------------------------------------------------------------------- */

/* int and long have no value for "unknown" but their smallest. */
static bool is_unknown(const struct op *op, uint64_t slot)
{
	if (op->field && op->field->is_unsigned && op->wire != WIRE_LONG)
		return false;
	return (op->wire == WIRE_LONG && (int64_t)slot == INT64_MIN &&
		!(op->field && op->field->is_unsigned)) ||
	       (op->wire == WIRE_INT && (int64_t)slot == INT32_MIN);
}

/* Java's longValue() of an unsigned number is the number again, for a long its sign, too. */
static int64_t whole_value(const struct op *op, uint64_t slot)
{
	return (int64_t)(op->field->is_unsigned ? unsigned_slot(op, slot) : slot);
}

static void put_whole_number(struct render *r, const struct op *op, const uint64_t *slots)
{
	uint64_t slot = slots[op->slot];

	if (is_unknown(op, slot))
		put_na(r);
	else if (op->field && op->field->is_unsigned)
		put_unsigned(r, op, slots);
	else
		put_integer(r, op, slots);
}

static double real_value(const struct op *op, uint64_t slot)
{
	return op->wire == WIRE_FLOAT ? (double)slot_float(slot) : slot_double(slot);
}

/* +Infinity is printed; the other two stand for "unknown". */
static bool is_unknown_real(double d)
{
	return isnan(d) || d == (double)-INFINITY;
}

static char *put_java_real(char *at, const struct op *op, uint64_t slot)
{
	return op->wire == WIRE_FLOAT ? put_java_float(at, slot_float(slot))
				      : put_java_double(at, slot_double(slot));
}

static void put_real(struct render *r, const struct op *op, const uint64_t *slots)
{
	if (is_unknown_real(real_value(op, slots[op->slot])))
		put_na(r);
	else
		out_end(&r->out, put_java_real(out_room(&r->out), op, slots[op->slot]));
}

static char *put_content(const struct render *r, char *at, const struct op *op, int64_t n,
			 double real)
{
	enum jfrec_unit unit = (enum jfrec_unit)op->field->unit;
	unsigned amount = content_of(unit)->amount;

	switch (unit) {
	case JFREC_UNIT_PERCENT:
		return put_percentage(at, real, r->exact);
	case JFREC_UNIT_BYTES:
	case JFREC_UNIT_BITS:
	case JFREC_UNIT_BYTES_PER_S:
	case JFREC_UNIT_BITS_PER_S:
		return r->exact ? put_exact_amount(at, n, amount) : put_amount(at, n, amount);
	case JFREC_UNIT_ADDRESS:
		return put_address(at, n);
	case JFREC_UNIT_HERTZ: /* put_amount_value() */
	case JFREC_UNIT_NONE:
	case JFREC_UNIT_FLAG:
	case JFREC_UNIT_TIME:
	case JFREC_UNIT_TIME_MS:
	case JFREC_UNIT_NS:
	case JFREC_UNIT_US:
	case JFREC_UNIT_MS:
	case JFREC_UNIT_S:
		break;
	}
	return at;
}

/* Its doubleValue() has no sign, whatever its width. */
static double whole_as_real(const struct op *op, uint64_t slot)
{
	return op->field->is_unsigned ? (double)unsigned_slot(op, slot) : (double)(int64_t)slot;
}

/* A number with a unit that is not one of time. */
static void put_amount_value(struct render *r, const struct op *op, const uint64_t *slots)
{
	uint64_t slot = slots[op->slot];
	bool is_real = op->wire == WIRE_FLOAT || op->wire == WIRE_DOUBLE;
	double real = is_real ? real_value(op, slot) : whole_as_real(op, slot);
	int64_t n = is_real ? double_to_long(real) : whole_value(op, slot);

	if (is_real ? is_unknown_real(real) : is_unknown(op, slot)) {
		put_na(r);
	} else if (op->field->unit == JFREC_UNIT_HERTZ) {
		if (is_real)
			put_real(r, op, slots);
		else
			put_whole_number(r, op, slots);
		OUT_STR(&r->out, " Hz");
	} else {
		out_end(&r->out, put_content(r, out_room(&r->out), op, n, real));
	}
}

/* Times ---------------------------------------------------------------------------------------- */

static void put_timespan(struct render *r, const struct op *op, const uint64_t *slots)
{
	int64_t v = timespan_slot(op, slots[op->slot]);
	struct timespan d = slot_timespan(r, op, v);
	char *at = out_room(&r->out);

	if (is_no_time(op, v))
		put_na(r);
	else if (is_forever(op, v))
		OUT_STR(&r->out, "Forever");
	else
		out_end(&r->out, r->exact ? put_exact_span(at, d) : put_print_span(at, d));
}

static void put_timestamp(struct render *r, const struct op *op, const uint64_t *slots)
{
	int64_t v = timespan_slot(op, slots[op->slot]);
	struct timespan t = slot_timestamp(r, op, v);

	if (is_no_time(op, v))
		put_na(r);
	else
		out_end(&r->out, put_print_time(out_room(&r->out), &r->second, t,
						utc_offset_at(r, t), r->exact ? 9 : 3));
}

/* Without @ContentType on their annotation's type, times are shown as Java's toString(). */
static void put_iso_timespan(struct render *r, const struct op *op, const uint64_t *slots)
{
	out_end(&r->out, put_iso_timespan_slot(r, out_room(&r->out), op, slots[op->slot]));
}

static void put_iso_timestamp(struct render *r, const struct op *op, const uint64_t *slots)
{
	out_end(&r->out, put_iso_timestamp_slot(r, out_room(&r->out), op, slots[op->slot]));
}

/* Arrays and objects
 * ------------------------------------------------------------------------------- */

static bool is_null_element(struct render *r, const struct op *op, const uint64_t *slots)
{
	const struct jfrec_type *t = op->field->type;
	struct string s;

	if (op->field->constant)
		return pool_find(&r->current->chunk->pools, t, slots[0]) == POOL_NONE;
	if (t->wire != WIRE_STRING || slot_string(r, slots[0], &s))
		return false;
	return s.encoding == STRING_NULL ||
	       (s.encoding == STRING_KEY &&
		pool_find(&r->current->chunk->pools, t, s.key) == POOL_NONE);
}

/* Which elements are followed by a comma: objects and nulls, not plain values. */
static bool has_comma(struct render *r, const struct op *op, const uint64_t *slots)
{
	const struct jfrec_type *t = op->field->type;

	if (t->wire == WIRE_NONE && !is_wrapper(t) && t->known != KNOWN_METHOD &&
	    t->known != KNOWN_OLD_OBJECT)
		return true;
	return is_null_element(r, op, slots);
}

static void put_array(struct render *r, const struct op *op, const uint64_t *slots)
{
	bool frames = op->field->type->known == KNOWN_FRAME;
	struct elements e;

	OUT_STR(&r->out, "[\n");
	elements_begin(r, op, slots, &e);
	while (elements_next(op, &e)) {
		render_ops(r, op->element_ops, e.slots);
		if (e.index < e.count && has_comma(r, op, e.slots))
			OUT_STR(&r->out, ", ");
		if (!frames)
			out_char(&r->out, '\n');
	}
	elements_end(r, op, &e);
	for (unsigned n = op->indent; n; n--)
		out_char(&r->out, ' ');
	out_char(&r->out, ']');
}

/* A frame that is not a constant: it lies in the slots. */
static void put_object(struct render *r, const struct op *op, const uint64_t *slots)
{
	op->site->render(r, op->site, slots + op->slot, 0);
}

/* The size of an array that is an old object is in a field of the event. */
static void put_old_object(struct render *r, const struct op *op, const uint64_t *slots)
{
	const struct jfrec_type *owner = op->field->owner;
	const uint64_t *object = slots + op->slot;
	int64_t elements = -1;

	for (unsigned i = 0; i < owner->field_count; i++) {
		const struct jfrec_field *f = &owner->fields[i];

		if (strcmp(f->name, "arrayElements") == 0 && !f->array && !f->constant &&
		    f->type->wire >= WIRE_BYTE && f->type->wire <= WIRE_LONG)
			elements = (int64_t)slots[plan_of(owner)->first_step[i]];
	}
	if (op->field->constant)
		object = constant_slots(r, op->field->type, slots[op->slot]);
	if (object)
		java_old_object(r, op->field->type, object, op->indent, elements);
	else
		put_na(r);
}

/* Lines that only some events have
 * ----------------------------------------------------------------- */

static void put_unless_zero(struct render *r, const struct op *op, const uint64_t *slots)
{
	if (slots[op->slot])
		render_ops(r, op->element_ops, slots);
}

static void put_if_any(struct render *r, const struct op *op, const uint64_t *slots)
{
	if (render_constant_if_any(r, op, slots[op->slot]))
		out_char(&r->out, '\n');
}

static void put_contexts(struct render *r, const struct op *op, const uint64_t *slots)
{
	if (r->contexts && r->contexts->open)
		contexts_put(r->contexts, r, slots[op->slot]);
}

/* Building
 * ----------------------------------------------------------------------------------------- */

static put_fn *put_of(enum wire wire, const struct jfrec_field *f)
{
	if (f && f->timespan)
		return f->has_content ? put_timespan : put_iso_timespan;
	if (f && f->timestamp)
		return f->has_content ? put_timestamp : put_iso_timestamp;
	switch (wire) {
	case WIRE_BOOLEAN:
		return put_boolean;
	case WIRE_CHAR:
		return put_char;
	case WIRE_STRING:
		return put_string;
	case WIRE_NONE:
	case WIRE_BYTE:
	case WIRE_SHORT:
	case WIRE_INT:
	case WIRE_LONG:
	case WIRE_FLOAT:
	case WIRE_DOUBLE:
	case WIRE_KEY:
	case WIRE_ARRAY:
		break;
	}
	if (f && f->unit && f->has_content)
		return put_amount_value;
	return wire == WIRE_FLOAT || wire == WIRE_DOUBLE ? put_real : put_whole_number;
}

static site_fn *site_fn_of(const struct jfrec_type *t)
{
	switch ((enum known_type)t->known) {
	case KNOWN_THREAD:
		return java_thread;
	case KNOWN_CLASS:
		return java_class;
	case KNOWN_CLASS_LOADER:
		return java_class_loader;
	case KNOWN_METHOD:
		return java_method;
	case KNOWN_FRAME:
		return java_frame;
	case KNOWN_NONE:
	case KNOWN_STACK_TRACE:
	case KNOWN_OLD_OBJECT:
		break;
	}
	return render_constant_ops;
}

/* A value without parts: numbers are shown with their unit, and some mean that there is none. */
static void build_plain(struct builder *b, const struct jfrec_type *t, const struct jfrec_field *f,
			unsigned slot)
{
	struct op *op = build_put(b, put_of(t->wire, f), slot);

	op->wire = t->wire;
	op->field = f;
	if (t->wire == WIRE_STRING)
		op->site = build_site(b, t, 0, render_constant_ops);
}

static void build_value(struct builder *b, const struct jfrec_field *f, unsigned slot,
			unsigned indent);

static void build_line(struct builder *b, const struct jfrec_field *f, unsigned slot,
		       unsigned indent)
{
	build_indent(b, indent);
	build_text(b, f->name);
	build_text(b, " = ");
	build_value(b, f, slot, indent);
	build_text(b, "\n");
}

static void build_struct(struct builder *b, const struct jfrec_type *t, unsigned slot,
			 unsigned indent)
{
	const struct plan *plan = plan_of(t);

	build_text(b, "{\n");
	for (unsigned i = 0; i < t->field_count; i++)
		build_line(b, &t->fields[i], slot + plan->first_step[i], indent + 2);
	build_indent(b, indent);
	build_text(b, "}");
}

static void build_inline(struct builder *b, const struct jfrec_type *t, const struct jfrec_field *f,
			 unsigned slot, unsigned indent)
{
	if (t->wire != WIRE_NONE)
		build_plain(b, t, f, slot);
	else if (is_wrapper(t))
		build_value(b, &t->fields[0], slot, indent);
	else if (f && f->array && t->known == KNOWN_FRAME)
		build_put(b, put_object, slot)->site = build_site(b, t, indent, site_fn_of(t));
	else
		build_struct(b, t, slot, indent);
}

static void build_single(struct builder *b, const struct jfrec_field *f, unsigned slot,
			 unsigned indent)
{
	site_fn *fn = site_fn_of(f->type);
	struct op *op;

	if (f->type->known == KNOWN_OLD_OBJECT) {
		op = build_put(b, put_old_object, slot);
		op->field = f;
		op->indent = indent;
	} else if (f->constant) {
		/* What takes one line looks the same at any indentation. */
		if (fn != render_constant_ops || is_wrapper(f->type))
			indent = 0;
		build_put(b, put_constant, slot)->site = build_site(b, f->type, indent, fn);
	} else {
		build_inline(b, f->type, f, slot, indent);
	}
}

static void build_element(struct builder *b, const struct jfrec_field *f, unsigned indent)
{
	build_indent(b, indent + 2);
	build_single(b, f, 0, indent + 2);
}

static void build_value(struct builder *b, const struct jfrec_field *f, unsigned slot,
			unsigned indent)
{
	if (f->array)
		build_array(b, put_array, f, slot, indent, build_element);
	else
		build_single(b, f, slot, indent);
}

static void text_constant(struct builder *b, const struct site *s)
{
	build_inline(b, s->type, NULL, 0, s->indent);
}

static bool is_named(const struct jfrec_field *f, const char *name)
{
	return strcmp(f->name, name) == 0;
}

static void build_optional_line(struct builder *b, const struct jfrec_field *f, unsigned slot,
				const char *before, site_fn *fn, unsigned indent)
{
	struct op *op = build_put(b, put_if_any, slot);

	op->before = before;
	op->before_len = (uint32_t)strlen(before);
	op->site = build_site(b, f->type, indent, fn);
}

/* The thread and the stack trace, whatever their place in the event. */
static void build_last_lines(struct builder *b, const struct jfrec_type *t)
{
	const struct plan *plan = plan_of(t);
	const struct jfrec_field *thread = event_thread_field(t);

	if (thread)
		build_optional_line(b, thread, plan->first_step[thread->index],
				    "  eventThread = ", java_thread, 0);
	for (unsigned i = 0; i < t->field_count; i++) {
		const struct jfrec_field *f = &t->fields[i];

		if (is_named(f, "stackTrace") && f->constant && f->type->known == KNOWN_STACK_TRACE)
			build_optional_line(b, f, plan->first_step[i],
					    "  stackTrace = ", java_stack_trace, 2);
	}
}

/* One line on its own. */
static void build_duration(struct builder *b, const struct jfrec_field *f, unsigned slot)
{
	struct builder inner = { .shapes = b->shapes, .format = b->format };
	struct op *ops;

	build_line(&inner, f, slot, 2);
	ops = build_finish(&inner);
	build_put(b, ops ? put_unless_zero : NULL, slot)->element_ops = ops;
}

static void text_event(struct builder *b, const struct jfrec_type *t)
{
	const struct plan *plan = plan_of(t);
	const struct jfrec_field *thread = event_thread_field(t);

	build_text(b, t->name);
	build_text(b, " {\n");
	if (thread && !t->is_contextual)
		build_put(b, put_contexts, plan->first_step[thread->index]);
	for (unsigned i = 0; i < t->field_count; i++) {
		const struct jfrec_field *f = &t->fields[i];
		unsigned slot = plan->first_step[i];

		if (is_named(f, "eventThread") || is_named(f, "stackTrace"))
			continue;
		if (slot == plan->duration_step)
			build_duration(b, f, slot);
		else
			build_line(b, f, slot, 2);
	}
	build_last_lines(b, t);
	build_text(b, "}\n\n");
}

static void text_context(struct builder *b, const struct jfrec_type *t)
{
	const char *dot = strrchr(t->name, '.');

	for (unsigned i = 0; i < t->field_count; i++) {
		const struct jfrec_field *f = &t->fields[i];

		if (!f->is_contextual)
			continue;
		build_text(b, "  Context: ");
		build_text(b, dot ? dot + 1 : t->name);
		build_text(b, ".");
		build_text(b, f->name);
		build_text(b, " = ");
		build_value(b, f, plan_of(t)->first_step[i], 2);
		build_text(b, "\n");
	}
}

static void text_nothing(struct render *r)
{
	(void)r;
}

static void put_name(struct render *r, const char *s, size_t len)
{
	out_put(&r->out, s, len);
}

const struct format text_format = {
	.null = not_available,
	.name = put_name,
	.no_method = not_available,
	.separator = "",
	.begin = text_nothing,
	.end = text_nothing,
	.event = text_event,
	.context = text_context,
	.constant = text_constant,
};
