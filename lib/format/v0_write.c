/* SPDX-License-Identifier: MIT */
/*
 * v0_write.c - events and constants of version 0.x in the encoding of 2.1
 */
#include "format/v0_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "format/metadata.h"
#include "format/string.h"

/* The largest size of an event that four bytes can hold. */
#define MAX_EVENT ((1u << 28) - 1)

static bool is_setting(const struct v0_event *e)
{
	const struct v0_name *name = v0_name_of(e);

	return name && strcmp(name->name, "ActiveSetting") == 0;
}

static bool make_plans(struct v0_writer *w)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < w->types->event_count; i++) {
		const struct v0_event *e = &w->types->events[i];
		struct v0_plan *plan = &w->plans[i];

		plan->fields = v0_fields_of(&w->arena, e->structure, e);
		if (!plan->fields)
			return false;
		plan->is_setting = is_setting(e);
		plan->timed_out = v0_value_named(e->structure, "timedOut");
		plan->notifier = v0_value_named(e->structure, "notifier");
		if (e->structure->count > most)
			most = e->structure->count;
	}
	w->places = calloc((size_t)most + 1, sizeof(*w->places));
	return w->places;
}

int v0_writer_init(struct v0_writer *w, const struct v0_types *t, struct v0_constants *k,
		   struct buffer *to, uint64_t *last_key)
{
	*w = (struct v0_writer){ .types = t, .constants = k, .to = to, .last_key = last_key };
	w->pools = calloc((size_t)V0_POOL_OTHER + t->content_count, sizeof(*w->pools));
	w->plans = calloc((size_t)t->event_count + 1, sizeof(*w->plans));
	return w->pools && w->plans && make_plans(w) ? 0 : -1;
}

void v0_writer_fini(struct v0_writer *w)
{
	for (uint32_t i = 0; w->pools && i < V0_POOL_OTHER + w->types->content_count; i++)
		buffer_fini(&w->pools[i].records);
	free(w->pools);
	free(w->plans);
	free(w->places);
	free(w->due);
	digest_map_fini(&w->threads);
	arena_fini(&w->arena);
	*w = (struct v0_writer){ 0 };
}

uint64_t v0_event_type_id(const struct v0_writer *w, const struct v0_event *e)
{
	return w->plans[e->index].is_setting ? V0_TYPE_SETTING
					     : V0_TYPE_EVENTS + (uint64_t)e->index;
}

uint32_t v0_pool_of(const struct v0_content *k)
{
	switch (k->role) {
	case V0_THREAD:
	case V0_JAVATHREAD:
	case V0_VMTHREAD:
		return V0_POOL_THREAD;
	case V0_GROUP:
		return V0_POOL_GROUP;
	case V0_STACK:
		return V0_POOL_STACK;
	case V0_CLASS:
		return V0_POOL_CLASS;
	case V0_METHOD:
		return V0_POOL_METHOD;
	case V0_SYMBOL:
		return V0_POOL_SYMBOL;
	default:
		return V0_POOL_OTHER + k->index;
	}
}

/* Constants ------------------------------------------------------------------------------------ */

/* A key for it, and its value when its turn comes. */
static uint64_t owe(struct v0_writer *w, struct v0_due due)
{
	uint32_t counter = due.pool < V0_POOL_OTHER ? due.pool : V0_POOL_OTHER;

	due.key = ++w->last_key[counter];
	if (!array_push(w->due, w->due_count, w->due_room, due))
		w->failed = true;
	return due.key;
}

static uint64_t key_of(struct v0_writer *w, struct v0_constant *k)
{
	if (k && !k->out)
		k->out = owe(w, (struct v0_due){ .pool = v0_pool_of(k->content), .constant = k });
	return k ? k->out : 0;
}

static uint64_t loader_key(struct v0_writer *w, struct v0_constant *class)
{
	if (class && !class->out_as_loader)
		class->out_as_loader =
			owe(w, (struct v0_due){ .pool = V0_POOL_LOADER, .constant = class });
	return class ? class->out_as_loader : 0;
}

/*
 * The thread with that id of the system at that time; java: which of Java's it is, or NULL: the one
 * that it was then.
 */
