/* SPDX-License-Identifier: MIT */
/*
 * writer.c - the public writer: recordings with event types of your own
 *
 * A tick is a nanosecond, and the first one is 1: small numbers are short.  Later
 * chunks go on counting, since the JDK reads them by the clock of the first.
 */
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/options.h"
#include "format/string.h"
#include "write/pool_writer.h"
#include "write/writer_types.h"

#define TICKS_PER_SECOND 1000000000
#define FIRST_TICK	 1

struct jfrec_writer {
	struct chunk_writer chunk;
	struct jfrec_output *out;
	int64_t origin_ns; /* of FIRST_TICK */
	struct chunk_header header;
	struct new_pool pools[W_FIRST_EVENT];
	struct arena arena; /* of the types */
	struct jfrec_new_type *types;
	size_t type_count, type_room;
	struct buffer event, value;
	bool failed;	/* memory is gone */
	bool too_large; /* an event is */
	struct jfrec_error refused; /* a type that is not understood; .code is JFREC_OK */
};

/* What fits into a size of 4 bytes. */
#define MAX_EVENT ((1u << 28) - 1)

static uint64_t ticks(const struct jfrec_writer *w, int64_t ns)
{
	return (uint64_t)ns - (uint64_t)w->origin_ns + FIRST_TICK;
}

static void begin(struct jfrec_writer *w, int64_t start_ns)
{
	w->header = (struct chunk_header){
		.major = 2,
		.minor = 1,
		.start_ns = start_ns,
		.start_ticks = (int64_t)ticks(w, start_ns),
		.ticks_per_second = TICKS_PER_SECOND,
		.flags = CHUNK_COMPRESSED_INTS,
	};
	chunk_writer_begin(&w->chunk, w->out, &w->header);
}

struct jfrec_writer *jfrec_writer_new(struct jfrec_output *o, int64_t start_ns,
				      struct jfrec_error *err)
{
	struct jfrec_writer *w = calloc(1, sizeof(*w));

	if (!w) {
		jfrec_fail_memory(err);
		return NULL;
	}
	w->out = o;
	w->origin_ns = start_ns;
	for (unsigned i = 0; i < W_FIRST_EVENT; i++)
		w->pools[i].type_id = i;
	begin(w, start_ns);
	return w;
}

/* False: a field is of a kind that no field can have. */
static bool check_fields(struct jfrec_writer *w, const struct jfrec_new_type *t)
{
	for (size_t i = 0; i < t->field_count; i++) {
		if (new_field_is_known(&t->fields[i]))
			continue;
		jfrec_fail(&w->refused, JFREC_EINVAL, JFREC_NO_OFFSET,
			   "%s.%s: no field can be of kind %d", t->name, t->fields[i].name,
			   (int)t->fields[i].kind);
		return false;
	}
	return true;
}

unsigned jfrec_writer_type(struct jfrec_writer *w, const struct jfrec_new_type *type)
{
	struct jfrec_new_type t;

	if (!array_reserve(w->types, w->type_count, w->type_room)) {
		w->failed = true;
		return 0;
	}
	if (options_take(&t, sizeof(t), type, &w->refused) < 0 || !check_fields(w, &t))
		return 0;
	if (!new_type_copy(&w->arena, &t, &w->types[w->type_count]))
		w->failed = true;
	return (unsigned)w->type_count++;
}

/* Constants ------------------------------------------------------------------------------------ */

static void put_string(struct buffer *b, const char *s)
{
	size_t len = s ? strlen(s) : 0;

	if (len == 0) {
		buffer_u8(b, s ? STRING_EMPTY : STRING_NULL);
		return;
	}
	buffer_u8(b, STRING_UTF8);
	buffer_varint(b, len);
	buffer_put(b, s, len);
}

/* The key of what is in w->value. */
static uint64_t intern(struct jfrec_writer *w, enum writer_type type)
{
	uint64_t key = new_pool_intern(&w->pools[type], w->value.data, w->value.len);

	w->failed |= !key;
	return key;
}

static uint64_t symbol(struct jfrec_writer *w, const char *text, enum writer_type type)
{
	if (!text)
		return 0;
	buffer_clear(&w->value);
	put_string(&w->value, text);
	return intern(w, type);
}

