/* SPDX-License-Identifier: MIT */
/*
 * shown.h - what a mangled name stands for, as it is put together
 *
 * A name of a hundred bytes can stand for a text of gigabytes, or for work without end that gives
 * no text at all: what it repeats may repeat itself. So text, steps and depth are all limited.
 */
#ifndef JFREC_DEMANGLE_SHOWN_H
#define JFREC_DEMANGLE_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The longest text; what is longer ends in three dots. */
#define SHOWN_MOST 4096

/* None of half a million symbols of libraries full of templates takes 10,000. */
#define SHOWN_STEPS 50000

/*
 * Nested types, names and expressions; none of those goes 64 levels deep.  256 take 200 KB of
 * stack.
 */
#define SHOWN_DEPTH 256

/* All zero but for `steps` is empty. */
struct shown {
	char text[SHOWN_MOST];
	size_t len;
	unsigned steps; /* that are left */
	unsigned depth; /* of what is being read or written */
	bool is_full;	/* there was more */
};

/* Count a step.  False: there are none left, or nothing that is written would be seen. */
static inline bool shown_step(struct shown *s)
{
	if (!s->steps || s->is_full)
		return false;
	s->steps--;
	return true;
}

/* Go one level deeper, to be left with shown_leave() whatever comes back.  False: no further. */
static inline bool shown_enter(struct shown *s)
{
	return s->depth++ < SHOWN_DEPTH && shown_step(s);
}

static inline void shown_leave(struct shown *s)
{
	s->depth--;
}

static inline void shown_put(struct shown *s, const char *text, size_t len)
{
	if (len > SHOWN_MOST - s->len) {
		len = SHOWN_MOST - s->len;
		s->is_full = true;
	}
	memcpy(s->text + s->len, text, len);
	s->len += len;
}

static inline void shown_text(struct shown *s, const char *text)
{
	shown_put(s, text, strlen(text));
}

static inline void shown_char(struct shown *s, char c)
{
	shown_put(s, &c, 1);
}

/* The last byte, or NUL. */
static inline char shown_last(const struct shown *s)
{
	return s->len ? s->text[s->len - 1] : '\0';
}

/*
 * Is there a character of that number, and may it be shown?  Those that control terminals may not.
 */
static inline bool shown_allows(uint32_t c)
{
	return c >= ' ' && (c < 0x7f || c > 0x9f) && c <= 0x10ffff && (c & 0xfffff800) != 0xd800;
}

/* One that may be, as UTF-8. */
void shown_code_point(struct shown *s, uint32_t c);

/* A number in decimal. */
void shown_number(struct shown *s, unsigned long long n);

#endif
