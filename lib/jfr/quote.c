/* SPDX-License-Identifier: MIT */
/*
 * quote.c - quote arguments of diagnostic commands
 */
#include "jfr/quote.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/utf8.h"

/* What needs no quotes. */
#define PLAIN "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:+@#%=,-"

/* A key is never quoted; these are what names of events and settings are made of, '+' adds one. */
#define OF_KEYS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$#+-"

static bool is_control(unsigned char c)
{
	return c < 0x20 || c == 0x7f;
}

static bool has_control(const char *s)
{
	while (*s && !is_control((unsigned char)*s))
		s++;
	return *s != '\0';
}

static bool is_utf8(const char *s)
{
	size_t len = 1;

	for (; *s && len; s += len)
		len = utf8_length(s);
	return len != 0;
}

/* The quote to put around the value: 0 for none, -1 if there is no way. */
static int quote_for(const char *value)
{
	size_t len = strlen(value);

	if (strspn(value, PLAIN) == len)
		return 0;
	if (value[len - 1] == '\\')
		return -1;
	if (!strchr(value, '"'))
		return '"';
	return strchr(value, '\'') ? -1 : '\'';
}

static int refuse(struct jfrec_error *err, const char *key, const char *why)
{
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "the value of %s %s", key, why);
}

int quote_check(const char *key, const char *value, struct jfrec_error *err)
{
	if (!*key || strspn(key, OF_KEYS) != strlen(key))
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "\"%s\" cannot be the name of an option or a setting", key);
	if (!*value)
		return refuse(err, key, "is empty");
	if (has_control(value))
		return refuse(err, key,
			      "has a line feed or another control character, which would end the "
			      "command");
	if (!is_utf8(value))
		return refuse(err, key, "is not UTF-8");
	if (quote_for(value) < 0)
		return refuse(err, key,
			      "has both kinds of quotes or ends in a backslash, which cannot be "
			      "quoted for a JVM");
	return 0;
}

static int append(struct command_text *c, const char *s, size_t len, struct jfrec_error *err)
{
	if (len >= c->room - c->len) {
		size_t room = 2 * (c->len + len) + 256;
		char *text = realloc(c->text, room);

		if (!text)
			return jfrec_fail_memory(err);
		c->text = text;
		c->room = room;
	}
	memcpy(c->text + c->len, s, len);
	c->len += len;
	c->text[c->len] = '\0';
	return 0;
}

int command_text_begin(struct command_text *c, const char *command, struct jfrec_error *err)
{
	*c = (struct command_text){ 0 };
	return append(c, command, strlen(command), err);
}

int command_text_add(struct command_text *c, const char *key, const char *value,
		     struct jfrec_error *err)
{
	char quote;
	size_t marks;

	if (quote_check(key, value, err) < 0)
		return -1;
	quote = (char)quote_for(value);
	marks = quote ? 1 : 0;
	if (append(c, " ", 1, err) < 0 || append(c, key, strlen(key), err) < 0 ||
	    append(c, "=", 1, err) < 0 || append(c, &quote, marks, err) < 0 ||
	    append(c, value, strlen(value), err) < 0)
		return -1;
	return append(c, &quote, marks, err);
}

void command_text_fini(struct command_text *c)
{
	free(c->text);
	*c = (struct command_text){ 0 };
}
