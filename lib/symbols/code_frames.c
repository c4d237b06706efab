/* SPDX-License-Identifier: MIT */
/*
 * code_frames.c - stack traces of native programs, written again with names and lines
 *
 * The recorder writes a frame as
 *
 *	method    class: the name of the module; name: the function, or [+0x1000] for a page
 *	          of the module whose functions have no names
 *	line      0
 *	index     the address in the file of the module
 *	type
 *
 * What was called keeps its name.  A frame without one gets the method of that name, of the same
 * class, and functions that were inlined become frames before it; their methods and names are
 * new constants.
 */
#include "symbols/code_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/string.h"

#define MOST_NAME 8192u /* bytes */

/* New constants -------------------------------------------------------------------------------- */

static void constants_fini(struct code_constants *k)
{
	buffer_fini(&k->values);
	digest_map_fini(&k->known);
	free(k->ends);
}

/* False: no key is free. */
static bool find_free_key(struct code_constants *k, const struct chunk *c)
{
	const struct pool *pool = pool_at(&c->pools, k->type->index);
	uint64_t most = 0;

	for (uint32_t i = 0; i < pool->count; i++)
		if (pool->entries[i].key > most)
			most = pool->entries[i].key;
	k->first_key = most + 1;
	return most < UINT64_MAX - UINT32_MAX;
}

/* The key of the constant of that digest, whose value ends k->values if it is new. */
static int constants_add(struct code_constants *k, struct digest d, size_t begin, uint64_t *key,
			 struct jfrec_error *err)
{
	uint64_t *place = digest_map_put(&k->known, d);

	if (!place || k->values.failed)
		return jfrec_fail_memory(err);
	if (*place) {
		k->values.len = begin;
	} else {
		if (!array_push(k->ends, k->count, k->room, k->values.len))
			return jfrec_fail_memory(err);
		*place = k->count;
	}
	*key = k->first_key + *place - 1;
	return 0;
}

/* At most so many bytes, whole characters. */
static size_t name_length(const char *name)
{
	size_t len = strnlen(name, MOST_NAME + 1);

	if (len <= MOST_NAME)
		return len;
	for (len = MOST_NAME; len > 1 && ((uint8_t)name[len] & 0xc0) == 0x80;)
		len--;
	return len;
}

static int add_symbol(struct code_frames *f, const char *name, uint64_t *key,
		      struct jfrec_error *err)
{
	struct code_constants *k = &f->symbols;
	struct digest d = DIGEST_INIT;
	size_t begin = k->values.len, len = name_length(name);

	digest_bytes(&d, name, len);
	buffer_u8(&k->values, STRING_UTF8);
	buffer_varint(&k->values, len);
	buffer_put(&k->values, name, len);
	return constants_add(k, d, begin, key, err);
}

/* The same method with another name: its members are numbers and keys. */
static int add_method(struct code_frames *f, struct object method, const char *name, uint64_t *key,
		      struct jfrec_error *err)
{
	struct code_constants *k = &f->methods;
	const struct plan *plan = plan_of(method.type);
	unsigned name_step = plan->first_step[object_field(method.type, "name")->index];
	struct digest d = DIGEST_INIT;
	size_t begin = k->values.len;
	uint64_t symbol;

	if (add_symbol(f, name, &symbol, err) < 0)
		return -1;
	for (unsigned i = 0; i < plan->step_count; i++) {
		uint64_t value = i == name_step ? symbol : method.slots[i];

		if (plan->steps[i].wire == WIRE_BOOLEAN)
			buffer_u8(&k->values, (uint8_t)value);
		else
			buffer_varint(&k->values, value);
		digest_word(&d, value);
	}
	return constants_add(k, d, begin, key, err);
}

bool code_frames_added(const struct code_frames *f, const struct jfrec_type *t, size_t i,
		       struct added_constant *added)
{
	const struct code_constants *k = t == f->methods.type	? &f->methods
					 : t == f->symbols.type ? &f->symbols
								: NULL;
	size_t begin;