uint64_t jfrec_writer_thread(struct jfrec_writer *w, const struct jfrec_new_thread *thread)
{
	uint64_t group = 0;

	if (thread->group) {
		buffer_clear(&w->value);
		buffer_varint(&w->value, 0);
		put_string(&w->value, thread->group);
		group = intern(w, W_THREAD_GROUP);
	}
	buffer_clear(&w->value);
	put_string(&w->value, thread->os_name);
	buffer_varint(&w->value, (uint64_t)thread->os_id);
	put_string(&w->value, thread->name);
	buffer_varint(&w->value, (uint64_t)thread->id);
	buffer_varint(&w->value, group);
	buffer_u8(&w->value, thread->is_virtual);
	return intern(w, W_THREAD);
}

/* JVMs write names of classes and packages with slashes. */
static char *with_slashes(const char *name)
{
	char *s = strdup(name);

	for (char *p = s; p && (p = strchr(p, '.')) != NULL;)
		*p = '/';
	return s;
}

static uint64_t package(struct jfrec_writer *w, char *class_name)
{
	char *slash = strrchr(class_name, '/');
	uint64_t name;

	if (!slash)
		return 0;
	*slash = '\0';
	name = symbol(w, class_name, W_SYMBOL);
	*slash = '/';
	buffer_clear(&w->value);
	buffer_varint(&w->value, name);
	buffer_varint(&w->value, 0);
	buffer_u8(&w->value, 1);
	return intern(w, W_PACKAGE);
}

uint64_t jfrec_writer_class(struct jfrec_writer *w, const char *name)
{
	char *internal = with_slashes(name);
	uint64_t of, symbol_key;

	if (!internal) {
		w->failed = true;
		return 0;
	}
	of = package(w, internal);
	symbol_key = symbol(w, internal, W_SYMBOL);
	free(internal);
	buffer_clear(&w->value);
	buffer_varint(&w->value, 0);
	buffer_varint(&w->value, symbol_key);
	buffer_varint(&w->value, of);
	buffer_varint(&w->value, 1); /* public */
	buffer_u8(&w->value, 0);
	return intern(w, W_CLASS);
}

static uint64_t method(struct jfrec_writer *w, const struct jfrec_new_frame *f)
{
	uint64_t type = f->class_name ? jfrec_writer_class(w, f->class_name) : 0;
	uint64_t name = symbol(w, f->method, W_SYMBOL);
	uint64_t descriptor = symbol(w, f->descriptor ? f->descriptor : "()V", W_SYMBOL);

	buffer_clear(&w->value);
	buffer_varint(&w->value, type);
	buffer_varint(&w->value, name);
	buffer_varint(&w->value, descriptor);
	buffer_varint(&w->value, 1);
	buffer_u8(&w->value, 0);
	return intern(w, W_METHOD);
}

uint64_t jfrec_writer_stack(struct jfrec_writer *w, const struct jfrec_new_frame *frames,
			    size_t count, bool truncated)
{
	struct buffer value = { 0 };
	uint64_t key;

	buffer_u8(&value, truncated);
	buffer_varint(&value, count);
	for (size_t i = 0; i < count; i++) {
		const struct jfrec_new_frame *f = &frames[i];

		buffer_varint(&value, method(w, f));
		buffer_varint(&value, (uint32_t)f->line);
		buffer_varint(&value, 0);
		buffer_varint(&value, symbol(w, f->kind ? f->kind : "JIT compiled", W_FRAME_TYPE));
	}
	key = new_pool_intern(&w->pools[W_STACK_TRACE], value.data, value.len);
	w->failed |= value.failed || !key;
	buffer_fini(&value);
	return key;
}

/* Events --------------------------------------------------------------------------------------- */

static void put_float(struct buffer *b, float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	buffer_be(b, bits, 4);
}

static void put_double(struct buffer *b, double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	buffer_be(b, bits, 8);
}

