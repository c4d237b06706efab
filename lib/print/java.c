/* SPDX-License-Identifier: MIT */
/*
 * java.c - format threads, classes, methods and stack frames
 *
 * Each runs once per constant, not once per event, so members are looked up by
 * name; a producer may leave any of them out.
 */
#include "print/java.h"

#include "base/descriptor.h"
#include "base/number.h"
#include "read/code_name.h"

/* Members of structs --------------------------------------------------------------------------- */

/* A struct that is being looked at. */
struct object {
	const struct jfrec_type *type;
	const uint64_t *slots; /* NULL: no such object */
	bool taken;	       /* the slots are to be released */
};

static const struct jfrec_field *field_named(const struct jfrec_type *t, const char *name)
{
	for (unsigned i = 0; i < t->field_count; i++) {
		if (strcmp(t->fields[i].name, name) == 0)
			return t->fields[i].array ? NULL : &t->fields[i];
	}
	return NULL;
}

static uint64_t slot_of(const struct object *o, const struct jfrec_field *f)
{
	return o->slots[plan_of(o->type)->first_step[f->index]];
}

/* A struct that is a member of another; release it. */
static struct object field_object(struct render *r, const struct object *o,
				  const struct jfrec_field *f)
{
	struct object m = { 0 };

	if (!o->slots || !f || f->type->wire != WIRE_NONE)
		return m;
	m.type = f->type;
	m.taken = f->constant;
	m.slots = f->constant ? constant_slots(r, f->type, slot_of(o, f))
			      : o->slots + plan_of(o->type)->first_step[f->index];
	return m;
}

static struct object member(struct render *r, const struct object *o, const char *name)
{
	return field_object(r, o, o->slots ? field_named(o->type, name) : NULL);
}

static void release(struct render *r, const struct object *o)
{
	if (o->taken && o->slots)
		slots_release(r, plan_of(o->type)->step_count);
}

static int64_t field_number(const struct object *o, const struct jfrec_field *f, int64_t missing)
{
	if (!o->slots || !f || f->constant || f->type->wire < WIRE_BOOLEAN ||
	    f->type->wire > WIRE_LONG)
		return missing;
	return (int64_t)slot_of(o, f);
}

static int64_t number(const struct object *o, const char *name, int64_t missing)
{
	return field_number(o, o->slots ? field_named(o->type, name) : NULL, missing);
}

static bool flag(const struct object *o, const char *name)
{
	return number(o, name, 0) != 0;
}

/* Follow keys until there is a string; a symbol is a struct around one. */
static const char *string_in_slot(struct render *r, const struct jfrec_type *t, bool is_key,
				  uint64_t slot, unsigned depth)
{
	const struct jfrec_field *inner = is_wrapper(t) ? &t->fields[0] : NULL;
	const uint64_t *slots;
	const char *found = NULL;
	struct string s;

	if (is_key) {
		slots = constant_slots(r, t, slot);
		if (!slots)
			return NULL;
		if (inner && depth < 4)
			found = string_in_slot(r, inner->type, inner->constant, slots[0],
					       depth + 1);
		else if (t->wire == WIRE_STRING)
			found = string_in_slot(r, t, false, slots[0], depth + 1);
		slots_release(r, plan_of(t)->step_count);
		return found;
	}
	if (inner && !inner->array && depth < 4)
		return string_in_slot(r, inner->type, inner->constant, slot, depth + 1);
	if (t->wire != WIRE_STRING)
		return NULL;
	if (slot_string(r, slot, &s))
		return string_copy(&r->scratch, s, NULL);
	if (s.encoding == STRING_EMPTY)
		return "";
	return s.encoding == STRING_KEY && depth < 4 ? string_in_slot(r, t, true, s.key, depth + 1)
						     : NULL;
}

/* A member that is a string, until the event is done; NULL if there is none. */
static const char *text(struct render *r, const struct object *o, const char *name)
{
	const struct jfrec_field *f = o->slots ? field_named(o->type, name) : NULL;

	if (!f || plan_of(f->type)->fault || (!f->constant && plan_of(f->type)->step_count != 1))
		return NULL;
	return string_in_slot(r, f->type, f->constant, slot_of(o, f), 0);
}

static void put(struct render *r, const char *s)
{
	out_put(&r->out, s, strlen(s));
}

/* What comes from the recording; the format may have to escape it. */
static void put_name(struct render *r, const char *name)
{
	r->format->name(r, name, strlen(name));
}

