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
#include "read/code_method.h"

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
		.objects = { .chunk = c, .most_text = NAME_MOST + 1 },
		.book = book,
		.naming = *naming,
		.is_async_profiler = declares_kernel_frames(c),
	};
	/* The number of libc.so.6 is none that differs from run to run. */
	t->naming.normalizes &= !c->metadata->is_native || naming->is_jfrconv;
}

void traces_fini(struct traces *t)
{
	arena_fini(&t->objects.scratch);
	idmap_fini(&t->threads.by_key);
	for (unsigned i = 0; i < FRAME_KINDS; i++)
		idmap_fini(&t->classes[i].by_key);
	idmap_fini(&t->by_method);
	idmap_fini(&t->by_trace);
	idmap_fini(&t->by_object);
	free(t->referrers);
	free(t->seen);
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
	uint32_t name = text ? name_set_put_clipped(&t->book->names, text, len) : NAME_NONE;

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

/* Of a key whose frame was not asked for yet. */
#define NOT_KNOWN (FRAME_NONE - 1)

/* Where the frame of a key is kept, or NOT_KNOWN is. NULL when memory is gone. */
static uint32_t *known_frame(struct frames_of_keys *f, const struct jfrec_type *type, uint64_t key)
{
	if (f->type != type) {
		idmap_fini(&f->by_key);
		f->type = type;
	}
	return idmap_put(&f->by_key, key, NOT_KNOWN);
}

static uint32_t class_frame(struct traces *t, const struct jfrec_type *type, uint64_t key,
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

uint32_t traces_class_frame(struct traces *t, const struct jfrec_type *type, uint64_t key,
			    enum frame_kind kind)
{
	uint32_t *known = known_frame(&t->classes[kind], type, key);

	if (!known)
		return fail(t);
	if (*known == NOT_KNOWN)
		*known = class_frame(t, type, key, kind);
	return *known;
}

static uint32_t thread_frame(struct traces *t, const struct jfrec_type *type, uint64_t key)
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

uint32_t traces_thread_frame(struct traces *t, const struct jfrec_type *type, uint64_t key)
{
	uint32_t *known = known_frame(&t->threads, type, key);

	if (!known)
		return fail(t);
	if (*known == NOT_KNOWN)
		*known = thread_frame(t, type, key);
	return *known;
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
		return name_set_put_clipped(&t->book->names, text, strlen(text));
	name = t->naming.is_jfrconv ? object_text(&t->objects, method, "name", &name_len)
				    : code_method_name(&t->objects, method, &name_len);
	if (!is_native) {
		class = object_member(&t->objects, method, "type");
		symbol = object_text(&t->objects, class, "name", &symbol_len);
	}
	text = frame_method_name(&t->naming, symbol, symbol_len, name, name_len,
				 &t->objects.scratch, &len);
	return text ? name_set_put_clipped(&t->book->names, text, len) : NAME_NONE;
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
	return (int32_t)slots[step] > 0 ? (uint32_t)slots[step] : 0;
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

/* FRAME_NONE: the cursor is bad, or memory is gone. */
static __attribute__((noinline)) uint32_t read_frame(struct traces *t, const struct step *step,
						     struct cursor *c, uint64_t *slots)
{
	struct object constant = { 0 };

	if (!plan_decode(step->element, c, slots))
		return FRAME_NONE;
	if (step->field->constant)
		constant = object_constant(&t->objects, step->field->type, slots[0]);
	return decode_frame(t, &t->steps, constant.slots ? constant.slots : slots);
}

/* Frames seen, at most and at least, powers of two; one for each so many bytes of the chunk. */
#define MAX_SEEN_FRAMES 8192
#define MIN_SEEN_FRAMES 256
#define BYTES_PER_SEEN	256

/* What has more bytes is decoded each time. */
#define SEEN_BYTES  sizeof(((struct seen_frame *)0)->bytes)

/* The first bytes of eight, 1 to 8. */
static inline uint64_t first_bytes(const uint8_t *from, size_t len)
{
	uint64_t eight;

	memcpy(&eight, from, sizeof(eight));
	return eight & UINT64_MAX >> (64 - 8 * len);
}

static inline struct seen_frame frame_of_bytes(const uint8_t *from, size_t len)
{
	if (len <= 8)
		return (struct seen_frame){ .bytes = { first_bytes(from, len), 0 } };
	return (struct seen_frame){ .bytes = { first_bytes(from, 8),
					       first_bytes(from + 8, len - 8) } };
}

/* How many bytes n varints seem to take, if they end within these; else 0. */
static inline size_t length_of(const uint8_t *from, unsigned n)
{
	for (size_t at = 0; at < SEEN_BYTES; at += 8) {
		uint64_t ends;

		memcpy(&ends, from + at, sizeof(ends));
		ends = ~ends & UINT64_C(0x8080808080808080);
		for (; n > 1 && ends; n--)
			ends &= ends - 1;
		if (ends)
			return at + (size_t)__builtin_ctzll(ends) / 8 + 1;
	}
	return 0;
}

/*
 * Frames are most of a recording, and most of them have been in a stack before, the outer ones in
 * nearly all.  Bytes that were decoded before are known again: as many numbers of varying length
 * as a frame has are the same frame if their bytes are the same.  FRAME_NONE as of read_frame().
 */
static inline uint32_t next_frame(struct traces *t, const struct step *step, struct cursor *c,
				  uint64_t *slots)
{
	struct seen_frame frame, *seen;
	const uint8_t *from = c->pos;
	size_t len = 0;

	if (t->seen && step->element->only_varints && step->element->step_count &&
	    cursor_left(c) >= SEEN_BYTES)
		len = length_of(from, step->element->step_count);
	if (!len)
		return read_frame(t, step, c, slots);
	frame = frame_of_bytes(from, len);
	seen = &t->seen[(frame.bytes[0] ^ frame.bytes[1] << 8) * 0x9e3779b97f4a7c15u >> 32 &
			t->seen_mask];
	if (seen->number && seen->bytes[0] == frame.bytes[0] && seen->bytes[1] == frame.bytes[1]) {
		(void)cursor_take(c, len);
		return seen->number - 1;
	}
	frame.number = read_frame(t, step, c, slots) + 1;
	/* FRAME_NONE + 1 is 0; and the ninth byte of a varint ends it whatever it is. */
	if (frame.number && c->pos == from + len)
		*seen = frame;
	return frame.number - 1;
}

/* Without memory for them each frame is decoded. */
static void begin_type(struct traces *t, const struct jfrec_type *type)
{
	uint64_t frames = MIN_SEEN_FRAMES, wanted = t->objects.chunk->extent.size / BYTES_PER_SEEN;

	while (frames < wanted && frames < MAX_SEEN_FRAMES)
		frames *= 2;
	t->steps = frame_steps_of(type);
	free(t->seen);
	t->seen = calloc(frames, sizeof(*t->seen));
	t->seen_mask = frames - 1;
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
		begin_type(t, type);
	if (count > TRACE_MAX_FRAMES)
		count = TRACE_MAX_FRAMES;
	slots = arena_alloc(&t->objects.scratch,
			    (step->element->step_count + 1) * sizeof(*slots));
	for (uint64_t i = 0; slots && i < count; i++) {
		uint32_t frame = next_frame(t, step, &c, slots);

		if (c.bad)
			break;
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
	*trace = (struct trace){ e->count ? t->frames + e->first : NULL, e->count, *place,
				 e->is_truncated };
	return true;
}