static uint64_t thread_key(struct v0_writer *w, uint64_t id, int64_t ticks,
			   struct v0_constant *java)
{
	struct v0_constant *name = v0_constant_at(w->constants, w->types->threads, id, ticks);
	struct digest d = DIGEST_INIT;
	uint64_t *key;

	if (id == 0)
		return 0;
	if (!java)
		java = v0_java_thread_at(w->constants, id, name ? name->ticks : ticks);
	digest_word(&d, id);
	digest_word(&d, (uintptr_t)name);
	digest_word(&d, java ? java->key : 0);
	key = digest_map_put(&w->threads, d);
	if (!key) {
		w->failed = true;
		return 0;
	}
	if (!*key)
		*key = owe(w, (struct v0_due){ V0_POOL_THREAD, .id = id, .constant = name,
					       .java_thread = java });
	return *key;
}

/* What a key of this content means at that time, as a key of 2.1. */
static uint64_t new_key(struct v0_writer *w, const struct v0_content *content, uint64_t key,
			int64_t ticks, bool is_loader)
{
	struct v0_constant *k;

	if (content->role == V0_THREAD)
		return thread_key(w, key, ticks, NULL);
	k = v0_constant_at(w->constants, content, key, ticks);
	if (!k)
		return 0;
	if (content->role == V0_JAVATHREAD)
		return thread_key(w, v0_part_key(k, "thread"), ticks, k);
	if (content->role == V0_VMTHREAD)
		return thread_key(w, v0_part_key(k, "thread"), ticks, NULL);
	return is_loader && content->role == V0_CLASS ? loader_key(w, k) : key_of(w, k);
}

/* Another constant to which a part of this one refers. */
static struct v0_constant *part_of(struct v0_writer *w, const struct v0_constant *k, const char *id)
{
	const struct v0_value *v;
	struct cursor c;

	if (!v0_part(k, id, &c, &v) || !v->pool)
		return NULL;
	return v0_constant_at(w->constants, v->pool, v0_read_key(&c, v->kind), k->ticks);
}

/* Values --------------------------------------------------------------------------------------- */

static void put_utf(struct buffer *b, struct v0_text t)
{
	buffer_u8(b, t.len ? STRING_UTF8 : STRING_EMPTY);
	if (t.len) {
		buffer_varint(b, t.len);
		buffer_put(b, t.bytes, t.len);
	}
}

static void put_text(struct buffer *b, const char *s)
{
	put_utf(b, (struct v0_text){ (const uint8_t *)s, (uint32_t)strlen(s) });
}

/* UTF-16: each unit is a varint. */
static void put_units(struct buffer *b, struct cursor *c)
{
	uint32_t n = v0_read_count(c, 2);
	const uint8_t *units = cursor_take(c, 2 * (uint64_t)n);

	if (!n || !units) {
		buffer_u8(b, STRING_EMPTY);
		return;
	}
	buffer_u8(b, STRING_CHARS);
	buffer_varint(b, n);
	for (uint32_t i = 0; i < n; i++)
		buffer_varint(b, be16(units + 2 * (size_t)i));
}

static uint64_t cut_to(uint64_t v, unsigned width)
{
	return width < 8 ? v & ((UINT64_C(1) << 8 * width) - 1) : v;
}

static void put_number(struct buffer *b, const struct v0_value *v, uint8_t kind, struct cursor *c)
{
	unsigned width = v0_width(kind);
	uint64_t n = (uint64_t)v0_read_number(c, kind);

	switch (kind) {
	case V0_BOOLEAN:
		buffer_u8(b, n != 0);
		break;
	case V0_BYTE:
	case V0_U1:
		buffer_u8(b, (uint8_t)n);
		break;
	case V0_FLOAT:
	case V0_DOUBLE:
		buffer_be(b, n, width);
		break;
	default:
		buffer_varint(b, cut_to(n * v->times, width));
	}
}

