/* SPDX-License-Identifier: MIT */
/*
 * frame_names.c - the names of classes and methods in frames
 *
 * Names of hidden classes end in what differs from run to run:
 *
 *    Shop$$Lambda+0x00007f8177090218/543846639   a lambda, as JDK 21 and later record it
 *    Shop$$Lambda$14/0x0000000800066840          as JDK 11 and 17 do
 *    Shop$$Lambda$14.1234                        JDK 8
 *    LambdaForm$MH/0x00000008000c1c00            a method handle
 *    GeneratedMethodAccessor12, $Proxy7          of reflection and of java.lang.reflect.Proxy
 */
#include "stacks/frame_names.h"

#include <ctype.h>
#include <string.h>

#include "base/descriptor.h"

/* "+0x" and the 16 digits of an address. */
#define ADDRESS_SUFFIX 19

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Without "/543846639", and "+0x..." before it: jfrconv's rule. */
static size_t without_hidden_suffix(const char *s, size_t len)
{
	for (size_t i = len >= 2 ? len - 2 : 0; i > 0; i--) {
		if (s[i] != '/' && s[i] != '.')
			continue;
		if (!is_digit(s[i + 1]))
			return len;
		if (i > ADDRESS_SUFFIX && s[i - ADDRESS_SUFFIX] == '+' &&
		    s[i - ADDRESS_SUFFIX + 1] == '0')
			return i - ADDRESS_SUFFIX;
		return i;
	}
	return len;
}

static size_t without_digits(const char *s, size_t len)
{
	while (len && is_digit(s[len - 1]))
		len--;
	return len;
}

static bool ends_with(const char *s, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && memcmp(s + len - n, end, n) == 0;
}

/* Names that are counted up: their number says nothing. */
static size_t without_serial(const char *s, size_t len)
{
	static const char *const serial[] = {
		"$$Lambda$",
		"$Proxy",
		"GeneratedMethodAccessor",
		"GeneratedConstructorAccessor",
		"GeneratedSerializationConstructorAccessor",
	};
	size_t cut = without_digits(s, len);

	if (cut == len)
		return len;
	for (size_t i = 0; i < sizeof(serial) / sizeof(*serial); i++) {
		if (ends_with(s, cut, serial[i]))
			return s[cut - 1] == '$' ? cut - 1 : cut;
	}
	return len;
}

static size_t normalized(const struct naming *n, const char *s, size_t len)
{
	if (!n->normalizes)
		return len;
	len = without_hidden_suffix(s, len);
	return n->is_jfrconv ? len : without_serial(s, len);
}

/* After the last '/' that no digit follows. */
static size_t simple_start(const char *s, size_t len)
{
	for (size_t i = len >= 2 ? len - 1 : 0; i > 0; i--) {
		if (s[i - 1] == '/' && !is_digit(s[i]))
			return i;
	}
	return 0;
}

/* The part of a symbol that is shown. */
static const char *shown(const struct naming *n, const char *s, size_t *len)
{
	size_t start;

	*len = normalized(n, s, *len);
	start = n->is_simple ? simple_start(s, *len) : 0;
	*len -= start;
	return s + start;
}

static char *put_class(const struct naming *n, char *at, const char *s, size_t len)
{
	return n->with_dots ? put_dotted(at, s, len) : mempcpy(at, s, len);
}

const char *frame_class_name(const struct naming *n, const char *symbol, size_t len,
			     struct arena *arena, size_t *out_len)
{
	struct naming dotted = *n;
	struct descriptor d = { .name = symbol, .len = len };
	char *name, *at;

	dotted.with_dots = true;
	if (len && symbol[0] == '[')
		descriptor_read(symbol, &d);
	name = arena_alloc(arena, d.len + 2 * (size_t)d.dimensions + 1);
	if (!name)
		return NULL;
	d.name = shown(&dotted, d.name, &d.len);
	at = put_class(&dotted, name, d.name, d.len);
	for (unsigned i = 0; i < d.dimensions; i++)
		at = stpcpy(at, "[]");
	*at = '\0';
	*out_len = (size_t)(at - name);
	return name;
}

const char *frame_method_name(const struct naming *n, const char *class_symbol, size_t class_len,
			      const char *method, size_t method_len, struct arena *arena,
			      size_t *out_len)
{
	const char *class = class_symbol ? shown(n, class_symbol, &class_len) : "";
	char *name, *at;

	if (!class_symbol)
		class_len = 0;
	if (!method)
		method_len = 0;
	name = at = arena_alloc(arena, class_len + method_len + 2);
	if (!name)
		return NULL;
	at = put_class(n, at, class, class_len);
	if (class_len && method_len)
		*at++ = '.';
	memcpy(at, method ? method : "", method_len);
	at += method_len;
	*at = '\0';
	*out_len = (size_t)(at - name);
	return name;
}

/* Where frames come from ----------------------------------------------------------------------- */

bool frame_file_path(const char *name, size_t name_len, char path[static FRAME_PATH_MAX])
{
	const char *dot = memrchr(name, '.', name_len);
	size_t len = dot ? (size_t)(dot - name) : 0;

	for (size_t i = 0; i < len; i++) {
		if (name[i] == '$' && i)
			len = i;
	}
	if (!len || len + sizeof(".java") > FRAME_PATH_MAX)
		return false;
	for (size_t i = 0; i < len; i++)
		path[i] = name[i] == '.' ? '/' : name[i];
	strcpy(path + len, ".java");
	return true;
}

/* The last "tid=" counts, since a name may have one, too. */
struct thread_text frame_thread_name(const char *text, size_t len)
{
	static const char mark[] = "tid=";
	const char *at = NULL, *next = memmem(text, len, mark, sizeof(mark) - 1);

	while (next) {
		at = next;
		next = memmem(at + 1, (size_t)(text + len - at - 1), mark, sizeof(mark) - 1);
	}
	if (!at || *text != '[')
		return (struct thread_text){ text, len, "" };
	return (struct thread_text){ text + 1, at > text + 1 ? (size_t)(at - text) - 2 : 0,
				     at + sizeof(mark) - 1 };
}
