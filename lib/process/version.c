/* SPDX-License-Identifier: MIT */
/*
 * version.c - parse Java versions
 */
#include "process/version.h"

#include <stdlib.h>
#include <string.h>

/* No JDK will have a greater number soon. */
#define MAX_FEATURE 999

static int take_number(const char **s)
{
	int n = 0;

	while (**s >= '0' && **s <= '9') {
		n = n * 10 + (*(*s)++ - '0');
		if (n > MAX_FEATURE)
			return 0;
	}
	return n;
}

int version_feature(const char *text)
{
	int n = take_number(&text);

	/* Up to 8 the number was the second one. */
	if (n == 1 && *text == '.') {
		text++;
		n = take_number(&text);
	}
	return n;
}

/* Move the end of a path before its last name. */
static bool cut_name(const char *path, size_t *len)
{
	while (*len && path[*len - 1] != '/')
		--*len;
	return *len && --*len;
}

int version_of_layout(const char *library)
{
	size_t len = strlen(library);

	/* The file, the kind of VM, and then the processor or lib. */
	if (!cut_name(library, &len) || !cut_name(library, &len))
		return 0;
	if (len >= 4 && memcmp(library + len - 4, "/lib", 4) == 0)
		return 0;
	if (!cut_name(library, &len) || len < 4 || memcmp(library + len - 4, "/lib", 4) != 0)
		return 0;
	return 8;
}

/* What follows the key in the line that begins with it, or NULL. */
static const char *find_line(const char *text, const char *key)
{
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, strlen(key)) == 0)
			return line + strlen(key);
	}
	return NULL;
}

const char *version_of_release(const char *text, size_t *len)
{
	const char *version = find_line(text, "JAVA_VERSION=\"");

	if (!version)
		return NULL;
	*len = strcspn(version, "\"\n");
	return *len && version[*len] == '"' ? version : NULL;
}

enum jdk_part version_has_module(const char *text, const char *module)
{
	const char *list = find_line(text, "MODULES=\"");
	size_t len = strlen(module), word;

	if (!list)
		return JDK_PART_UNKNOWN;
	while ((word = strcspn(list, " \"\n")) > 0) {
		if (word == len && memcmp(list, module, len) == 0)
			return JDK_PART_THERE;
		list += word;
		list += *list == ' ';
	}
	return JDK_PART_MISSING;
}