static void put_scalar(struct v0_writer *w, struct buffer *b, const struct v0_value *v,
		       uint8_t kind, struct cursor *c, int64_t ticks)
{
	if (kind == V0_UTF)
		put_utf(b, v0_read_text(c));
	else if (kind == V0_STRING)
		put_units(b, c);
	else if (v->pool)
		buffer_varint(b, new_key(w, v->pool, v0_read_key(c, kind), ticks, v->is_loader));
	else
		put_number(b, v, kind, c);
}

static void put_structure(struct v0_writer *w, struct buffer *b, const struct v0_structure *s,
			  struct cursor *c, int64_t ticks);

static void put_value(struct v0_writer *w, struct buffer *b, const struct v0_value *v,
		      struct cursor *c, int64_t ticks)
{
	uint32_t n;

	switch (v->kind) {
	case V0_STRUCT:
		put_structure(w, b, v->structure, c, ticks);
		break;
	case V0_STRUCTS:
		n = v0_read_count(c, v->structure->least);
		buffer_varint(b, n);
		for (; n && !c->bad; n--)
			put_structure(w, b, v->structure, c, ticks);
		break;
	case V0_ARRAY:
		n = v0_read_count(c, 1);
		buffer_varint(b, n);
		for (; n && !c->bad; n--)
			put_scalar(w, b, v, v->element, c, ticks);
		break;
	default:
		put_scalar(w, b, v, v->kind, c, ticks);
	}
}

static void put_structure(struct v0_writer *w, struct buffer *b, const struct v0_structure *s,
			  struct cursor *c, int64_t ticks)
{
	for (uint32_t i = 0; i < s->count && !c->bad; i++)
		put_value(w, b, &s->values[i], c, ticks);
}

/* What constants are --------------------------------------------------------------------------- */

static struct v0_text text_of(const struct v0_constant *k, const char *id)
{
	struct v0_text none = { .bytes = (const uint8_t *)"" };
	const struct v0_value *v;
	struct cursor c;

	return v0_part(k, id, &c, &v) && v->kind == V0_UTF ? v0_read_text(&c) : none;
}

static struct v0_text first_text(const struct v0_constant *k)
{
	struct cursor c = cursor_over(k->value, (uint64_t)(k->end - k->value));
	const struct v0_structure *s = k->content->structure;

	if (s->count && s->values[0].kind == V0_UTF)
		return v0_read_text(&c);
	return (struct v0_text){ .bytes = c.pos };
}

static void put_thread(struct v0_writer *w, struct buffer *b, const struct v0_due *due)
{
	struct v0_text name = { 0 };

	if (due->constant)
		name = first_text(due->constant);
	if (due->constant)
		put_utf(b, name);
	else
		buffer_u8(b, STRING_NULL);
	buffer_varint(b, due->id);
	if (due->constant && due->java_thread)
		put_utf(b, name);
	else
		buffer_u8(b, STRING_NULL);
	buffer_varint(b, due->java_thread ? due->java_thread->key : 0);
	buffer_varint(b, due->java_thread ? key_of(w, part_of(w, due->java_thread, "group")) : 0);
}

/* The parent may be the group itself. */
static void put_group(struct v0_writer *w, struct buffer *b, const struct v0_constant *k)
{
	struct v0_constant *parent = part_of(w, k, "parent");

	buffer_varint(b, parent && parent->key != k->key ? key_of(w, parent) : 0);
	put_utf(b, text_of(k, "name"));
}

static void put_class(struct v0_writer *w, struct buffer *b, const struct v0_constant *k)
{
	buffer_varint(b, loader_key(w, part_of(w, k, "loaderClass")));
	buffer_varint(b, key_of(w, part_of(w, k, "name")));
	buffer_varint(b, v0_part_key(k, "modifiers") & 0xffff);
	buffer_u8(b, 0);
}

static void put_method(struct v0_writer *w, struct buffer *b, const struct v0_constant *k)
{
	buffer_varint(b, key_of(w, part_of(w, k, "class")));
	buffer_varint(b, key_of(w, part_of(w, k, "name")));
	buffer_varint(b, key_of(w, part_of(w, k, "signature")));
	buffer_varint(b, v0_part_key(k, "modifiers") & 0xffff);
	buffer_u8(b, v0_part_key(k, "hidden") != 0);
}

