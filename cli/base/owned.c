/* SPDX-License-Identifier: MIT */
/*
 * owned.c - allocations that are freed together
 */
#include "base/owned.h"

#include <stdlib.h>
#include <string.h>

struct owned {
	struct owned *next;
	void *bytes[];
};

void *owned_allocate(struct owned **list, size_t size, struct jfrec_error *err)
{
	struct owned *o = calloc(1, sizeof(*o) + size);

	if (!o) {
		jfrec_fail_memory(err);
		return NULL;
	}
	o->next = *list;
	*list = o;
	return o->bytes;
}

char *owned_copy(struct owned **list, const char *text, size_t len, struct jfrec_error *err)
{
	char *to = owned_allocate(list, len + 1, err);

	return to ? memcpy(to, text, len) : NULL;
}

void owned_free(struct owned **list)
{
	while (*list) {
		struct owned *o = *list;

		*list = o->next;
		free(o);
	}
}