	if (!k || !f->has_modules || i >= k->count)
		return false;
	begin = i ? k->ends[i - 1] : 0;
	*added = (struct added_constant){ k->first_key + i, k->values.data + begin,
					  k->ends[i] - begin };
	return true;
}

/* Places --------------------------------------------------------------------------------------- */

/* "[+0x1000]" */
static bool is_page(const char *name)
{
	return strncmp(name, "[+0x", 4) == 0;
}

static int add_written(struct code_frames *f, uint64_t method, uint32_t line,
		       struct jfrec_error *err)
{
	struct code_written w = { method, line };

	return array_push(f->written, f->written_count, f->written_room, w)
		       ? 0
		       : jfrec_fail_memory(err);
}

/* The outermost function is the one that the frame had already, by its name or its page. */
static int write_place(struct code_frames *f, struct object method, uint64_t key, bool is_nameless,
		       const struct code_frame *frames, unsigned count, struct jfrec_error *err)
{
	for (unsigned i = 0; i < count; i++) {
		bool has_own_name = i + 1 < count || is_nameless;
		uint64_t written = key;

		if (has_own_name && frames[i].name &&
		    add_method(f, method, frames[i].name, &written, err) < 0)
			return -1;
		if (add_written(f, written, frames[i].line, err) < 0)
			return -1;
	}
	return 0;
}

static int look_up(struct code_frames *f, uint64_t key, uint64_t address, struct jfrec_error *err)
{
	struct object method = object_constant(&f->objects, f->methods.type, key);
	struct object class = object_member(&f->objects, method, "type");
	size_t name_len, module_len;
	const char *name = object_text(&f->objects, method, "name", &name_len);
	const char *text = object_text(&f->objects, class, "name", &module_len);
	struct code_module *module =
		name && text ? chunk_modules_named(f->modules, text, module_len) : NULL;
	struct code_frame frames[CODE_FRAMES_MAX];
	unsigned count;

	/* 0: the recorder could not write the address. */
	if (!module || !address)
		return 0;
	if (chunk_modules_find(f->modules, module, address, is_page(name), frames, &count, err) < 0)
		return -1;
	return write_place(f, method, key, is_page(name), frames, count, err);
}

static int find_spot(struct code_frames *f, uint64_t key, uint64_t address, struct code_spot *spot,
		     struct jfrec_error *err)
{
	struct digest d = DIGEST_INIT;
	uint64_t *place;
	int ret;

	digest_word(&d, key);
	digest_word(&d, address);
	place = digest_map_put(&f->spots, d);
	if (!place)
		return jfrec_fail_memory(err);
	if (!*place) {
		*spot = (struct code_spot){ .first = f->written_count };
		*place = f->spot_count + UINT64_C(1);
		ret = look_up(f, key, address, err);
		arena_clear(&f->objects.scratch);
		spot->count = f->written_count - spot->first;
		if (ret == 0 && !array_push(f->spot, f->spot_count, f->spot_room, *spot))
			ret = jfrec_fail_memory(err);
		return ret;
	}
	*spot = f->spot[*place - 1];
	return 0;
}

/* Stack traces --------------------------------------------------------------------------------- */

struct frame {
	uint64_t method, line, index, type;
};

static struct frame read_frame(struct cursor *c)
{
	struct frame frame = { .method = cursor_varint(c) };

	frame.line = cursor_varint(c);
	frame.index = cursor_varint(c);
	frame.type = cursor_varint(c);
	return frame;
}

static void put_frame(struct buffer *to, struct frame frame)
{
	buffer_varint(to, frame.method);
	buffer_varint(to, frame.line);
	buffer_varint(to, frame.index);
	buffer_varint(to, frame.type);
}