/*
 * The recorder's own methods, which stand above each exception that is thrown: those of classes in
 * packages below oracle.jrockit.jfr.
 */
#define RECORDER "oracle/jrockit/jfr/"

static bool is_of_recorder(struct v0_writer *w, const struct v0_constant *method)
{
	const struct v0_constant *class = method ? part_of(w, method, "class") : NULL;
	const struct v0_constant *symbol = class ? part_of(w, class, "name") : NULL;
	struct v0_text name = { 0 };
	size_t len = strlen(RECORDER);

	if (symbol)
		name = first_text(symbol);
	return name.len > len && memcmp(name.bytes, RECORDER, len) == 0 &&
	       memchr(name.bytes + len, '/', name.len - len);
}

/* Where a frame's structure has what. */
struct frame_shape {
	int method, line, bci, type;
};

static struct frame_shape shape_of(const struct v0_structure *s)
{
	return (struct frame_shape){ v0_value_named(s, "method"), v0_value_named(s, "line"),
				     v0_value_named(s, "bci"), v0_value_named(s, "type") };
}

/* False: it is the recorder's own, and left out. */
static bool put_frame(struct v0_writer *w, struct buffer *b, const struct v0_structure *s,
		      const struct frame_shape *shape, struct cursor *c, int64_t ticks)
{
	struct v0_constant *method = NULL;
	uint64_t line = UINT32_MAX, bci = UINT32_MAX, type = 0;

	for (int i = 0; i < (int)s->count; i++) {
		const struct v0_value *v = &s->values[i];

		if (i == shape->method && v->pool)
			method = v0_constant_at(w->constants, v->pool, v0_read_key(c, v->kind),
						ticks);
		else if (i == shape->type && v->pool)
			type = new_key(w, v->pool, v0_read_key(c, v->kind), ticks, false);
		else if (i == shape->line && v0_width(v->kind))
			line = cut_to((uint64_t)v0_read_number(c, v->kind), 4);
		else if (i == shape->bci && v0_width(v->kind))
			bci = cut_to((uint64_t)v0_read_number(c, v->kind), 4);
		else
			v0_skip(c, v);
	}
	if (is_of_recorder(w, method))
		return false;
	buffer_varint(b, key_of(w, method));
	buffer_varint(b, line);
	buffer_varint(b, bci);
	buffer_varint(b, type);
	return true;
}

/* Room for any count of frames. */
#define COUNT_WIDTH 5

static void put_stack(struct v0_writer *w, struct buffer *b, const struct v0_constant *k)
{
	uint32_t n = 0, written = 0;
	const struct v0_value *v;
	struct frame_shape shape;
	struct cursor c;
	size_t at;

	buffer_u8(b, v0_part_key(k, "truncated") != 0);
	at = b->len;
	buffer_padded(b, 0, COUNT_WIDTH);
	if (v0_part(k, "frames", &c, &v) && v->kind == V0_STRUCTS) {
		shape = shape_of(v->structure);
		for (n = v0_read_count(&c, v->structure->least); n && !c.bad; n--)
			written += put_frame(w, b, v->structure, &shape, &c, k->ticks);
	}
	if (!b->failed)
		varint_put_padded(b->data + at, written, COUNT_WIDTH);
}

static void put_constant(struct v0_writer *w, struct buffer *b, const struct v0_due *due)
{
	const struct v0_constant *k = due->constant;
	struct cursor c;

	buffer_varint(b, due->key);
	switch (due->pool) {
	case V0_POOL_THREAD:
		put_thread(w, b, due);
		break;
	case V0_POOL_GROUP:
		put_group(w, b, k);
		break;
	case V0_POOL_LOADER:
		buffer_varint(b, key_of(w, due->constant));
		buffer_varint(b, 0);
		break;
	case V0_POOL_CLASS:
		put_class(w, b, k);
		break;
	case V0_POOL_METHOD:
		put_method(w, b, k);
		break;
	case V0_POOL_SYMBOL:
		put_utf(b, first_text(k));
		break;
	case V0_POOL_STACK:
		put_stack(w, b, k);
		break;
	default:
		c = cursor_over(k->value, (uint64_t)(k->end - k->value));
		put_structure(w, b, k->content->structure, &c, k->ticks);
	}
}

