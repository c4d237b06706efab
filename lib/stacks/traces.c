/* SPDX-License-Identifier: MIT */
/*
 * traces.c - the stack traces of one chunk, each worked out once
 */
#include "stacks/traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* async-profiler's kind of kernel frames: no JDK declares it. */
#define KERNEL_KEY 5

#define VIRTUAL_THREADS "[virtual threads]"

void book_fini(struct book *b)
{
	name_set_fini(&b->names);
	frames_fini(&b->frames);
}

static bool declares_kernel_frames(const struct chunk *c)
{
	const struct jfrec_type *t = metadata_type_named(c->metadata, "jdk.types.FrameType");

	return t && pool_find(&c->pools, t, KERNEL_KEY) != POOL_NONE;
}

void traces_init(struct traces *t, const struct chunk *c, struct book *book,
		 const struct naming *naming)
{
	*t = (struct traces){
		.objects = { .chunk = c },
		.book = book,
		.naming = *naming,
		.is_async_profiler = declares_kernel_frames(c),
	};
}

void traces_fini(struct traces *t)
{
	arena_fini(&t->objects.scratch);
	idmap_fini(&t->by_method);
	idmap_fini(&t->by_trace);
	free(t->methods);
	free(t->list);
	free(t->frames);
}

static uint32_t fail(struct traces *t)
{
	t->is_out_of_memory = true;
	return FRAME_NONE;
}

/* Frames --------------------------------------------------------------------------------------- */

static uint32_t put_frame(struct traces *t, struct frame frame)
{
	uint32_t number = frame.name == NAME_NONE ? FRAME_NONE
						  : frames_put(&t->book->frames, frame);

	return number == FRAME_NONE ? fail(t) : number;
}

static uint32_t put_named(struct traces *t, const char *text, size_t len, enum frame_kind kind)
{
	uint32_t name = text ? name_set_put(&t->book->names, text, len) : NAME_NONE;

	return put_frame(t, (struct frame){ .name = name, .kind = kind });
}

uint32_t traces_note_frame(struct traces *t, const char *text)
{
	return put_named(t, text, strlen(text), FRAME_NOTE);
}

uint32_t traces_text_frame(struct traces *t, const char *text, enum frame_kind kind)
{
	return put_named(t, text, strlen(text), kind);
}

uint32_t traces_class_frame(struct traces *t, const struct jfrec_type *type, uint64_t key,
			    enum frame_kind kind)
{
	struct object class = object_constant(&t->objects, type, key);
	size_t len = 0;
	const char *symbol = object_text(&t->objects, class, "name", &len);
	const char *name = "null";
	uint32_t frame;

	if (symbol)
		name = frame_class_name(&t->naming, symbol, len, &t->objects.scratch, &len);
	else
		len = strlen(name);
	frame = put_named(t, name, len, kind);
	arena_recycle(&t->objects.scratch);
	return frame;
}

uint32_t traces_thread_frame(struct traces *t, const struct jfrec_type *type, uint64_t key)
{
	struct object thread = object_constant(&t->objects, type, key);
	const char *name = object_text(&t->objects, thread, "javaName", NULL);
	bool is_virtual = object_number(thread, "virtual", 0) != 0;
	int32_t id = (int32_t)key; /* as jfrconv cuts it */
	char *text;
	uint32_t frame;
	int len;

	/* There may be a million of them, and most have no name. */
	if (is_virtual && (!name || !*name) && !t->naming.is_jfrconv) {
		arena_recycle(&t->objects.scratch);
		return put_named(t, VIRTUAL_THREADS, sizeof(VIRTUAL_THREADS) - 1, FRAME_THREAD);
	}
	if (!name)
		name = object_text(&t->objects, thread, "osName", NULL);
	if (name && strncmp(name, "[tid=", 5) == 0)
		len = asprintf(&text, "%s", name);
	else
	len = name ? asprintf(&text, "[%s tid=%" PRId32 "]", name, id)
			   : asprintf(&text, "[tid=%" PRId32 "]", id);
	if (len < 0)
		return fail(t);
	frame = put_named(t, text, (size_t)len, FRAME_THREAD);
	free(text);
	arena_recycle(&t->objects.scratch);
	return frame;
}

