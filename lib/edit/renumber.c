/* SPDX-License-Identifier: MIT */
/*
 * renumber.c - give the types of a JVM new ids
 *
 * Ids are decimal strings in the table of the metadata event.  All strings stay
 * where they are; new ones follow them, and the elements point to these.
 */
#include "edit/renumber.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cursor.h"
#include "format/string.h"

struct renumbering {
	uint32_t jvm;
	struct cursor c;
	struct arena arena;
	const char **strings;
	uint64_t count;
	struct buffer added, elements;
	uint64_t added_count;
};

/* F(31).  No JVM is known to have types with ids so large. */
#define TYPE_ID_STEP 1346269

uint64_t new_type_id(uint32_t jvm, uint64_t old)
{
	return old < TYPE_ID_STEP ? old + (uint64_t)jvm * TYPE_ID_STEP
				  : old + ((uint64_t)jvm << 40);
}

static const char *text(const struct renumbering *n, uint64_t index)
{
	return index < n->count && n->strings[index] ? n->strings[index] : "";
}

/* Append the string of that id; returns its index. */
static uint64_t add_id(struct renumbering *n, uint64_t id)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, id);

	buffer_u8(&n->added, STRING_UTF8);
	buffer_varint(&n->added, (uint64_t)len);
	buffer_put(&n->added, digits, (size_t)len);
	return n->count + n->added_count++;
}

/* Is the value of that attribute the id of a type? */
static bool is_id(const char *element, const char *key)
{
	if (strcmp(element, "class") == 0)
		return strcmp(key, "id") == 0;
	return strcmp(key, "class") == 0 &&
	       (strcmp(element, "field") == 0 || strcmp(element, "setting") == 0 ||
		strcmp(element, "annotation") == 0);
}

/* The metadata was parsed before, so this ends, and not too deep. */
static void put_element(struct renumbering *n)
{
	uint64_t name = cursor_varint(&n->c), attributes = cursor_varint(&n->c), children;

	buffer_varint(&n->elements, name);
	buffer_varint(&n->elements, attributes);
	for (; attributes && !n->c.bad; attributes--) {
		uint64_t key = cursor_varint(&n->c), value = cursor_varint(&n->c);

		if (is_id(text(n, name), text(n, key)))
			value = add_id(n, new_type_id(n->jvm, strtoull(text(n, value), NULL, 10)));
		buffer_varint(&n->elements, key);
		buffer_varint(&n->elements, value);
	}
	children = cursor_varint(&n->c);
	buffer_varint(&n->elements, children);
	for (; children && !n->c.bad; children--)
		put_element(n);
}

static bool read_strings(struct renumbering *n)
{
	n->count = cursor_varint(&n->c);
	n->strings = arena_zalloc(&n->arena, n->count + 1, sizeof(*n->strings));
	for (uint64_t i = 0; n->strings && i < n->count; i++) {
		n->strings[i] = string_copy(&n->arena, string_read(&n->c), NULL);
		if (!n->strings[i])
			return false;
	}
	return n->strings;
}

void renumber_metadata(const struct metadata *m, uint32_t jvm, uint64_t metadata_id,
		       struct buffer *to)
{
	struct renumbering n = { .jvm = jvm, .c = cursor_over(m->content, m->used_len) };
	const uint8_t *strings;

	cursor_varint(&n.c); /* its own id */
	strings = n.c.pos;
	if (read_strings(&n)) {
		const uint8_t *behind = n.c.pos;
		struct cursor count = { .pos = strings, .end = behind };

		put_element(&n);
		buffer_varint(to, metadata_id);
		buffer_varint(to, cursor_varint(&count) + n.added_count);
		buffer_put(to, count.pos, (size_t)(behind - count.pos));
		buffer_put(to, n.added.data, n.added.len);
		buffer_put(to, n.elements.data, n.elements.len);
	} else {
		to->failed = true;
	}
	to->failed |= n.added.failed || n.elements.failed;
	buffer_fini(&n.added);
	buffer_fini(&n.elements);
	arena_fini(&n.arena);
}