static void put_number(struct render *r, int64_t n)
{
	out_end(&r->out, put_i64(out_room(&r->out), n));
}

static void put_indent(struct render *r, unsigned n)
{
	for (; n; n--)
		out_char(&r->out, ' ');
}

/* Names ---------------------------------------------------------------------------------------- */

/* java/lang/String is java.lang.String; each part may need escapes. */
static void put_dotted_name(struct render *r, const char *name, size_t len)
{
	while (len) {
		const char *slash = memchr(name, '/', len);
		size_t n = slash ? (size_t)(slash - name) : len;

		r->format->name(r, name, n);
		if (slash)
			out_char(&r->out, '.');
		n += slash != NULL;
		name += n;
		len -= n;
	}
}

/*
 * Write one type of a descriptor: "[[Ljava/lang/String;" is java.lang.String[][].
 * `size`, if not negative, goes into the first brackets.  Returns the end of
 * what was read.
 */
static const char *put_descriptor(struct render *r, const char *text, bool simple_name,
				  int64_t size)
{
	struct descriptor d;
	const char *end = descriptor_read(text, &d);

	if (simple_name)
		descriptor_simplify(&d);
	put_dotted_name(r, d.name, d.len);
	for (unsigned i = 0; i < d.dimensions; i++) {
		out_char(&r->out, '[');
		if (i == 0 && size >= 0)
			put_number(r, size);
		out_char(&r->out, ']');
	}
	return end;
}

static void put_class_name(struct render *r, const char *name, int64_t size)
{
	if (name[0] == '[')
		put_descriptor(r, name, false, size);
	else
		put_dotted_name(r, name, strlen(name));
}

static const char *name_or_null(const char *name)
{
	return name ? name : "null";
}

/* Threads, classes, class loaders
 * ------------------------------------------------------------------ */

void java_thread(struct render *r, const struct site *s, const uint64_t *slots, uint64_t key)
{
	struct object o = { s->type, slots, false };
	int64_t java_id = number(&o, "javaThreadId", -1);
	bool is_java = java_id > 0;

	(void)key;
	out_char(&r->out, '"');
	put_name(r, name_or_null(text(r, &o, is_java ? "javaName" : "osName")));
	put(r, is_java ? "\" (javaThreadId = " : "\" (osThreadId = ");
	if (is_java) {
		put_number(r, java_id);
	} else {
		int64_t os_id = number(&o, "osThreadId", -1);

		put_number(r, os_id ? os_id : -1);
	}
	if (is_java && flag(&o, "virtual"))
		put(r, ", virtual");
	out_char(&r->out, ')');
}

/* The name of a class loader, or else of its class; NULL if there is neither. */
static const char *loader_name(struct render *r, const struct object *loader)
{
	const char *name = text(r, loader, "name");
	struct object type;
	char *dotted;

	if (name)
		return name;
	type = member(r, loader, "type");
	name = text(r, &type, "name");
	dotted = name ? arena_strndup(&r->scratch, name, strlen(name)) : NULL;
	for (char *p = dotted; p && *p; p++)
		*p = *p == '/' ? '.' : *p;
	release(r, &type);
	return dotted;
}

const char *java_loader_name(struct render *r, const struct jfrec_type *t, const uint64_t *slots)
{
	return loader_name(r, &(struct object){ t, slots, false });
}

const char *java_class_name(struct render *r, const struct jfrec_type *t, const uint64_t *slots)
{
	return text(r, &(struct object){ t, slots, false }, "name");
}

void java_put_class_name(struct render *r, const char *name)
{
	put_class_name(r, name, -1);
}

void java_class(struct render *r, const struct site *s, const uint64_t *slots, uint64_t key)
{
	struct object o = { s->type, slots, false };
	struct object loader = member(r, &o, "classLoader");

	(void)key;
	put_class_name(r, name_or_null(text(r, &o, "name")), -1);
	put(r, " (classLoader = ");
	put_name(r, name_or_null(loader_name(r, &loader)));
	out_char(&r->out, ')');
	release(r, &loader);
}

void java_class_loader(struct render *r, const struct site *s, const uint64_t *slots, uint64_t key)
{
	struct object o = { s->type, slots, false };
	struct object type = member(r, &o, "type");

	if (type.slots) {
		const char *name = name_or_null(text(r, &type, "name"));

		put_dotted_name(r, name, strlen(name));
		put(r, " (id = ");
		put_number(r, (int64_t)key);
		out_char(&r->out, ')');
	} else {
		put(r, "null");
	}
	release(r, &type);
}