/* Methods -------------------------------------------------------------------------------------- */

/* Code without a class: of the kernel, of C and C++. */
static bool is_native_kind(const struct traces *t, enum frame_kind kind)
{
	return kind == FRAME_CPP || kind == FRAME_KERNEL ||
	       (kind == FRAME_NATIVE && t->is_async_profiler);
}

static uint32_t method_name(struct traces *t, const struct jfrec_type *type, uint64_t key,
			    bool is_native)
{
	struct object method = object_constant(&t->objects, type, key), class;
	size_t name_len = 0, symbol_len = 0, len = 0;
	const char *symbol = NULL, *name, *text = "unknown";

	if (!method.slots)
		return name_set_put(&t->book->names, text, strlen(text));
	name = object_text(&t->objects, method, "name", &name_len);
	if (!is_native) {
		class = object_member(&t->objects, method, "type");
		symbol = object_text(&t->objects, class, "name", &symbol_len);
	}
	text = frame_method_name(&t->naming, symbol, symbol_len, name, name_len,
				 &t->objects.scratch, &len);
	return text ? name_set_put(&t->book->names, text, len) : NAME_NONE;
}

/*
 * As jfrconv has it, how the method's first frame ran decides whether its class is shown. NULL when
 * memory is gone.
 */
static struct method_entry *method_of(struct traces *t, const struct jfrec_type *type, uint64_t key,
				      enum frame_kind kind)
{
	uint32_t *place = idmap_put(&t->by_method, key, t->method_count);
	struct method_entry m = { .is_native = is_native_kind(t, kind) };

	if (!place)
		return NULL;
	if (*place < t->method_count)
		return &t->methods[*place];
	m.name = method_name(t, type, key, m.is_native);
	if (!array_push(t->methods, t->method_count, t->method_room, m))
		return NULL;
	return &t->methods[t->method_count - 1];
}

/* Traces --------------------------------------------------------------------------------------- */

static int step_of(const struct jfrec_type *type, const char *name, bool is_constant)
{
	const struct jfrec_field *f = object_field(type, name);

	if (!f || f->constant != is_constant || (!is_constant && f->type->wire == WIRE_NONE))
		return -1;
	return plan_of(type)->first_step[f->index];
}

static struct frame_steps frame_steps_of(const struct jfrec_type *type)
{
	const struct jfrec_field *method = object_field(type, "method");

	return (struct frame_steps){
		.type = type,
		.method = step_of(type, "method", true),
		.line = step_of(type, "lineNumber", false),
		.bci = step_of(type, "bytecodeIndex", false),
		.kind = step_of(type, "type", true),
		.method_type = method ? method->type : NULL,
	};
}

/* Lines and indices have 16 bits in jfrconv; -1, of hidden frames, is 65535 there and none here. */
static uint32_t position(const struct traces *t, bool is_wanted, int step, const uint64_t *slots)
{
	if (!is_wanted || step < 0)
		return 0;
	if (t->naming.is_jfrconv)
		return (uint16_t)slots[step];
	return (int64_t)slots[step] > 0 && slots[step] <= INT32_MAX ? (uint32_t)slots[step] : 0;
}