/* Whole numbers are extended with zeros from their own width. */
static void put_value(struct jfrec_writer *w, const struct jfrec_new_field *f,
		      const union jfrec_datum *v)
{
	struct buffer *b = &w->event;

	switch (f->kind) {
	case JFREC_KIND_BOOL:
		buffer_u8(b, v->i != 0);
		break;
	case JFREC_KIND_INT8:
	case JFREC_KIND_UINT8:
		buffer_u8(b, (uint8_t)v->i);
		break;
	case JFREC_KIND_CHAR:
	case JFREC_KIND_INT16:
	case JFREC_KIND_UINT16:
		buffer_varint(b, (uint16_t)v->i);
		break;
	case JFREC_KIND_INT32:
	case JFREC_KIND_UINT32:
		buffer_varint(b, (uint32_t)v->i);
		break;
	case JFREC_KIND_INT64:
	case JFREC_KIND_UINT64:
		buffer_varint(b, new_field_is_ticks(f) ? ticks(w, v->i) : (uint64_t)v->i);
		break;
	case JFREC_KIND_FLOAT32:
		put_float(b, (float)v->d);
		break;
	case JFREC_KIND_FLOAT64:
		put_double(b, v->d);
		break;
	case JFREC_KIND_STRING:
		put_string(b, v->s);
		break;
	default: /* a key */
		buffer_varint(b, v->key);
		break;
	}
}

void jfrec_writer_event(struct jfrec_writer *w, unsigned type, const struct jfrec_new_event *event,
			const union jfrec_datum *values)
{
	const struct jfrec_new_type *t = type < w->type_count ? &w->types[type] : NULL;
	uint8_t size[VARINT_MAX];

	if (w->failed || w->refused.code || !t)
		return;
	buffer_clear(&w->event);
	buffer_varint(&w->event, W_FIRST_EVENT + type);
	buffer_varint(&w->event, ticks(w, event->start_ns));
	if (t->has_duration)
		buffer_varint(&w->event, (uint64_t)event->duration_ns);
	if (t->has_thread)
		buffer_varint(&w->event, event->thread);
	if (t->has_stack)
		buffer_varint(&w->event, event->stack);
	for (size_t i = 0; i < t->field_count; i++)
		put_value(w, &t->fields[i], &values[i]);
	if (w->event.len + 4 > MAX_EVENT) {
		w->too_large = true;
		return;
	}
	varint_put_padded(size, w->event.len + 4, 4);
	chunk_writer_event(&w->chunk, size, 4);
	chunk_writer_event(&w->chunk, w->event.data, w->event.len);
}

/* The end -------------------------------------------------------------------------------------- */

static int end_chunk(struct jfrec_writer *w, int64_t end_ns, struct jfrec_error *err)
{
	if (w->refused.code)
		return jfrec_fail(err, w->refused.code, JFREC_NO_OFFSET, "%s", w->refused.text);
	w->chunk.header.duration_ns = end_ns - w->header.start_ns;
	for (unsigned i = 0; i < W_FIRST_EVENT; i++)
		new_pool_write(&w->pools[i], &w->chunk);
	buffer_clear(&w->value);
	writer_metadata(w->types, w->type_count, &w->value);
	chunk_writer_metadata(&w->chunk, w->header.start_ticks, w->value.data, w->value.len);
	if (w->failed || w->value.failed || w->event.failed)
		return jfrec_fail_memory(err);
	if (w->too_large)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "an event is larger than 256 MiB");
	return chunk_writer_end(&w->chunk, err);
}

int jfrec_writer_next_chunk(struct jfrec_writer *w, int64_t ns, struct jfrec_error *err)
{
	if (ns <= w->header.start_ns)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "a chunk must end after it began");
	if (end_chunk(w, ns, err) < 0)
		return -1;
	begin(w, ns);
	return 0;
}

int jfrec_writer_end(struct jfrec_writer *w, int64_t end_ns, struct jfrec_error *err)
{
	return end_chunk(w, end_ns, err);
}

void jfrec_writer_free(struct jfrec_writer *w)
{
	if (!w)
		return;
	for (unsigned i = 0; i < W_FIRST_EVENT; i++)
		new_pool_fini(&w->pools[i]);
	chunk_writer_fini(&w->chunk);
	buffer_fini(&w->event);
	buffer_fini(&w->value);
	arena_fini(&w->arena);
	free(w->types);
	free(w);
}
