/* SPDX-License-Identifier: MIT */
/*
 * annotation.c - find annotations by their name, and their value
 */
#include <string.h>

#include "format/metadata.h"

const struct jfrec_annotation *annotation_named(const struct jfrec_annotation *a, unsigned count,
						const char *name)
{
	for (unsigned i = 0; i < count; i++) {
		if (a[i].type && strcmp(a[i].type->name, name) == 0)
			return &a[i];
	}
	return NULL;
}

const char *annotation_value(const struct jfrec_annotation *a)
{
	for (unsigned i = 0; a && i < a->member_count; i++) {
		if (strcmp(a->members[i].name, "value") == 0)
			return a->members[i].value;
	}
	return NULL;
}