/* Append the frames; *total: how many they are now. */
static int replace_frames(struct code_frames *f, struct cursor *c, uint64_t count,
			  struct buffer *to, uint64_t *total, bool *changed,
			  struct jfrec_error *err)
{
	for (; count && !c->bad; count--) {
		struct frame frame = read_frame(c);
		struct code_spot spot;

		if (find_spot(f, frame.method, frame.index, &spot, err) < 0)
			return -1;
		*changed |= spot.count > 0;
		*total += spot.count ? spot.count : 1;
		if (!spot.count)
			put_frame(to, frame);
		for (uint32_t i = 0; i < spot.count; i++) {
			frame.method = f->written[spot.first + i].method;
			frame.line = f->written[spot.first + i].line;
			put_frame(to, frame);
		}
	}
	return 0;
}

int code_frames_replace(struct code_frames *f, const struct jfrec_type *t, const uint8_t *value,
			size_t len, struct buffer *to, struct jfrec_error *err)
{
	struct cursor c = cursor_over(value, len);
	struct buffer frames = { 0 };
	uint64_t count, total = 0;
	bool changed = false;
	uint8_t truncated;
	int ret;

	if (t != f->trace || !f->has_modules)
		return 0;
	truncated = cursor_u8(&c);
	count = cursor_varint(&c);
	ret = replace_frames(f, &c, count, &frames, &total, &changed, err);
	changed &= !c.bad;
	if (ret == 0 && changed) {
		buffer_u8(to, truncated);
		buffer_varint(to, total);
		buffer_put(to, frames.data, frames.len);
		to->failed |= frames.failed;
	}
	buffer_fini(&frames);
	return ret < 0 ? -1 : changed;
}

/* Chunks --------------------------------------------------------------------------------------- */

static bool has_fields(const struct jfrec_type *t, unsigned count, const char *const *names,
		       const enum wire *wires)
{
	const struct plan *plan = t ? plan_of(t) : NULL;

	if (!plan || plan->fault || t->field_count != count || plan->step_count != count)
		return false;
	for (unsigned i = 0; i < count; i++)
		if (strcmp(t->fields[i].name, names[i]) != 0 || plan->steps[i].wire != wires[i])
			return false;
	return true;
}

/* Types as the recorder has them; those of other producers are left alone. */
static bool find_types(struct code_frames *f, const struct metadata *m)
{
	static const char *const of_trace[] = { "truncated", "frames" };
	static const char *const of_frame[] = { "method", "lineNumber", "bytecodeIndex", "type" };
	static const char *const of_method[] = { "type", "name", "descriptor", "modifiers",
						 "hidden" };
	static const char *const of_symbol[] = { "string" };
	static const enum wire trace[] = { WIRE_BOOLEAN, WIRE_ARRAY };
	static const enum wire frame[] = { WIRE_KEY, WIRE_INT, WIRE_INT, WIRE_KEY };
	static const enum wire method[] = { WIRE_KEY, WIRE_KEY, WIRE_KEY, WIRE_INT, WIRE_BOOLEAN };
	static const enum wire symbol[] = { WIRE_STRING };

	f->trace = metadata_type_named(m, "jdk.types.StackTrace");
	if (!has_fields(f->trace, 2, of_trace, trace))
		return false;
	f->frame = f->trace->fields[1].type;
	if (f->trace->fields[1].constant || !has_fields(f->frame, 4, of_frame, frame))
		return false;
	f->methods.type = f->frame->fields[0].type;
	if (!has_fields(f->methods.type, 5, of_method, method))
		return false;
	f->symbols.type = f->methods.type->fields[1].type;
	return f->symbols.type != f->methods.type &&
	       has_fields(f->symbols.type, 1, of_symbol, symbol);
}

int code_frames_enter(struct code_frames *f, struct chunk *c, struct jfrec_error *err)
{
	f->objects.chunk = c;
	if (chunk_modules_enter(f->modules, &f->objects, c, &f->has_modules, err) < 0)
		return -1;
	f->has_modules &= find_types(f, c->metadata) && find_free_key(&f->methods, c) &&
			  find_free_key(&f->symbols, c);
	return 0;
}

void code_frames_fini(struct code_frames *f)
{
	arena_fini(&f->objects.scratch);
	digest_map_fini(&f->spots);
	constants_fini(&f->methods);
	constants_fini(&f->symbols);
	free(f->spot);
	free(f->written);
}
