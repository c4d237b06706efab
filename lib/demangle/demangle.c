/* SPDX-License-Identifier: MIT */
/*
 * demangle.c - the names of C++ and Rust as their programmers wrote them
 */
#include "demangle/demangle.h"

#include "demangle/cxx.h"
#include "demangle/rust.h"

/* "..." takes the place of the end, but not of half a character. */
static void cut(struct shown *s)
{
	s->len = SHOWN_MOST - 3;
	while (s->len && ((unsigned char)s->text[s->len] & 0xc0) == 0x80)
		s->len--;
	memcpy(s->text + s->len, "...", 3);
	s->len += 3;
}

/* They do not occur, and a text must end where it ends. */
static bool is_printable(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)s[i] < ' ' || s[i] == 0x7f)
			return false;
	}
	return true;
}

static bool write_name(struct shown *s, const char *symbol, size_t len)
{
	struct arena nodes = { 0 };
	bool is_name;

	if (symbol[1] == 'R')
		return rust_name(s, symbol, len);
	if (rust_old_name(s, symbol, len))
		return true;
	is_name = cxx_name(s, &nodes, symbol, len);
	arena_fini(&nodes);
	return is_name;
}

const char *demangle(struct arena *arena, const char *symbol, size_t len, size_t *out_len)
{
	struct shown s;

	if (!is_mangled(symbol, len) || len > MANGLED_MOST || !is_printable(symbol, len))
		return NULL;
	s.len = s.depth = 0;
	s.is_full = false;
	s.steps = SHOWN_STEPS;
	if (!write_name(&s, symbol, len))
		return NULL;
	if (s.is_full)
		cut(&s);
	*out_len = s.len;
	return arena_strndup(arena, s.text, s.len);
}
