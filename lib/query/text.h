/* SPDX-License-Identifier: MIT */
/*
 * text.h - UTF-8 text that is measured and ordered as Java does: in UTF-16 units
 */
#ifndef JFREC_QUERY_TEXT_H
#define JFREC_QUERY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	const char *s; /* NULL: there is none */
	uint32_t len;  /* bytes */
	uint32_t units;
};

/* Texts beyond this many bytes are cut where they come in; no JVM writes them. */
#define TEXT_MAX (64u << 20)

/* The text that lies there. */
struct text text_of(const char *s, size_t len);

/* Every character is a byte and a unit. */
static inline bool text_is_ascii(const struct text *t)
{
	return t->len == t->units;
}

/* String.compareTo() as -1, 0, 1. */
int text_compare(const struct text *a, const struct text *b);

/* String.hashCode() */
int32_t text_java_hash(const char *s, size_t len);

/*
 * The units from `from` to `to` as UTF-8, to be written at `at`, which has room for 3 bytes for
 * each; half of a pair is `?`, as Java writes it.  Returns the end.
 */
char *text_put_units(char *at, const struct text *t, uint32_t from, uint32_t to);

/* An iterator over code points; malformed bytes come one by one. -1 at the end. */
int32_t text_next(const char **at, const char *end);

#endif
