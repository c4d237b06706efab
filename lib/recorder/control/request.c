/* SPDX-License-Identifier: MIT */
/*
 * request.c - what a client of the attach socket asks for
 */
#include "recorder/control/request.h"

#include <string.h>

/* The next text up to its NUL, or NULL: it is not all there. */
static char *next(char **at, const char *end)
{
	char *text = *at, *nul = memchr(text, '\0', (size_t)(end - text));

	if (nul)
		*at = nul + 1;
	return nul ? text : NULL;
}

/* Version 1 has three arguments, always. */
static enum request_state parse_first(struct request *r, char *at, const char *end)
{
	r->operation = next(&at, end);
	for (size_t i = 0; i < 3 && r->operation; i++)
		if (!(r->args[i] = next(&at, end)))
			return REQUEST_PARTIAL;
	return r->operation ? REQUEST_WHOLE : REQUEST_PARTIAL;
}

static enum request_state parse_second(struct request *r, char *at, const char *end)
{
	const char *digits = next(&at, end);
	size_t size = 0, i = 0;
	char *arg;

	if (!digits)
		return end - at > 8 ? REQUEST_BAD : REQUEST_PARTIAL;
	if (!*digits || strlen(digits) > 6 || digits[strspn(digits, "0123456789")])
		return REQUEST_BAD;
	for (; *digits; digits++)
		size = size * 10 + (size_t)(*digits - '0');
	if (size > REQUEST_MAX)
		return REQUEST_BAD;
	if (size > (size_t)(end - at))
		return REQUEST_PARTIAL;
	end = at + size;
	arg = next(&at, end);
	if (!arg)
		return REQUEST_BAD;
	arg[strcspn(arg, " ")] = '\0';
	r->operation = arg;
	for (; i < REQUEST_ARGS && at < end; i++)
		if (!(r->args[i] = next(&at, end)))
			return REQUEST_BAD;
	return at < end ? REQUEST_BAD : REQUEST_WHOLE;
}

enum request_state request_parse(struct request *r, char *bytes, size_t len)
{
	static char none[] = "";
	const char *version;
	char *at = bytes;

	r->operation = NULL;
	for (size_t i = 0; i < REQUEST_ARGS; i++)
		r->args[i] = none;
	if (len && (*bytes < '0' || *bytes > '9'))
		return REQUEST_BAD;
	version = next(&at, bytes + len);
	if (!version)
		return len > 8 ? REQUEST_BAD : REQUEST_PARTIAL;
	if (!strcmp(version, "1"))
		return parse_first(r, at, bytes + len);
	return strcmp(version, "2") ? REQUEST_UNKNOWN_VERSION : parse_second(r, at, bytes + len);
}

/* In quotes it is all between them, else up to the next blank; *at: what follows it. */
static const char *take_value(char **at, const char **value)
{
	char quote = **at == '"' || **at == '\'' ? *(*at)++ : '\0', *end;

	*value = *at;
	end = quote ? strchr(*at, quote) : *at + strcspn(*at, " ");
	if (!end)
		return "Format error in diagnostic command arguments";
	if (quote)
		*end++ = '\0';
	*at = end;
	return *end && *end != ' ' ? "Expected delimiter after a value in quotes" : NULL;
}

const char *command_parse(struct command *c, char *line)
{
	const char *wrong = NULL;
	char *at = line + strspn(line, " ");

	c->count = 0;
	c->name = at;
	for (const char *p = line; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			return "Format error in diagnostic command arguments";
	at += strcspn(at, " ");
	while (!wrong && *at) {
		struct argument *a;

		*at++ = '\0';
		at += strspn(at, " ");
		if (!*at)
			break;
		if (c->count == COMMAND_ARGS)
			return "Too many arguments";
		a = &c->args[c->count++];
		*a = (struct argument){ at, NULL };
		at += strcspn(at, " =");
		if (*at != '=')
			continue;
		*at++ = '\0';
		wrong = take_value(&at, &a->value);
	}
	return wrong;
}
