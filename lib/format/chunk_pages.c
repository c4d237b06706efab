/* SPDX-License-Identifier: MIT */
/*
 * chunk_pages.c - which types of events there are where in a chunk
 */
#include "base/array.h"
#include "format/chunk.h"

void chunk_pages_add(struct chunk_pages *pages, const struct chunk_page *page)
{
	if (page->from && !array_push(pages->items, pages->count, pages->room, *page))
		pages->count = 0;
}

void chunk_walk_skip(struct chunk_walk *w, const struct type_set *types)
{
	const struct chunk *c = w->chunk;
	const struct chunk_pages *p = &c->pages;
	size_t i = w->next_page;

	if (!p->count)
		return;
	while (i < p->count && !type_sets_meet(&p->items[i].types, types))
		i++;
	w->at.pos = i < p->count ? c->bytes + p->items[i].from : c->end;
	w->next_page = i + 1;
	w->page_end = i + 1 < p->count ? c->bytes + p->items[i + 1].from : c->end;
}
