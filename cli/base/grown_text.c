/* SPDX-License-Identifier: MIT */
/*
 * grown_text.c - collect in memory what the library writes
 */
#include "base/grown_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int grown_text_append(void *text, const void *data, size_t len)
{
	struct grown_text *t = text;
	char *bytes = realloc(t->bytes, t->len + len);

	if (!bytes)
		return ENOMEM;
	memcpy(bytes + t->len, data, len);
	t->bytes = bytes;
	t->len += len;
	return 0;
}