/* Methods and stack traces
 * ------------------------------------------------------------------------- */

static void put_parameters(struct render *r, const char *descriptor)
{
	const char *end = strrchr(descriptor, ')'), *d = descriptor + 1;

	out_char(&r->out, '(');
	for (bool first = true; end && d < end; first = false) {
		if (!first)
			put(r, ", ");
		d = put_descriptor(r, d, true, -1);
	}
	out_char(&r->out, ')');
}

/* Functions of native programs by what their symbols stand for. */
static const char *method_name(struct render *r, const struct object *method)
{
	const char *name = text(r, method, "name");
	size_t len = name ? strlen(name) : 0;

	return code_name(method->type->metadata, &r->scratch, name, &len);
}

void java_method(struct render *r, const struct site *s, const uint64_t *slots, uint64_t key)
{
	struct object o = { s->type, slots, false };
	struct object type = member(r, &o, "type");
	const char *class = text(r, &type, "name"), *descriptor = text(r, &o, "descriptor");

	(void)key;
	if (class) {
		put_dotted_name(r, class, strlen(class));
		out_char(&r->out, '.');
	}
	put_name(r, name_or_null(method_name(r, &o)));
	put_parameters(r, descriptor && *descriptor ? descriptor : "()");
	release(r, &type);
}

/* The site of methods, wherever a frame refers to one. */
static const struct site *method_site(struct render *r, const struct jfrec_type *method)
{
	struct builder b = { .shapes = r->current->shapes, .format = r->format };

	return build_site(&b, method, 0, java_method);
}

/* The members of a frame, and of its method; any may be NULL. */
struct frame_type {
	const struct jfrec_type *type;
	const struct jfrec_field *method, *line, *java_frame, *hidden;
};

static struct frame_type frame_type(const struct jfrec_type *t)
{
	const struct jfrec_field *method = field_named(t, "method");

	return (struct frame_type){
		.type = t,
		.method = method,
		.line = field_named(t, "lineNumber"),
		.java_frame = field_named(t, "javaFrame"),
		.hidden = method ? field_named(method->type, "hidden") : NULL,
	};
}

static void put_frame_method(struct render *r, const struct frame_type *t,
			     const struct object *frame)
{
	struct op op = { .before = "" };

	if (frame->slots && t->method && t->method->constant &&
	    t->method->type->known == KNOWN_METHOD) {
		op.site = method_site(r, t->method->type);
		if (render_constant_if_any(r, &op, slot_of(frame, t->method)))
			return;
	}
	put(r, r->format->no_method);
}

static void put_frame(struct render *r, const struct frame_type *t, const struct object *frame)
{
	int64_t line = field_number(frame, t->line, -1);

	put_frame_method(r, t, frame);
	if (line >= 0) {
		put(r, " line: ");
		put_number(r, line);
	}
}

void java_frame(struct render *r, const struct site *s, const uint64_t *slots, uint64_t key)
{
	struct frame_type t = frame_type(s->type);
	struct object frame = { s->type, slots, false };

	(void)key;
	put_frame(r, &t, &frame);
}

/* Java frames whose method is not hidden. */
static bool is_shown(struct render *r, const struct frame_type *t, const struct object *frame)
{
	struct object method;
	bool hidden;

	if (!frame->slots || field_number(frame, t->java_frame, 1) == 0)
		return false;
	method = field_object(r, frame, t->method);
	hidden = field_number(&method, t->hidden, 0) != 0;
	release(r, &method);
	return !hidden;
}

/*
 * The three dots mean that the recording cut the trace, or that as many frames
 * were looked at as may be shown, were they the last or not.
 */
static void put_frames(struct render *r, const struct op *op, const uint64_t *slots,
		       unsigned indent, bool truncated)
{
	struct frame_type t = frame_type(op->field->type);
	struct object frame = { .type = t.type, .taken = op->field->constant };
	struct elements e;
	unsigned shown = 0;

	elements_begin(r, op, slots, &e);
	while (shown < r->stack_depth && elements_next(op, &e)) {
		frame.slots = frame.taken ? constant_slots(r, t.type, e.slots[0]) : e.slots;
		if (is_shown(r, &t, &frame)) {
			put_indent(r, indent);
			put_frame(r, &t, &frame);
			out_char(&r->out, '\n');
			shown++;
		}
		release(r, &frame);
	}
	if (truncated || e.index == r->stack_depth) {
		put_indent(r, indent);
		put(r, "...\n");
	}
	elements_end(r, op, &e);
}

