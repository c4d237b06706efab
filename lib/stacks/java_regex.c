/* SPDX-License-Identifier: MIT */
/*
 * java_regex.c - regular expressions of Java, as far as POSIX has the same
 *
 * An expression is translated to an extended one of POSIX:
 *
 *	\d \w \s, and in capitals	sets of characters
 *	[\w.$]				a set of characters: in POSIX a backslash in it is itself
 *	\Q...\E				characters that mean themselves
 *	(?:...)				(...): no one reads the groups
 *	*? +? ??			* + ?: a whole name matches either way
 *	(?i) at the beginning		letters of either case
 */
#include "stacks/java_regex.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"

/* A set of ASCII characters, and others as they are. */
struct set {
	bool has[128];
	struct buffer others;
	bool is_negated;
};

struct translation {
	const char *at;
	struct buffer to;
	const char *lacking; /* what POSIX does not have; NULL: nothing so far */
	bool is_any_case;
};

static void put(struct translation *t, const char *text)
{
	buffer_put(&t->to, text, strlen(text));
}

static void put_literal(struct translation *t, char c)
{
	if (c && strchr(".[]()*+?{}|^$\\", c))
		buffer_u8(&t->to, '\\');
	buffer_u8(&t->to, (uint8_t)c);
}

/* Sets --------------------------------------------------------------------------------------- */

static bool is_in_class(char letter, unsigned char c)
{
	bool is_digit = c >= '0' && c <= '9';

	switch (letter | 0x20) {
	case 'd':
		return is_digit;
	case 'w':
		return is_digit || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
	default:
		return c == ' ' || (c >= '\t' && c <= '\r');
	}
}

static bool is_class(char letter)
{
	return letter && strchr("dwsDWS", letter);
}

/* \d and the like; those in capitals are all other ASCII characters. */
static void add_class(struct set *s, char letter)
{
	bool is_negated = letter < 'a';

	for (unsigned c = 1; c < 128; c++) {
		if (is_in_class(letter, (unsigned char)c) != is_negated)
			s->has[c] = true;
	}
}

static char escaped(char c)
{
	switch (c) {
	case 't':
		return '\t';
	case 'n':
		return '\n';
	case 'r':
		return '\r';
	default:
		return c;
	}
}

static void add_range(struct set *s, unsigned char from, unsigned char to)
{
	for (unsigned c = from; c <= to && c < 128; c++)
		s->has[c] = true;
}

/* One character, or a range that begins with it. */
static void add_character(struct translation *t, struct set *s)
{
	bool is_escaped = *t->at == '\\';
	char from = is_escaped ? escaped(*++t->at) : *t->at;

	if (!*t->at)
		return;
	if (is_escaped && is_class(*t->at)) {
		add_class(s, *t->at++);
		return;
	}
	t->at++;
	if ((unsigned char)from >= 128) {
		buffer_u8(&s->others, (uint8_t)from);
		return;
	}
	if (t->at[0] == '-' && t->at[1] && t->at[1] != ']' && t->at[1] != '\\') {
		add_range(s, (unsigned char)from, (unsigned char)t->at[1]);
		t->at += 2;
		return;
	}
	s->has[(unsigned char)from] = true;
}

static void put_set(struct translation *t, const struct set *s)
{
	static const char last[] = { '[', '^', '-', 0 }; /* that mean more elsewhere */
	unsigned count = 0;

	for (unsigned c = 1; c < 128; c++)
		count += s->has[c];
	if (count == 1 && s->has['^'] && !s->others.len && !s->is_negated) {
		put(t, "\\^");
		return;
	}
	put(t, s->is_negated ? "[^" : "[");
	if (s->has[']'])
		put(t, "]");
	for (unsigned c = 1; c < 128; c++) {
		if (s->has[c] && c != ']' && !strchr(last, (int)c))
			buffer_u8(&t->to, (uint8_t)c);
	}
	buffer_put(&t->to, s->others.data, s->others.len);
	for (const char *c = last; *c; c++) {
		if (s->has[(unsigned char)*c])
			buffer_u8(&t->to, (uint8_t)*c);
	}
	put(t, "]");
}