static uint32_t decode_frame(struct traces *t, const struct frame_steps *at, const uint64_t *slots)
{
	uint64_t kind = at->kind >= 0 ? slots[at->kind] : FRAME_JIT;
	struct frame frame = { .kind = kind <= FRAME_C1 ? (uint8_t)kind : FRAME_NATIVE };
	struct method_entry *method;
	uint32_t number;

	if (at->method < 0)
		return traces_note_frame(t, "unknown");
	method = method_of(t, at->method_type, slots[at->method], frame.kind);
	if (!method)
		return fail(t);
	frame.line = position(t, t->with_lines, at->line, slots);
	/* A line says more: the index is only shown where there is none. */
	if (!frame.line)
		frame.bci = position(t, t->with_bci, at->bci, slots);
	if (!frame.line && !frame.bci && method->frames[frame.kind])
		return method->frames[frame.kind] - 1;
	frame.name = method->name;
	number = put_frame(t, frame);
	if (!frame.line && !frame.bci && number != FRAME_NONE)
		method->frames[frame.kind] = number + 1;
	return number;
}

/*
 * Frames are most of a recording: where all their members are varints, only those that are shown
 * get slots. The others' are left as they are.
 */
static bool read_shown(const struct traces *t, const struct plan *plan, struct cursor *c,
		       uint64_t *slots)
{
	if (!plan->only_varints || t->with_lines || t->with_bci)
		return plan_decode(plan, c, slots);
	for (int i = 0; i < (int)plan->step_count; i++) {
		uint64_t v = cursor_varint(c);

		if (i == t->steps.method || i == t->steps.kind)
			slots[i] = v;
	}
	return !c->bad;
}

static bool decode_frames(struct traces *t, const struct step *step, uint64_t slot)
{
	struct cursor c = { .pos = slot_bytes(slot), .end = t->objects.chunk->pools.end };
	uint64_t count = cursor_varint(&c);
	const struct jfrec_type *type = step->field->type;
	uint64_t *slots;

	if (step->element->fault)
		return true;
	if (t->steps.type != type)
		t->steps = frame_steps_of(type);
	if (count > TRACE_MAX_FRAMES)
		count = TRACE_MAX_FRAMES;
	slots = arena_alloc(&t->objects.scratch,
			    (step->element->step_count + 1) * sizeof(*slots));
	for (uint64_t i = 0; slots && i < count; i++) {
		struct object constant = { 0 };
		uint32_t frame;

		if (step->field->constant) {
			if (!plan_decode(step->element, &c, slots))
				break;
			constant = object_constant(&t->objects, type, slots[0]);
		} else if (!read_shown(t, step->element, &c, slots)) {
			break;
		}
		frame = decode_frame(t, &t->steps, constant.slots ? constant.slots : slots);
		if (frame == FRAME_NONE)
			return false;
		if (!array_push(t->frames, t->frame_count, t->frame_room, frame))
			return false;
	}
	return slots != NULL;
}

static bool decode_trace(struct traces *t, const struct jfrec_type *type, uint64_t key)
{
	struct object o = object_constant(&t->objects, type, key);
	struct trace_entry e = { .first = t->frame_count };
	const struct plan *plan = plan_of(type);

	for (unsigned i = 0; o.slots && i < plan->step_count; i++) {
		const struct step *s = &plan->steps[i];

		if (s->wire != WIRE_ARRAY || !s->field || !s->field->type ||
		    s->field->type->wire != WIRE_NONE || strcmp(s->field->name, "frames") != 0)
			continue;
		if (!decode_frames(t, s, o.slots[i]))
			return false;
		break; /* no trace has more frames than one array may have */
	}
	e.count = t->frame_count - e.first;
	e.is_truncated = object_number(o, "truncated", 0) != 0;
	arena_recycle(&t->objects.scratch);
	return array_push(t->list, t->count, t->room, e);
}

bool traces_get(struct traces *t, const struct jfrec_type *type, uint64_t key, struct trace *trace)
{
	uint32_t *place, entry = pool_find(&t->objects.chunk->pools, type, key);
	const struct trace_entry *e;

	if (entry == POOL_NONE)
		return false;
	place = idmap_put(&t->by_trace, key, t->count);
	if (!place || (*place == t->count && !decode_trace(t, type, key))) {
		fail(t);
		return false;
	}
	e = &t->list[*place];
	*trace = (struct trace){ t->frames + e->first, e->count, e->is_truncated };
	return true;
}
