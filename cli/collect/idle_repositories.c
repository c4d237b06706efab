/* SPDX-License-Identifier: MIT */
/*
 * idle_repositories.c - remember the repositories of exited JVMs that had nothing new
 */
#include "collect/idle_repositories.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/clock_now.h"
#include "jfrec-tool.h"

/* Then its chunks are looked at again, so that the state does not forget them. */
#define BELIEVED_NS (3600 * NS_PER_SECOND)

static int by_inode(const void *x, const void *y)
{
	const struct idle_repository *a = x, *b = y;

	if (a->inode != b->inode)
		return a->inode < b->inode ? -1 : 1;
	return a->device < b->device ? -1 : a->device > b->device;
}

bool idle_repositories_skips(const struct idle_repositories *d, const struct jfrec_leftover *at,
			     int64_t now_ns)
{
	const struct idle_repository wanted = { .device = at->device, .inode = at->inode };
	const struct idle_repository *known = NULL;

	if (d->sorted)
		known = bsearch(&wanted, d->items, d->sorted, sizeof(wanted), by_inode);
	return known && known->touched_ns == at->touched_ns && known->files == at->files &&
	       now_ns - known->looked_ns < BELIEVED_NS;
}

/* Best effort: without memory it is looked at in each pass. */
void idle_repositories_note(struct idle_repositories *d, const struct jfrec_leftover *at,
			    int64_t now_ns)
{
	(void)array_push(d->items, d->count, d->room,
			 (struct idle_repository){ .device = at->device,
						   .inode = at->inode,
						   .touched_ns = at->touched_ns,
						   .files = at->files,
						   .looked_ns = now_ns });
}

/* Of two with the same inode the one that was looked at last stays. */
static int by_look(const void *x, const void *y)
{
	const struct idle_repository *a = x, *b = y;
	int order = by_inode(a, b);

	return order ? order : (a->looked_ns < b->looked_ns) - (a->looked_ns > b->looked_ns);
}

void idle_repositories_end(struct idle_repositories *d, int64_t now_ns)
{
	size_t kept = 0;

	if (d->count)
		qsort(d->items, d->count, sizeof(*d->items), by_look);
	for (size_t i = 0; i < d->count; i++) {
		if (now_ns - d->items[i].looked_ns >= BELIEVED_NS)
			continue;
		if (kept && by_inode(&d->items[kept - 1], &d->items[i]) == 0)
			continue;
		d->items[kept++] = d->items[i];
	}
	d->count = d->sorted = kept;
}

void idle_repositories_fini(struct idle_repositories *d)
{
	free(d->items);
	*d = (struct idle_repositories){ 0 };
}