static void translate_set(struct translation *t)
{
	struct set s = { 0 };

	t->at++;
	s.is_negated = *t->at == '^';
	t->at += s.is_negated;
	do {
		if (*t->at == '[')
			t->lacking = "a set within a set";
		if (t->at[0] == '&' && t->at[1] == '&')
			t->lacking = "&&";
		add_character(t, &s);
	} while (*t->at && *t->at != ']' && !t->lacking);
	if (*t->at == ']') {
		t->at++;
		put_set(t, &s);
	} else if (!t->lacking) {
		put(t, "["); /* regcomp() says what is wrong */
	}
	buffer_fini(&s.others);
}

/* All else ----------------------------------------------------------------------------------- */

static void translate_quoted(struct translation *t)
{
	const char *end = strstr(t->at, "\\E");

	while (*t->at && t->at != end)
		put_literal(t, *t->at++);
	if (end)
		t->at = end + 2;
}

static void translate_escape(struct translation *t)
{
	struct set s = { 0 };
	char c = *++t->at;

	if (c)
		t->at++;
	if (c == 'Q') {
		translate_quoted(t);
	} else if (is_class(c)) {
		add_class(&s, (char)(c | 0x20));
		s.is_negated = c < 'a';
		put_set(t, &s);
	} else if (c == 'b' || c == 'B' || !c) {
		buffer_u8(&t->to, '\\');
		if (c)
			buffer_u8(&t->to, (uint8_t)c);
	} else if ((c >= '0' && c <= '9') || (c && strchr("pPxukAzZGhHvVR", c))) {
		t->lacking = "such an escape";
	} else {
		put_literal(t, escaped(c));
	}
}

static void translate_group(struct translation *t)
{
	put(t, "(");
	t->at++;
	if (*t->at != '?')
		return;
	if (t->at[1] == ':')
		t->at += 2;
	else
		t->lacking = "(?";
}

static void translate_quantifier(struct translation *t)
{
	buffer_u8(&t->to, (uint8_t)*t->at++);
	if (*t->at == '?')
		t->at++;
	else if (*t->at == '+')
		t->lacking = "a possessive quantifier";
}

static void translate(struct translation *t)
{
	if (strncmp(t->at, "(?i)", 4) == 0) {
		t->is_any_case = true;
		t->at += 4;
	}
	while (*t->at && !t->lacking) {
		switch (*t->at) {
		case '\\':
			translate_escape(t);
			break;
		case '[':
			translate_set(t);
			break;
		case '(':
			translate_group(t);
			break;
		case '*':
		case '+':
		case '?':
		case '}':
			translate_quantifier(t);
			break;
		default:
			buffer_u8(&t->to, (uint8_t)*t->at++);
		}
	}
}

int java_regex_compile(regex_t *regex, const char *text, struct jfrec_error *err)
{
	struct translation t = { .at = text };
	char why[128];
	int code, ret;

	put(&t, "^(");
	translate(&t);
	put(&t, ")$");
	buffer_u8(&t.to, 0);
	if (t.to.failed) {
		ret = jfrec_fail_memory(err);
	} else if (t.lacking) {
		ret = jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				 "'%s' has %s, which is not supported", text, t.lacking);
	} else {
		code = regcomp(regex, (const char *)t.to.data,
			       REG_EXTENDED | REG_NOSUB | (t.is_any_case ? REG_ICASE : 0));
		ret = code ? -1 : 0;
		if (code) {
			regerror(code, regex, why, sizeof(why));
			jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				   "'%s' is not a regular expression: %s", text, why);
		}
	}
	buffer_fini(&t.to);
	return ret;
}
