/* SPDX-License-Identifier: MIT */
/*
 * names.c - one name for threads whose names differ by a number
 */
#include "threads/names.h"

#include <ctype.h>
#include <string.h>

size_t name_stem(const char *name)
{
	size_t len = strlen(name);

	while (len && isdigit((unsigned char)name[len - 1]))
		len--;
	return len;
}

static size_t common_start(const char *a, const char *b, size_t most)
{
	size_t n = 0;

	while (n < most && a[n] && a[n] == b[n])
		n++;
	return n;
}

static size_t common_end(const char *a, const char *b, size_t most)
{
	size_t a_len = strlen(a), b_len = strlen(b), n = 0;

	while (n < most && n < a_len && n < b_len && a[a_len - 1 - n] == b[b_len - 1 - n])
		n++;
	return n;
}

/* A character of UTF-8 stays whole, and so does a number. */
static size_t trim_start(const char *name, size_t len)
{
	while (len &&
	       (isdigit((unsigned char)name[len - 1]) || ((unsigned char)name[len] & 0xc0) == 0x80))
		len--;
	return len;
}

static const char *trim_end(const char *end)
{
	while (isdigit((unsigned char)*end) || ((unsigned char)*end & 0xc0) == 0x80)
		end++;
	return end;
}

const char *names_pattern(struct dump *d, const size_t *threads, size_t count)
{
	const char *first = d->threads[threads[0]].name, *rest;
	size_t start = strlen(first), end = start;
	bool is_same = true;
	char *text;

	for (size_t i = 1; i < count; i++) {
		const char *name = d->threads[threads[i]].name;

		start = common_start(first, name, start);
		end = common_end(first, name, end);
		is_same = is_same && strcmp(first, name) == 0;
	}
	if (is_same)
		return first;
	start = trim_start(first, start);
	rest = first + strlen(first) - end;
	rest = trim_end(rest < first + start ? first + start : rest);
	text = arena_alloc(&d->arena, start + 1 + strlen(rest) + 1);
	if (!text) {
		d->no_memory = true;
		return NULL;
	}
	memcpy(text, first, start);
	text[start] = '*';
	strcpy(text + start + 1, rest);
	return text;
}
