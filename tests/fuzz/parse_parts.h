/* SPDX-License-Identifier: MIT */
/* parse_parts.h - what the functions of parse.h share */
#ifndef JFREC_PARSE_PARTS_H
#define JFREC_PARSE_PARTS_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

static inline void insist(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "parse: not so: %s\n", what);
	abort();
}

/* Volatile: what is read must be read, though nobody needs it. */
static volatile size_t sink;

static inline void touch(const char *text)
{
	sink += text ? strlen(text) : 0;
}

/* In memory of its own, so that sanitizers see a byte too far. */
static inline void *copy_of(const void *bytes, size_t len, size_t behind)
{
	char *copy = malloc(len + behind + !(len + behind));

	insist(copy != NULL, "there is memory");
	memcpy(copy, bytes, len);
	memset(copy + len, 0, behind);
	return copy;
}

#endif
