/* SPDX-License-Identifier: MIT */
/*
 * bounds.c - where the stacks of threads lie, so that they can be copied
 *
 *	/proc/self/maps		7f10aa000000-7f10aa001000 ---p ...	a page to be left alone
 *				7f10aa001000-7f10aa801000 rw-p ...	a thread's stack, descriptor
 *				7ffc1e000000-7ffc1e021000 rw-p ... [stack]
 *
 * A mapping without such a page below may be more than a stack: parts of it may be unmapped later.
 */
#include "recorder/stack/bounds.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mapping {
	uint64_t from, to;
	bool is_guard, is_main; /* is_main: the stack of the main thread */
};

static bool parse(const char *line, struct mapping *m)
{
	char *at;

	m->from = strtoull(line, &at, 16);
	m->to = *at == '-' ? strtoull(at + 1, &at, 16) : 0;
	m->is_guard = !strncmp(at, " ---", 4);
	m->is_main = strstr(at, "[stack]") != NULL;
	return m->to > m->from;
}

void bounds_find(struct bounds *b, size_t count)
{
	FILE *f = fopen("/proc/self/maps", "re");
	struct mapping m, below = { 0 };
	char *line = NULL;
	size_t room = 0;

	while (f && getline(&line, &room, f) > 0) {
		if (!parse(line, &m))
			continue;
		for (size_t i = 0; i < count; i++)
			if (b[i].high > m.from && b[i].high < m.to &&
			    (m.is_main || (below.is_guard && below.to == m.from)))
				b[i].low = m.from;
		below = m;
	}
	free(line);
	if (f)
		fclose(f);
}