/* Each may ask for others. */
static void pay(struct v0_writer *w)
{
	while (w->due_count && !w->failed) {
		struct v0_due due = w->due[--w->due_count];
		struct v0_pool_out *pool = &w->pools[due.pool];

		put_constant(w, &pool->records, &due);
		pool->count++;
		w->failed |= pool->records.failed;
	}
}

uint64_t v0_pool_type_id(uint32_t pool)
{
	/* After the events, whose number is below 2^32. */
	return pool < V0_POOL_OTHER ? V0_TYPE_POOLS + (uint64_t)pool
				    : (UINT64_C(1) << 33) + (pool - V0_POOL_OTHER);
}

static void put_pool(struct buffer *b, uint64_t type, const struct v0_pool_out *pool)
{
	buffer_varint(b, type);
	buffer_varint(b, pool->count);
	buffer_put(b, pool->records.data, pool->records.len);
}

/* One event whose size takes so many bytes, from `at` on. */
#define WIDE 5

void v0_write_constants(struct v0_writer *w)
{
	uint32_t count = V0_POOL_OTHER + w->types->content_count, used = 0;
	struct buffer *b = w->to;
	size_t at = b->len;

	pay(w);
	for (uint32_t i = 0; i < count; i++)
		used += w->pools[i].count != 0;
	buffer_padded(b, 0, WIDE);
	buffer_varint(b, TYPE_CHECKPOINT);
	buffer_varint(b, (uint64_t)w->types->start_ticks);
	buffer_varint(b, 0);
	buffer_varint(b, 0);
	buffer_u8(b, 0);
	buffer_varint(b, used);
	for (uint32_t i = 0; i < count; i++) {
		if (w->pools[i].count)
			put_pool(b, v0_pool_type_id(i), &w->pools[i]);
	}
	if (!b->failed)
		varint_put_padded(b->data + at, b->len - at, WIDE);
}

/* Events --------------------------------------------------------------------------------------- */

#define NARROW 4

static size_t begin_event(struct buffer *b, uint64_t type, int64_t start)
{
	size_t at = b->len;

	buffer_padded(b, 0, NARROW);
	buffer_varint(b, type);
	buffer_varint(b, (uint64_t)start);
	return at;
}

/* fits: its values did.  False: what was written of it is gone again. */
static bool end_event(struct v0_writer *w, size_t at, bool fits)
{
	struct buffer *b = w->to;

	w->failed |= b->failed;
	if (w->failed)
		return false;
	if (!fits || b->len - at > MAX_EVENT) {
		b->len = at;
		return false;
	}
	varint_put_padded(b->data + at, b->len - at, NARROW);
	return true;
}

/* The fields of a setting of 0.x; of what it says, each is an event of its own in 2.x. */
static int64_t field_number(const struct v0_event *e, struct cursor c, const char *id, bool *found)
{
	int index = v0_value_named(e->structure, id);

	*found = index >= 0 && v0_width(e->structure->values[index].kind);
	for (int i = 0; *found && i < index; i++)
		v0_skip(&c, &e->structure->values[i]);
	return *found ? v0_read_number(&c, e->structure->values[index].kind) : 0;
}

static void put_setting(struct v0_writer *w, const struct v0_event *of, int64_t end,
			const char *name, const char *value)
{
	size_t at = begin_event(w->to, V0_TYPE_SETTING, end);

	buffer_varint(w->to, v0_event_type_id(w, of));
	put_text(w->to, name);
	put_text(w->to, value);
	end_event(w, at, true);
}

/* The least and the largest long mean that there is none. */
static bool is_set(int64_t n)
{
	return n > -INT64_MAX && n < INT64_MAX;
}

static void put_threshold(struct v0_writer *w, const struct v0_event *of, int64_t end, int64_t ns)
{
	char text[32];

	if (!of->has_start || !is_set(ns))
		return;
	if (ns % 1000000 == 0)
		snprintf(text, sizeof(text), "%" PRId64 " ms", ns / 1000000);
	else
		snprintf(text, sizeof(text), "%" PRId64 " ns", ns);
	put_setting(w, of, end, "threshold", text);
}

