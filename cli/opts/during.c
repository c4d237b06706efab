/* SPDX-License-Identifier: MIT */
/*
 * during.c - parse what --during takes: EVENT[EXPR] by FIELD
 */
#include "opts/during.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void during_text_fini(struct during_text *d)
{
	free(d->memory);
	*d = (struct during_text){ 0 };
}

/* Without the space around it; its end is cut off. */
static char *trim(char *text, char *end)
{
	while (text < end && isspace((unsigned char)*text))
		text++;
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	return text;
}

/* " by FIELD" or " by time", or nothing, up to the end. */
static const char *parse_by(struct jfrec_during *d, char *text)
{
	char *at = trim(text, text + strlen(text)), *field;

	if (!*at)
		return NULL;
	if (strncmp(at, "by", 2) != 0 || !isspace((unsigned char)at[2]))
		return "after the event can only come `by FIELD` or `by time`";
	field = trim(at + 2, at + strlen(at));
	if (strcspn(field, " \t\n[],'\"") != strlen(field))
		return "`by` takes the name of one field, or `time`";
	d->all_threads = strcmp(field, "time") == 0;
	d->by = d->all_threads ? NULL : field;
	return NULL;
}

/* The bracket that closes the one at that place, texts in quotes left out; NULL: there is none. */
static char *closing_bracket(char *open)
{
	unsigned depth = 0;
	char quote = '\0';

	for (char *at = open; *at; at++) {
		if (quote) {
			quote = *at == quote ? '\0' : quote;
		} else if (*at == '"' || *at == '\'') {
			quote = *at;
		} else if (*at == '[') {
			depth++;
		} else if (*at == ']' && --depth == 0) {
			return at;
		}
	}
	return NULL;
}

const char *during_parse(struct during_text *d, const char *text)
{
	char *copy = strdup(text), *end, *rest;

	if (!copy)
		return "out of memory";
	during_text_fini(d);
	d->memory = copy;
	end = copy + strcspn(copy, "[ \t\n");
	rest = end + strspn(end, " \t\n");
	if (end == copy)
		return "it begins with the name of an event, such as jdk.SocketRead";
	if (*rest == '[') {
		char *close = closing_bracket(rest), *where;

		if (!close)
			return "the bracket before the expression is not closed";
		where = trim(rest + 1, close);
		d->parts.where = *where ? where : NULL;
		rest = close + 1;
	}
	if (rest > end || !*end) {
		const char *fault = parse_by(&d->parts, rest);

		if (fault)
			return fault;
	}
	*end = '\0';
	d->parts.events = copy;
	return NULL;
}