/* The op that runs over the frames of a stack trace. False if it has none. */
static bool frames_op(const struct site *s, struct op *op)
{
	for (unsigned i = 0; i < s->type->field_count; i++) {
		const struct jfrec_field *f = &s->type->fields[i];

		if (strcmp(f->name, "frames") != 0 || !f->array)
			continue;
		*op = (struct op){ .slot = s->plan->first_step[i], .field = f };
		op->element = plan_of_element(f);
		op->element_ops = op; /* not used, but there */
		return true;
	}
	return false;
}

void java_stack_trace(struct render *r, const struct site *s, const uint64_t *slots, uint64_t key)
{
	struct object o = { s->type, slots, false };
	bool truncated = flag(&o, "truncated");
	struct op op;

	(void)key;
	put(r, "[\n");
	if (frames_op(s, &op))
		put_frames(r, &op, slots, s->indent + 2, truncated);
	put_indent(r, s->indent);
	out_char(&r->out, ']');
}

/* All frames up to the stack depth, hidden ones and those of other languages too. */
void java_stack_methods(struct render *r, const struct site *s, const uint64_t *slots, uint64_t key)
{
	struct frame_type t;
	struct object frame;
	struct elements e;
	struct op op;

	(void)key;
	if (!frames_op(s, &op))
		return;
	t = frame_type(op.field->type);
	frame = (struct object){ .type = t.type, .taken = op.field->constant };
	elements_begin(r, &op, slots, &e);
	while (e.index < r->stack_depth && elements_next(&op, &e)) {
		if (e.index > 1)
			out_char(&r->out, ';');
		frame.slots = frame.taken ? constant_slots(r, t.type, e.slots[0]) : e.slots;
		put_frame_method(r, &t, &frame);
		release(r, &frame);
	}
	elements_end(r, &op, &e);
}

/* Old objects
 * -------------------------------------------------------------------------------------- */

/* Longer chains than any JVM writes are cycles. */
#define MAX_CHAIN 10000

static void put_object(struct render *r, const struct object *o, int64_t array_size)
{
	struct object type = member(r, o, "type");
	const char *description = text(r, o, "description"), *name = text(r, &type, "name");

	if (type.slots) {
		put_class_name(r, name_or_null(name), array_size > 0 ? array_size : -1);
		if (description) {
			out_char(&r->out, ' ');
			put_name(r, description);
		}
	}
	out_char(&r->out, '\n');
	release(r, &type);
}

/* "field : ", or "[index] : " of an array, whose size is returned; INT64_MIN for a field. */
static int64_t put_holder(struct render *r, const struct object *reference)
{
	struct object array = member(r, reference, "array");
	struct object field = member(r, reference, "field");
	const char *name = text(r, &field, "name");
	int64_t size = number(&array, "size", INT64_MIN);

	if (field.slots) {
		put(r, name_or_null(name));
	} else if (array.slots) {
		out_char(&r->out, '[');
		put_number(r, number(&array, "index", 0));
		out_char(&r->out, ']');
	}
	put(r, " : ");
	release(r, &field);
	release(r, &array);
	return size;
}

void java_old_object(struct render *r, const struct jfrec_type *t, const uint64_t *slots,
		     unsigned indent, int64_t array_elements)
{
	size_t slot_count = r->slot_count;
	struct object o = { t, slots, false }, reference;
	int64_t size = array_elements;

	put(r, " [\n");
	put_indent(r, indent + 2);
	put_object(r, &o, size);
	for (unsigned n = 0; n < MAX_CHAIN && o.slots; n++) {
		reference = member(r, &o, "referrer");
		if (!reference.slots)
			break;
		put_indent(r, indent + 2);
		if (number(&reference, "skip", 0) > 0) {
			put(r, "...\n");
			put_indent(r, indent + 2);
		}
		size = put_holder(r, &reference);
		o = member(r, &reference, "object");
		if (o.slots)
			put_object(r, &o, size);
	}
	r->slot_count = slot_count;
	put_indent(r, indent);
	out_char(&r->out, ']');
}
