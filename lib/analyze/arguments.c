/* SPDX-License-Identifier: MIT */
/*
 * arguments.c - the arguments of the JVM, word by word
 */
#include "analyze/arguments.h"

#include "analyze/rule.h"

#define BLANKS " \t\r\n"

struct argument next_argument(const char **at)
{
	struct argument a = { 0 };

	*at += strspn(*at, BLANKS);
	if (!**at)
		return a;
	a.text = *at;
	a.len = strcspn(*at, BLANKS);
	*at += a.len;
	return a;
}

struct argument first_argument(const struct judging *j, const char **at)
{
	*at = text_at(j, j->facts->jvm_arguments);
	return next_argument(at);
}

bool argument_is(struct argument a, const char *text)
{
	return a.text && a.len == strlen(text) && memcmp(a.text, text, a.len) == 0;
}

struct argument argument_after(struct argument a, const char *prefix)
{
	size_t n = strlen(prefix);

	if (!a.text || a.len < n || memcmp(a.text, prefix, n) != 0)
		return (struct argument){ 0 };
	return (struct argument){ a.text + n, a.len - n };
}
