/* SPDX-License-Identifier: MIT */
/*
 * of_program.c - turn sentences on JVMs into sentences on native programs
 */
#include "base/of_program.h"

#include <stdbool.h>
#include <string.h>

static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_word(const char *text, const char *at, const char *word)
{
	size_t len = strlen(word);

	return strncmp(at, word, len) == 0 &&
	       (at == text || (!is_letter(at[-1]) && at[-1] != '.')) &&
	       (!is_letter(at[len]) || (at[len] == 's' && !is_letter(at[len + 1])));
}

const char *of_program(struct arena *a, const char *text)
{
	static const char longer[] = "program";
	size_t grown = 0;
	char *copy, *to;

	for (const char *at = text; (at = strstr(at, "JVM")); at++)
		grown += sizeof(longer);
	if (!grown && !strstr(text, "Java "))
		return text;
	copy = to = arena_alloc(a, strlen(text) + grown + 1);
	if (!copy)
		return text;
	for (const char *at = text; *at;) {
		if (is_word(text, at, "Java") && at[4] == ' ') {
			at += 5;
		} else if (is_word(text, at, "JVM")) {
			/* The first word of a title or a sentence. */
			to = stpcpy(to, at == text ? "Program" : longer);
			at += 3;
		} else {
			*to++ = *at++;
		}
	}
	*to = '\0';
	return copy;
}