static void put_period(struct v0_writer *w, const struct v0_event *of, int64_t end, int64_t ms)
{
	char text[32] = "everyChunk";

	if (!of->is_requestable || !is_set(ms))
		return;
	if (ms)
		snprintf(text, sizeof(text), "%" PRId64 " ms", ms);
	put_setting(w, of, end, "period", text);
}

/* One of async-profiler's names a type that there is not. */
static bool write_setting(struct v0_writer *w, const struct v0_event *e, int64_t end,
			  struct cursor c)
{
	static const struct {
		const char *id, *name;
	} flags[] = { { "enabled", "enabled" }, { "stacktrace", "stackTrace" } };
	const struct v0_event *of;
	bool found;
	int64_t n;

	n = field_number(e, c, "id", &found);
	of = found ? v0_event_of(w->types, (uint32_t)n) : NULL;
	for (size_t i = 0; of && i < sizeof(flags) / sizeof(*flags); i++) {
		n = field_number(e, c, flags[i].id, &found);
		if (found)
			put_setting(w, of, end, flags[i].name, n ? "true" : "false");
	}
	if (!of)
		return true;
	n = field_number(e, c, "threshold", &found);
	if (found)
		put_threshold(w, of, end, n);
	n = field_number(e, c, "period", &found);
	if (found)
		put_period(w, of, end, n);
	return !w->failed;
}

/* Where each value lies.  False: they do not fit. */
static bool find_values(struct v0_writer *w, const struct v0_structure *s, struct cursor c)
{
	for (uint32_t i = 0; i < s->count && !c.bad; i++) {
		w->places[i] = c.pos;
		v0_skip(&c, &s->values[i]);
	}
	return !c.bad;
}

static bool put_fields(struct v0_writer *w, const struct v0_event *e, const uint8_t *limit,
		       int64_t end)
{
	const struct v0_plan *plan = &w->plans[e->index];
	const struct v0_structure *s = e->structure;
	bool has_timed_out =
		plan->timed_out >= 0 && plan->notifier >= 0 && *w->places[plan->timed_out];

	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t value = plan->fields[i].value;
		const struct v0_value *v = &s->values[value];
		struct cursor at = { .pos = w->places[value], .end = limit };

		/* Who notified is whatever was in memory when no thread did. */
		if (has_timed_out && (int)value == plan->notifier && v->pool)
			buffer_varint(w->to, 0);
		else
			put_value(w, w->to, v, &at, end);
		if (at.bad)
			return false;
	}
	return true;
}

bool v0_write_event(struct v0_writer *w, const struct v0_event *e, int64_t end, struct cursor c)
{
	int64_t start = e->has_start ? (int64_t)cursor_be64(&c) : end;
	uint64_t thread = e->has_thread ? cursor_be32(&c) : 0;
	uint64_t stack = e->has_stack ? cursor_be64(&c) : 0;
	bool fits;
	size_t at;

	if (c.bad || !find_values(w, e->structure, c))
		return false;
	if (w->plans[e->index].is_setting)
		return write_setting(w, e, end, c);
	at = begin_event(w->to, v0_event_type_id(w, e), start);
	if (e->has_start)
		buffer_varint(w->to, end > start ? (uint64_t)end - (uint64_t)start : 0);
	if (e->has_thread)
		buffer_varint(w->to, thread_key(w, thread, end, NULL));
	if (e->has_stack)
		buffer_varint(w->to, w->types->stacks
					     ? new_key(w, w->types->stacks, stack, end, false)
					     : 0);
	fits = put_fields(w, e, c.end, end);
	pay(w);
	return end_event(w, at, fits);
}

bool v0_write_loss(struct v0_writer *w, int64_t end, struct cursor c)
{
	size_t at = begin_event(w->to, V0_TYPE_LOSS, end);

	cursor_be32(&c);
	buffer_varint(w->to, cursor_be32(&c));
	return end_event(w, at, !c.bad);
}
