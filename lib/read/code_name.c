/* SPDX-License-Identifier: MIT */
/*
 * code_name.c - what the functions of native programs are called
 */
#include "read/code_name.h"

#include <string.h>

#include "base/buffer.h"
#include "demangle/demangle.h"

const char *code_name(const struct metadata *m, struct arena *arena, const char *name, size_t *len)
{
	const char *shown = NULL;

	if (name && m->is_native && is_mangled(name, *len))
		shown = demangle(arena, name, *len, len);
	return shown ? shown : name;
}

/* Patterns ------------------------------------------------------------------------------------- */

static bool is_of_symbol(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       c == '_';
}

static void put_escaped(struct buffer *b, const char *s, size_t len, const char *special)
{
	for (size_t i = 0; i < len; i++) {
		if (strchr(special, s[i]))
			buffer_u8(b, '\\');
		buffer_u8(b, (uint8_t)s[i]);
	}
}

const char *code_pattern(struct arena *arena, const char *text, const char *special)
{
	struct buffer b = { 0 };
	bool has_symbols = false;
	size_t len, shown_len;
	const char *shown, *copy = text;

	for (const char *at = text; *at; at += len) {
		for (len = 0; is_of_symbol(at[len]);)
			len++;
		shown = demangle(arena, at, len, &shown_len);
		has_symbols |= shown != NULL;
		len += !len;
		if (shown)
			put_escaped(&b, shown, shown_len, special);
		else
			buffer_put(&b, at, len);
	}
	if (has_symbols && !b.failed)
		copy = arena_strndup(arena, (const char *)b.data, b.len);
	buffer_fini(&b);
	return copy ? copy : text;
}
