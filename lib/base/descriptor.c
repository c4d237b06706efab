/* SPDX-License-Identifier: MIT */
/*
 * descriptor.c - parse JVM type descriptors such as "[[Ljava/lang/String;" or "I"
 */
#include "base/descriptor.h"

#include <string.h>

static const char *primitive_name(char c)
{
	switch (c) {
	case 'B':
		return "byte";
	case 'C':
		return "char";
	case 'D':
		return "double";
	case 'F':
		return "float";
	case 'I':
		return "int";
	case 'J':
		return "long";
	case 'S':
		return "short";
	case 'Z':
		return "boolean";
	default:
		return "<unknown-descriptor-type>";
	}
}

const char *descriptor_read(const char *text, struct descriptor *d)
{
	size_t dimensions = strspn(text, "[");

	*d = (struct descriptor){ .name = "", .dimensions = (unsigned)dimensions };
	text += dimensions;
	if (*text == 'L') {
		d->name = text + 1;
		d->len = strcspn(d->name, ";");
		text = d->name + d->len;
		return *text ? text + 1 : text;
	}
	if (!*text)
		return text;
	d->name = primitive_name(*text);
	d->len = strlen(d->name);
	return text + 1;
}

char *put_dotted(char *at, const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		*at++ = name[i] == '/' ? '.' : name[i];
	return at;
}

void descriptor_simplify(struct descriptor *d)
{
	for (size_t i = d->len; i; i--) {
		if (d->name[i - 1] == '/' || d->name[i - 1] == '.') {
			d->name += i;
			d->len -= i;
			return;
		}
	}
}
