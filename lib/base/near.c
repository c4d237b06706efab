/* SPDX-License-Identifier: MIT */
/*
 * near.c - suggest known names similar to an unknown one
 */
#include "base/near.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* How many pairs of letters of a are in b. */
static unsigned shared_pairs(const char *a, const char *b)
{
	unsigned n = 0;

	for (; a[0] && a[1]; a++) {
		for (const char *p = b; p[0] && p[1]; p++) {
			if (strncasecmp(a, p, 2) == 0) {
				n++;
				break;
			}
		}
	}
	return n;
}

/* The part of their pairs of letters that two names share, in percent. */
static unsigned likeness(const char *a, const char *b)
{
	size_t pairs = strlen(a) + strlen(b);

	if (strcasecmp(a, b) == 0)
		return 100;
	return pairs <= 2 ? 0 : (unsigned)(99 * (shared_pairs(a, b) + shared_pairs(b, a)) / pairs);
}

static unsigned nearness(const char *wanted, const char *name)
{
	const char *dot = strrchr(name, '.');
	unsigned whole = likeness(wanted, name), end = dot ? likeness(wanted, dot + 1) : 0;

	return whole > end ? whole : end;
}

void near_offer(struct near *near, const char *name)
{
	size_t i = MAX_NEAR;
	unsigned best;

	if (strlen(name) >= sizeof(near->items[0].name))
		return;
	best = nearness(near->name, name);
	if (best < 40)
		return;
	for (size_t k = 0; k < MAX_NEAR; k++) {
		if (strcmp(near->items[k].name, name) == 0)
			return;
	}
	for (; i && near->items[i - 1].likeness < best; i--) {
		if (i < MAX_NEAR)
			near->items[i] = near->items[i - 1];
	}
	if (i == MAX_NEAR)
		return;
	near->items[i].likeness = best;
	snprintf(near->items[i].name, sizeof(near->items[i].name), "%s", name);
}

const char *near_list(const struct near *near, char *list)
{
	size_t len = 0;

	list[0] = '\0';
	for (size_t i = 0; i < MAX_NEAR && near->items[i].likeness; i++)
		len += (size_t)snprintf(list + len, NEAR_LIST_MAX - len, "%s%s",
					i ? ", " : "; near it: ", near->items[i].name);
	return list;
}
